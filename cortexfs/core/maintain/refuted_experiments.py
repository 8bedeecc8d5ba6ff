"""Experiments in force of which a newer atom says, in a field of its own, that they do not hold."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.reviews import has_review_since
from cortexfs.core.maintain.project_atoms import is_newer, is_unmarked

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cortexfs.core.indexes.index_entry import IndexEntry
    from cortexfs.core.maintain.project_atoms import ProjectAtoms

OVERTURNING_FIELDS = ("supersedes", "corrects", "contradicts", "refutes", "challenges")
"""Fields of the frontmatter that name what an atom overturns.

Prose is not read for it: of 17 sentences with such a verb and a ref, 5 said that the ref does
not hold; the others asked, denied, limited or spoke of something else.
"""


class RefutedExperiment(NamedTuple):
    """An unmarked experiment, the newer atom that contradicts it, and the field that says so."""

    ref: str
    path: str
    by: str
    word: str


def find_refuted_experiments(study: ProjectAtoms) -> list[RefutedExperiment]:
    """Find them by what newer experiments and anti-patterns of this project say."""
    found: dict[tuple[str, str], RefutedExperiment] = {}
    for newer in study.entries:
        if study.is_experiment(newer) or study.is_anti_pattern(newer):
            for older, word in _overturned(study, newer):
                pair = str(older.atom.ref), str(newer.atom.ref)
                found.setdefault(pair, RefutedExperiment(pair[0], older.atom.path, pair[1], word))
    return sorted(found.values())


def _overturned(study: ProjectAtoms, newer: IndexEntry) -> Iterator[tuple[IndexEntry, str]]:
    """Give the unmarked experiments that an atom says it overturns, but for reviewed ones."""
    for key in OVERTURNING_FIELDS:
        for cited in newer.atom.list_field(key):
            older = study.find_entry(cited, newer.atom.project)
            if older is None or not (study.is_experiment(older) and is_unmarked(older)):
                continue
            day = newer.atom.text_field("date")
            if is_newer(newer, older) and not has_review_since(
                older.atom, newer.atom, day, study.find_atom
            ):
                yield older, key
