"""Claims of one kind with similar summaries: one of them may be superfluous."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.refs import to_full_ref
from cortexfs.core.indexes.atom_with_reads import date_ordinal_of_atom, parse_id_number
from cortexfs.core.maintain.project_atoms import is_unmarked
from cortexfs.core.maintain.similar_texts import find_similar_texts
from cortexfs.core.maintain.text_differences import find_text_differences

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cortexfs.core.indexes.atom_with_reads import AtomWithReads
    from cortexfs.core.maintain.project_atoms import ProjectAtoms

MIN_SIMILARITY = 0.5
"""The similarity of summaries from which two claims are reported: they are a sentence each."""
MAX_PAIRS = 100
"""Maximum number of pairs of a project that are reported."""


class SimilarAtoms(NamedTuple):
    """The refs of two similar claims, the older one first, and what differs."""

    older: str
    newer: str
    similarity: float
    differences: tuple[str, ...]


def find_similar_atoms(project: ProjectAtoms) -> list[SimilarAtoms]:
    """Return the pairs of current knowledge, or patterns, with similar summaries.

    Left out are anti-patterns, and pairs of which one cites the other.
    """
    by_kind: dict[str, list[AtomWithReads]] = defaultdict(list)
    for entry in project.entries:
        if project.is_claim(entry) and is_unmarked(entry) and not project.is_anti_pattern(entry):
            by_kind[entry.atom.kind].append(entry)
    found = [pair for entries in by_kind.values() for pair in _find_pairs(entries)]
    return sorted(found, key=lambda pair: (-pair.similarity, pair.older, pair.newer))[:MAX_PAIRS]


def _find_pairs(entries: Sequence[AtomWithReads]) -> Iterator[SimilarAtoms]:
    atoms = [entry.atom for entry in sorted(entries, key=_sort_by_age)]
    summaries = [atom.text_field("summary") for atom in atoms]
    cited = [{to_full_ref(ref, atom.project) for ref, _ in atom.cited_refs} for atom in atoms]
    for earlier, later, similarity in find_similar_texts(summaries, MIN_SIMILARITY):
        older, newer = atoms[earlier].ref, atoms[later].ref
        if newer not in cited[earlier] and older not in cited[later]:
            found = find_text_differences(summaries[earlier], summaries[later])
            yield SimilarAtoms(older, newer, similarity, found.lines)


def _sort_by_age(entry: AtomWithReads) -> tuple[int, int, str]:
    return date_ordinal_of_atom(entry.atom), parse_id_number(entry.ident), entry.atom.path
