"""Standing experiments of which a newer atom says that they do not hold."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.parse_atom import cites
from cortexfs.core.maintain.body_signals import overturning
from cortexfs.core.maintain.inputs import (
    ANTI_PATTERN,
    full,
    is_anti_pattern,
    is_newer,
    is_unmarked,
    links,
    rests_on,
    tags,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from cortexfs.core.indexes.index_entry import Entry
    from cortexfs.core.maintain.inputs import Study

FIELDS = ("supersedes", "corrects", "contradicts", "refutes", "challenges")
"""Fields of the frontmatter that name what an atom overturns."""
SHARED = 2
"""Tags that an atom has in common with what it may mean."""
FEW = 3
"""What does not say of whom it speaks is believed where it can mean so many at the most."""
COMMON = 50
"""A tag that more experiments bear says nothing of whom is spoken."""


class Contradicted(NamedTuple):
    """An unmarked experiment, the newer atom that contradicts it, and the word that says so."""

    ref: str
    path: str
    by: str
    word: str


def contradicted(study: Study) -> list[Contradicted]:
    """Find them by what newer experiments and anti-patterns of this project say."""
    bearers = _bearers(entry for entry in study.experiments() if is_unmarked(entry))
    found: dict[tuple[str, str], Contradicted] = {}
    for newer in study.entries:
        if study.is_report(newer) or is_anti_pattern(newer):
            for older, word in (*_named(study, newer), *_meant(study, newer, bearers)):
                if study.is_report(older) and is_unmarked(older) and is_newer(newer, older):
                    pair = str(older.atom.ref), str(newer.atom.ref)
                    found.setdefault(pair, Contradicted(pair[0], older.atom.path, pair[1], word))
    return sorted(found.values())


def _named(study: Study, newer: Entry) -> Iterator[tuple[Entry, str]]:
    """Give what an atom says by name that it overturns: in a field, or in a sentence."""
    said = study.said.get(newer.atom.path)
    words = [(cited, key) for key in FIELDS for cited in newer.atom.words(key)]
    for cited, word in (*words, *(said.overturns if said else ())):
        if older := study.tree.get(full(cited, newer.atom.project)):
            yield older, word


def _meant(
    study: Study, newer: Entry, bearers: Mapping[str, list[str]]
) -> Iterator[tuple[Entry, str]]:
    """Give what a summary that overturns something, and does not say what, can mean.

    That is what it links to, and what shares two tags with it. An anti-pattern does not mean
    the experiments that showed it.
    """
    summary, warns = newer.atom.text("summary"), is_anti_pattern(newer)
    word = ANTI_PATTERN if warns else overturning(summary)
    if not word or any(True for _ in cites(summary)):
        return
    shared = Counter(
        ref for tag in tags(newer) if len(bearers[tag]) <= COMMON for ref in bearers[tag]
    )
    refs = {ref for ref, count in shared.items() if count >= SHARED}
    refs = refs - links(newer) - {*rests_on(newer)} if warns else refs | links(newer)
    fitting = [older for ref in sorted(refs) if (older := study.tree.get(ref))]
    fitting = [older for older in fitting if is_unmarked(older) and is_newer(newer, older)]
    if len(fitting) <= FEW:
        yield from ((older, word) for older in fitting)


def _bearers(entries: Iterable[Entry]) -> Mapping[str, list[str]]:
    bearers: dict[str, list[str]] = defaultdict(list)
    for entry in entries:
        for tag in tags(entry):
            bearers[tag].append(str(entry.atom.ref))
    return bearers
