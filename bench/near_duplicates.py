"""Measure how similar memories are found: `python -m bench.near_duplicates`.

The pairs are those of the tests: 25 facts, each reworded, with another number, negated, and about
somebody or something else. With the extra `vectors` the embeddings are measured too.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

from cortexfs.catalog.embeddings.embedding_model import find_installed_model
from cortexfs.core.maintain.equal_memories import WeighedMemory
from cortexfs.core.maintain.merge_proposals import MemoryPair, make_proposal
from cortexfs.core.maintain.normalize_text import normalize_text
from cortexfs.core.maintain.similar_texts import find_similar_texts
from cortexfs.core.memory.memory_record import MemoryRecord
from cortexfs.core.settings.maintenance_settings import DEFAULT_MAINTENANCE
from cortexfs.operations.list_merge_proposals import MIN_COSINE

if TYPE_CHECKING:
    from collections.abc import Iterable

    Pairs = Iterable[tuple[int, int]]

FACTS = Path(__file__).resolve().parent.parent / "tests/core/maintain/similar_facts.json"
WORDINGS = ("fact", "reworded", "number", "negated", "role")
"""The wordings of each fact, in the order of the texts."""
MEMORIES = 10_000
COPIES = 50
"""Of the memories, those that are equal to another one."""


def main() -> int:
    """Print the tables; return 1 if too few rewordings or too many unrelated pairs are found."""
    facts = json.loads(FACTS.read_text())
    texts = [fact[wording] for fact in facts for wording in WORDINGS]
    least = DEFAULT_MAINTENANCE.similarity
    by_words = [(p.earlier, p.later) for p in find_similar_texts(texts, least)]
    found = _count(by_words)
    print(f"by words, from {least:g}\n{_format_counts(found, len(texts))}")
    equal = Counter(map(normalize_text, texts)).most_common(1)[0][1] > 1
    print(f"merged by rule: {'some' if equal else 'none'}")
    for wording, kinds in _count_kinds(texts, by_words).items():
        print(f"{wording}: {', '.join(f'{count} {kind}' for kind, count in kinds.items())}")
    if find_installed_model():
        for cosine in (0.95, MIN_COSINE):
            counts = _count(_pair_by_vectors(texts, cosine))
            print(f"\nby vectors, from {cosine:g}\n{_format_counts(counts, len(texts))}")
    print()
    _time_tree(texts)
    is_bad = found["reworded"] < 0.8 * len(facts) or found["unrelated"] > 0.02 * _unrelated(texts)
    return 1 if is_bad or equal else 0


def _count(pairs: Pairs) -> Counter[str]:
    """Count the found pairs by what they are; two wordings of a fact count with the fact itself."""
    counts: Counter[str] = Counter()
    size = len(WORDINGS)
    for one, other in pairs:
        if one // size != other // size:
            counts["unrelated"] += 1
        elif not min(one, other) % size:
            counts[WORDINGS[max(one, other) % size]] += 1
    return counts


def _unrelated(texts: list[str]) -> int:
    """Return the number of pairs of different facts."""
    facts = len(texts) // len(WORDINGS)
    return facts * (facts - 1) // 2 * len(WORDINGS) ** 2


def _format_counts(counts: Counter[str], total: int) -> str:
    facts = total // len(WORDINGS)
    lines = [f"  {wording}: {counts[wording]} of {facts}" for wording in WORDINGS[1:]]
    return "\n".join([*lines, f"  unrelated: {counts['unrelated']} of {_unrelated([''] * total)}"])


def _count_kinds(texts: list[str], pairs: Pairs) -> dict[str, Counter[str]]:
    """Return the kinds of the proposals between each fact and its wordings."""
    kinds: dict[str, Counter[str]] = {wording: Counter() for wording in WORDINGS[1:]}
    memories = [_make_memory(number, text) for number, text in enumerate(texts, start=1)]
    for one, other in pairs:
        size = len(WORDINGS)
        if one // size == other // size and not one % size:
            pair = MemoryPair(memories[one], memories[other], 1.0, "words")
            proposal = make_proposal("", pair)
            kinds[WORDINGS[other % size]][proposal.kind] += 1
    return kinds


def _make_memory(number: int, text: str) -> WeighedMemory:
    ref = f"p/OBS-{number:03d}"
    record = MemoryRecord(
        number, ref, "", "", "fact", text, "p", "project", "", "", "", (), 1, 0,
        "", "", "", "", (), "",
    )  # fmt: skip
    return WeighedMemory(record, 0.6)


def _pair_by_vectors(texts: list[str], least: float) -> Pairs:
    model = find_installed_model()
    rows = list(model.load(True)(texts)) if model else []  # noqa: FBT003 - many texts
    for one, other in combinations(range(len(rows)), 2):
        if sum(a * b for a, b in zip(rows[one], rows[other], strict=True)) >= least:
            yield one, other


def _time_tree(texts: list[str]) -> None:
    """Time the commands on a tree of many memories."""
    with tempfile.TemporaryDirectory() as folder:
        root = f"{folder}/tree"
        _run(root, "init", root)
        _run(root, "project", "new", "p", "--goal", "Many memories")
        _write_memories(Path(root) / "projects/p/observations", texts)
        for words in (("commit", "-m", "memories"), ("maintain",), ("maintain", "--proposals")):
            print(f"{' '.join(words)}, {MEMORIES:,} memories: {_run(root, *words):.1f} s")
        print(f"maintain --apply, {COPIES} merges: {_run(root, 'maintain', '--apply'):.1f} s")
        print(f"undo: {_run(root, 'undo'):.1f} s")


def _write_memories(folder: Path, texts: list[str]) -> None:
    rng = random.Random(1)
    words = sorted({word for text in texts for word in text.split()})
    words += [f"{word}{number}" for word in words for number in range(9)]
    folder.mkdir(parents=True)
    text = ""
    for number in range(1, MEMORIES + 1):
        if number % (MEMORIES // COPIES):
            text = " ".join(rng.choices(words, k=rng.randint(8, 40)))
        head = f"---\nid: OBS-{number:03d}\ndate: 2026-05-01\nproject: p\nsummary: A fact\n"
        front = f"{head}tags: [fact]\ntype: fact\n---\n\n"
        (folder / f"OBS-{number:03d}.md").write_text(f"{front}{text}\n")


def _run(root: str, *words: str) -> float:
    """Run a command, and return its wall seconds."""
    started = time.perf_counter()
    command = [sys.executable, "-m", "cortexfs", "--root", root, *words]
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - started


if __name__ == "__main__":
    raise SystemExit(main())
