"""Measure what a bulletin is worth at the start of a session: `python -m bench.session_needs`.

A project of the sample tree is grown by fifty sessions. Each session reads atoms, and its commit
writes an experiment, sometimes knowledge, and STATUS.md. At the start of each one the bulletin is
asked for, and compared with what the session then needed: the atoms that it read, and those that
its commit cites or changes. Printed is the share that was named, by the bulletin within 500 words
and by simpler choices. `--seed` gives another history, `--histories 5` the mean of several.

The history knows nothing of the bulletin's scores. A session goes on with the topic of the one
before (two of three), reads what the next steps name (three of four), a few atoms of its topic,
newer and often cited ones rather than others, one of the most cited atoms of the project, and one
that nobody could foresee.
"""

from __future__ import annotations

import argparse
import random
import re
import shutil
import sys
import tempfile
from collections import Counter
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from statistics import mean
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.operations.brief import brief
from cortexfs.session.session import Session

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

SAMPLE = Path(__file__).resolve().parent.parent / "sample-context"
PROJECT = "driftwood"
SESSIONS = 50
WORDS = 500
GOES_ON, FOLLOWS_NEXT_STEP = 0.65, 0.75
"""How probable it is that a session keeps its topic, and that it reads what a next step names."""
TOPIC_READS = 4
"""Atoms of its topic that a session reads."""
HALF_LIFE = 12
"""Sessions after which an atom of the topic is read half as often."""
LEAD = 0.10
"""The bulletin must be ahead of the two simple choices by this share."""

_FIELD = re.compile(r"^(id|date|tags|summary|status): *(.*)$", re.MULTILINE)
_ID = re.compile(r"\b(?:EXP|K|PAT|DR)-\d+\b")


class Note(NamedTuple):
    """An atom as the history knows it: id, day, tags, and in which session it was written."""

    ident: str
    day: date
    tags: tuple[str, ...]
    summary: str
    born: int


class Needs(NamedTuple):
    """What a session read, and what its commit cites or changes."""

    reads: tuple[str, ...]
    cites: tuple[str, ...]

    @property
    def refs(self) -> set[str]:
        """Both, each once."""
        return {*self.reads, *self.cites}


class History:
    """A project that grows: its atoms, how often each was read and cited, and what comes next."""

    def __init__(self, root: Path, seed: int) -> None:
        self.rng = random.Random(seed)
        self.project = root / "projects" / PROJECT
        self.notes = {note.ident: note for note in _read_notes(self.project)}
        self.reads: Counter[str] = Counter()
        self.cited: Counter[str] = Counter()
        self.next_steps: tuple[str, ...] = _find_next_steps(self.project / "STATUS.md")
        self.topic = self._choose_topic()
        self.day = date(2026, 5, 6)
        for path in self.project.glob("_meta/access-log*.jsonl"):
            for name in re.findall(r'"file":"([A-Z]+-\d+)\.md"', path.read_text()):
                self.reads[name] += 1
        for path in self.project.glob("*/*.md"):
            if path.name != "index.md":
                self.cited.update({*_ID.findall(path.read_text())} - {path.stem})

    def play_session(self, number: int) -> Needs:
        """Play one session, and return what it needed of what was there before."""
        self.day += timedelta(days=self.rng.choice((0, 1, 1, 2, 3)))
        if self.rng.random() > GOES_ON:
            self.topic = self._choose_topic()
        reads = [ref for ref in self.next_steps if self.rng.random() < FOLLOWS_NEXT_STEP]
        reads += self._choose_of_topic(number, TOPIC_READS)
        reads += self._choose([*self.notes], lambda ref: self.cited[ref] ** 2 + 0.1, 1)
        reads += self._choose([*self.notes], lambda _: 1.0, 1)
        reads = [*dict.fromkeys(reads)]
        cites = tuple(self._choose(reads, lambda ref: 1.0 + self.cited[ref], 3))
        self._log(number, reads)
        self._commit(number, cites)
        return Needs(tuple(reads), cites)

    def _choose_topic(self) -> str:
        """Return a tag that several atoms have, newer ones rather than others."""
        counts = Counter(tag for note in self.notes.values() for tag in note.tags)
        tags = [tag for tag, count in counts.items() if count >= 3]
        newest = {tag: max(n.born for n in self.notes.values() if tag in n.tags) for tag in tags}
        return self.rng.choices(tags, [2.0 ** (newest[tag] / HALF_LIFE) for tag in tags])[0]

    def _choose_of_topic(self, number: int, count: int) -> list[str]:
        refs = [note.ident for note in self.notes.values() if self.topic in note.tags]

        def weigh(ref: str) -> float:
            age = number - self.notes[ref].born
            return (1.0 + self.cited[ref] + self.reads[ref] / 2) * 0.5 ** (age / HALF_LIFE)

        return self._choose(refs, weigh, count)

    def _choose(self, refs: list[str], weigh: Callable[[str], float], count: int) -> list[str]:
        """Return some refs by their weights, each at most once."""
        left, chosen = [*dict.fromkeys(refs)], []
        while left and len(chosen) < count:
            chosen += self.rng.choices(left, [weigh(ref) for ref in left])
            left.remove(chosen[-1])
        return chosen

    def _log(self, number: int, reads: Iterable[str]) -> None:
        """Log the reads as the hooks of a client do."""
        start = datetime.combine(self.day, time(9), UTC)
        lines = []
        for place, ref in enumerate(reads):
            self.reads[ref] += 1
            stamp = (start + timedelta(minutes=place)).strftime("%Y-%m-%dT%H:%M:%S.000Z")
            lines.append(
                f'{{"file":"{self._path(ref).name}","tool":"Read","ts":"{stamp}",'
                f'"session":"s-{number}","note":"n-{number}-{place}"}}\n'
            )
        with (self.project / "_meta/access-log.jsonl").open("a") as log:
            log.writelines(lines)

    def _commit(self, number: int, cites: tuple[str, ...]) -> None:
        """Write an experiment, every fourth time knowledge that rests on it, and STATUS.md."""
        new = [self._write("EXP", number, cites, "links")]
        if number % 4 == 3:
            new.append(self._write("K", number, (new[0], *cites[:1]), "evidence"))
        self.cited.update(cites)
        self.next_steps = (*new, *self._choose_of_topic(number, 2))
        steps = "".join(f"{n}. Go on with {ref}.\n" for n, ref in enumerate(self.next_steps, 1))
        (self.project / "STATUS.md").write_text(
            f"# {PROJECT} Status\n\nUpdated: {self.day}\n\n"
            f"## Current phase\n\nPhase 3, {self.topic}."
            f"\n\n## Recent progress\n\n- Measured {self.topic} ({new[0]}).\n\n"
            f"## Open blockers\n\nNone.\n\n## Next steps\n\n{steps}"
        )

    def _write(self, prefix: str, number: int, cites: tuple[str, ...], key: str) -> str:
        numbers = [int(ref.partition("-")[2]) for ref in self.notes if ref.startswith(f"{prefix}-")]
        ident = f"{prefix}-{max(numbers) + 1:03d}"
        others = sorted({tag for ref in cites if ref in self.notes for tag in self.notes[ref].tags})
        tags = tuple(dict.fromkeys((self.topic, *self.rng.sample(others, min(2, len(others))))))
        summary = (
            f"{' and '.join(tags[:2])}: {self.rng.randint(2, 60)} % less in run {number} than "
            f"before, at the same error bound"
        )
        self.notes[ident] = Note(ident, self.day, tags, summary, number)
        folder = {"EXP": "experiments", "K": "knowledge"}[prefix]
        (self.project / folder / f"{ident}.md").write_text(
            f'---\nid: {ident}\ndate: {self.day}\nproject: {PROJECT}\nsummary: "{summary}"\n'
            f"tags: [{', '.join(tags)}]\n{key}: [{', '.join(cites)}]\n---\n\n# Run {number}\n"
            f"\n## {'Statement' if prefix == 'K' else 'Results'}\n\n"
            f"Follows from {' and '.join(cites)}.\n"
        )
        return ident

    def _path(self, ref: str) -> Path:
        folders = {"EXP": "experiments", "K": "knowledge", "PAT": "patterns", "DR": "decisions"}
        folder = self.project / folders[ref.partition("-")[0]]
        direct = folder / f"{ref}.md"
        return direct if direct.exists() else next(folder.glob(f"{ref.partition('-')[2]}-*.md"))


def main() -> int:
    """Print the shares; return 1 if the bulletin is not ahead."""
    asked = argparse.ArgumentParser(description="Measure what a bulletin names of what is needed.")
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--histories", type=int, default=1, help="number of histories")
    options = asked.parse_args()
    shares: dict[str, list[float]] = {}
    for seed in range(options.seed, options.seed + options.histories):
        with tempfile.TemporaryDirectory(prefix="cortexfs-bench-") as folder:
            for name, share in play_history(Path(folder), seed):
                shares.setdefault(name, []).append(share)
    print(f"{options.histories} histories of {SESSIONS} sessions; named of what was needed:")
    for name, found in shares.items():
        print(f"  {name:32} {mean(found):6.1%}")
    ours, *simple = [mean(found) for found in shares.values()][:3]
    return 0 if ours >= max(simple) + LEAD else 1


def play_history(folder: Path, seed: int) -> Iterator[tuple[str, float]]:
    """Yield the share of each session's needs that each choice has named."""
    root = folder / "context"
    shutil.copytree(SAMPLE, root)
    history = History(root, seed)
    session = Session.open(str(root), lambda: datetime.combine(history.day, time(9), UTC))
    for number in range(1, SESSIONS + 1):
        text = brief(session, PROJECT).bulletin.text
        named = {"the bulletin": {*_ID.findall(text)}}
        named |= _choose_simply(history)
        lines = text.partition("## See also")[0]
        named["the bulletin without `See also`"] = {*_ID.findall(lines)}
        needed = history.play_session(number).refs
        for name, refs in named.items():
            yield name, len(needed & refs) / len(needed)
    session.close()


def _choose_simply(history: History) -> dict[str, set[str]]:
    """Return the simpler choices, and those in as many words as a bulletin may have."""
    by_date = sorted(history.notes.values(), key=lambda n: (n.day, n.born, n.ident), reverse=True)
    by_reads = sorted(history.notes.values(), key=lambda n: (-history.reads[n.ident], n.ident))
    return {
        "the last ten atoms": {note.ident for note in by_date[:10]},
        "the ten most read": {note.ident for note in by_reads[:10]},
        f"the last ones in {WORDS} words": _fill(by_date),
        f"the most read in {WORDS} words": _fill(by_reads),
    }


def _fill(notes: Iterable[Note]) -> set[str]:
    """Return as many of the first notes as fit, each with its id, date and summary."""
    chosen, words = set(), 0
    for note in notes:
        words += 2 + len(note.summary.split())
        if words > WORDS:
            break
        chosen.add(note.ident)
    return chosen


def _read_notes(project: Path) -> Iterator[Note]:
    for path in sorted(project.glob("*/*.md")):
        fields = dict(_FIELD.findall(path.read_text()))
        if "id" in fields:
            tags = tuple(fields["tags"].strip("[]").split(", "))
            day = date.fromisoformat(fields["date"])
            yield Note(fields["id"], day, tags, fields["summary"].strip('"'), 0)


def _find_next_steps(status: Path) -> tuple[str, ...]:
    steps = status.read_text().partition("## Next steps")[2]
    return tuple(dict.fromkeys(_ID.findall(steps)))


if __name__ == "__main__":
    sys.exit(main())
