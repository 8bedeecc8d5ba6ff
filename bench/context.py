"""Measure what the surroundings of atoms gain: `python -m bench.context`.

The sets (`bench.context_sets`) are laid out as people do: sessions, atoms that link to the same
one, or numbers in order. In the control, all three are drawn by chance: they must change nothing.
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, NamedTuple

from bench.context_sets import CHANGELOGS, MANUALS, SETS
from bench.engines import LARGE, OURS, copy_for_tantivy, make_find, score_search
from bench.scores import bootstrap_bounds, mean_score, subtract_scores
from bench.sets import SearchSet, open_tree
from cortexfs.catalog.full_text_backend import is_tantivy_installed
from cortexfs.core.find import score_context

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from bench.context_sets import TextSet
    from bench.scores import Score
    from bench.sets import Question

MAX_LOSS = 0.005
"""The recall@5 and MRR that a layout may lose: half a point."""
FOLDER = "projects/set/observations"
WITH, WITHOUT = "with context", "without"
HEAD = """
| | engine | recall@5 without | with | points | MRR without | with | points |
|---|---|--:|--:|--:|--:|--:|--:|"""


class Layout(NamedTuple):
    """What a tree has of the structure of a set; `is_random` if it is drawn by chance."""

    has_sessions: bool = False
    has_session_links: bool = False
    has_links: bool = False
    has_order: bool = False
    is_random: bool = False


SESSIONS, NUMBERS = Layout(has_sessions=True), Layout(has_order=True)
BOTH = Layout(has_sessions=True, has_order=True)
SESSION_LINKS, LINKS = Layout(has_session_links=True), Layout(has_links=True)
CONTROL = Layout(has_sessions=True, has_session_links=True, has_order=True, is_random=True)
LAYOUTS = {
    "docstrings": {"sessions": SESSIONS, "links": SESSION_LINKS, "numbers": NUMBERS},
    "functions": {"links": LINKS, "sessions and numbers": BOTH},
    "manual pages": {"sessions": SESSIONS, "numbers": NUMBERS},
    "changelogs": {"sessions and numbers": BOTH},
}


def main() -> int:
    """Print a table for each set; return 1 if a layout loses, see `is_worse`."""
    worse = 0
    for name, read in SETS.items():
        texts = read()
        if not texts.questions:
            place = MANUALS if name == "manual pages" else CHANGELOGS
            print(f"\n{name}: skipped, {place} has none", flush=True)
            continue
        print(f"\n{name}: {len(texts.texts)} atoms, {len(texts.questions)} questions\n{HEAD}")
        for layout_name, layout in {**LAYOUTS[name], "drawn by chance": CONTROL}.items():
            for engine, runs in score_layout(texts, layout).items():
                print(f"| {layout_name} | {engine} | {_compare(runs)} |", flush=True)
                worse += is_worse(runs)
    return 1 if worse else 0


def score_layout(texts: TextSet, layout: Layout) -> dict[str, dict[str, list[Score]]]:
    """Score the questions in each engine with and without what surrounds the atoms."""
    with tempfile.TemporaryDirectory(prefix="cortexfs-bench-") as place:
        searched = lay_out(texts, layout, Path(place, "tree"))
        runs = {OURS: score_context_of(searched, texts.questions)}
        if is_tantivy_installed():
            with copy_for_tantivy(searched) as copied:
                runs[LARGE] = score_context_of(copied, texts.questions)
        searched.session.close()
    return runs


def score_context_of(searched: SearchSet, questions: list[Question]) -> dict[str, list[Score]]:
    """Score the questions with and without what surrounds the atoms."""
    find = make_find(searched.session)
    runs = {WITH: score_search(find, searched.names, questions)}
    with set_weight(0.0):
        runs[WITHOUT] = score_search(find, searched.names, questions)
    return runs


@contextmanager
def set_weight(weight: float) -> Iterator[None]:
    """Give surroundings another weight for a while."""
    before = score_context.CONTEXT_WEIGHT
    score_context.CONTEXT_WEIGHT = weight
    try:
        yield
    finally:
        score_context.CONTEXT_WEIGHT = before


def _compare(runs: Mapping[str, list[Score]]) -> str:
    """Return both scores without and with context, and the difference in points, as cells."""
    cells = []
    before, after = mean_score(runs[WITHOUT]), mean_score(runs[WITH])
    for part in ("recall_5", "mrr"):
        old, new = getattr(before, part), getattr(after, part)
        low, high = bootstrap_bounds(subtract_scores(dict(runs), WITH, WITHOUT, part))
        points = f"{100 * (new - old):+.1f} ({100 * low:+.1f} to {100 * high:+.1f})"
        cells += [f"{old:.3f}", f"{new:.3f}", points]
    return " | ".join(cells)


def is_worse(runs: Mapping[str, list[Score]]) -> bool:
    """Return whether context loses more than `MAX_LOSS`, which is not due to chance."""
    for part in ("recall_5", "mrr"):
        changes = subtract_scores(dict(runs), WITH, WITHOUT, part)
        if fmean(changes) < -MAX_LOSS and bootstrap_bounds(changes)[1] < 0:
            return True
    return False


def lay_out(texts: TextSet, layout: Layout, root: Path) -> SearchSet:
    """Make a tree with the structure of a layout, and none besides."""
    rng, names = random.Random(7), list(texts.texts)
    shuffled = rng.sample(names, len(names))
    numbers = {name: n for n, name in enumerate(names if layout.has_order else shuffled, 1)}
    like = dict(zip(names, shuffled if layout.is_random else names, strict=True))
    numbers = {name: numbers[like[name]] for name in names}
    (root / FOLDER).mkdir(parents=True)
    (root / "CORTEX.md").write_text("# Set\n")
    sessions = {text.session: n for n, text in enumerate(texts.texts.values(), 1)}
    paths = {}
    for name, text in texts.texts.items():
        place = texts.texts[like[name]]
        session = sessions[place.session]
        links = [f"SES-{session:03d}"] if layout.has_session_links else []
        if layout.has_links:
            links = [f"OBS-{numbers[other]:03d}" for other in place.links if other in numbers]
        path = f"{FOLDER}/OBS-{numbers[name]:03d}.md"
        fields = {"session": f"s{session}"} if layout.has_sessions else {}
        (root / path).write_text(format_observation(numbers[name], text.body, fields, links))
        paths[path] = name
    return SearchSet(open_tree(root), paths, {})


def format_observation(
    number: int, body: str, fields: Mapping[str, str], links: Iterable[str]
) -> str:
    """Return an observation with some fields and links."""
    more = "".join(f"{key}: {value}\n" for key, value in fields.items())
    return (
        f"---\nid: OBS-{number:03d}\ndate: 2026-01-01\nproject: set\nsummary: ''\ntags: []\n"
        f"type: manual\nlinks: {json.dumps(list(links))}\n{more}---\n\n{body}\n"
    )


if __name__ == "__main__":
    sys.exit(main())
