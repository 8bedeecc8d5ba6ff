"""Current experiments that a newer atom contradicts in one of its fields."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.reviewed_field import has_review_since
from cortexfs.core.maintain.project_atoms import is_newer, is_unmarked

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cortexfs.core.indexes.atom_with_reads import AtomWithReads
    from cortexfs.core.maintain.project_atoms import ProjectAtoms

CONTRADICTION_FIELDS = ("supersedes", "corrects", "contradicts", "refutes", "challenges")
"""Fields of the frontmatter with the refs that an atom contradicts.

Prose is not searched: of 17 sentences with such a verb and a ref, 5 said that the ref does not
hold; the others asked, denied, limited or were about something else.
"""


class ContradictedExperiment(NamedTuple):
    """An unmarked experiment, the newer atom that contradicts it, and the field with its ref."""

    ref: str
    path: str
    by: str
    field: str


def find_contradicted_experiments(project: ProjectAtoms) -> list[ContradictedExperiment]:
    """Return the experiments that newer experiments or anti-patterns contradict."""
    found: dict[tuple[str, str], ContradictedExperiment] = {}
    for newer in project.entries:
        if project.is_experiment(newer) or project.is_anti_pattern(newer):
            for older, word in _list_contradicted(project, newer):
                pair = str(older.atom.ref), str(newer.atom.ref)
                found.setdefault(
                    pair, ContradictedExperiment(pair[0], older.atom.path, pair[1], word)
                )
    return sorted(found.values())


def _list_contradicted(
    project: ProjectAtoms, newer: AtomWithReads
) -> Iterator[tuple[AtomWithReads, str]]:
    """Yield the unmarked experiments that an atom contradicts, except reviewed ones."""
    for key in CONTRADICTION_FIELDS:
        for cited in newer.atom.list_field(key):
            older = project.find_entry(cited, newer.atom.project)
            if older is None or not (project.is_experiment(older) and is_unmarked(older)):
                continue
            day = newer.atom.text_field("date")
            if is_newer(newer, older) and not has_review_since(
                older.atom, newer.atom, day, project.find_atom
            ):
                yield older, key
