"""The input of maintenance: the atoms of one project, and data about the whole tree."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from cortexfs.core.atoms.anti_pattern_marker import is_anti_pattern
from cortexfs.core.atoms.evidence_refs import list_evidence_refs
from cortexfs.core.atoms.lifecycle import CAUTION_STATUSES, IndexMdSection
from cortexfs.core.atoms.refs import find_ref, to_full_ref
from cortexfs.core.indexes.atom_with_reads import date_ordinal_of_atom, parse_id_number
from cortexfs.core.settings.maintenance_settings import DEFAULT_PRUNE_RULE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cortexfs.core.atoms.atom import Atom
    from cortexfs.core.atoms.kind import Kind
    from cortexfs.core.indexes.atom_with_reads import AtomWithReads
    from cortexfs.core.settings.maintenance_settings import PruneRule

MAX_TAGS = 16
"""Maximum number of tags of an atom that are compared."""


class EntriesByRef(Protocol):
    """The entries of all projects by full ref, wherever they are kept."""

    def __contains__(self, ref: object) -> bool:
        """Return whether there is such an entry."""

    def __getitem__(self, ref: str) -> AtomWithReads:
        """Return an entry; raise `KeyError` if there is none."""


@dataclass(frozen=True, slots=True)
class ProjectAtoms:
    """One project's entries, and data about the whole tree.

    `all_entries` has the entries of all projects by full ref (those of other projects with no reads
    but those in their frontmatter), `linked_refs` the full refs that
    anything links to. `reads_logged_since` is the ordinal of the day since which reads are known
    to be logged in this project, 0 if there is none. `relations_to` has the number of relations to
    each memory of the tree, by its number; a memory without any may be left out.
    """

    name: str
    kinds_by_name: Mapping[str, Kind]
    entries: Sequence[AtomWithReads]
    all_entries: EntriesByRef
    linked_refs: frozenset[str] = frozenset()
    reads_logged_since: int = 0
    relations_to: Mapping[int, int] = field(default_factory=dict)
    prune_rule: PruneRule = DEFAULT_PRUNE_RULE

    def list_experiments(self) -> list[AtomWithReads]:
        """Return the atoms that report an experiment, and can show that another atom is wrong."""
        return [entry for entry in self.entries if self.is_experiment(entry)]

    def list_patterns(self) -> list[AtomWithReads]:
        """Return the current atoms that are based on several experiments."""
        active = filter(is_active, self.entries)
        return [entry for entry in active if self.find_kind(entry).needs_experiments]

    def find_kind(self, entry: AtomWithReads) -> Kind:
        """Return the kind of an atom."""
        return self.kinds_by_name[entry.atom.kind]

    def is_experiment(self, entry: AtomWithReads) -> bool:
        """Return whether an atom reports an experiment."""
        return self.find_kind(entry).has_downstream_impact

    def is_claim(self, entry: AtomWithReads) -> bool:
        """Return whether an atom must cite what it depends on: knowledge, patterns."""
        return self.find_kind(entry).needs_evidence

    @staticmethod
    def is_anti_pattern(entry: AtomWithReads) -> bool:
        """Return whether an atom warns of something: its evidence is what failed."""
        return is_anti_pattern(entry.atom.text_field("summary"))

    def find_entry(self, cited: str, project: str) -> AtomWithReads | None:
        """Return the entry that a ref refers to in a project, or None."""
        ref = find_ref(cited, project, self.all_entries)
        return self.all_entries[ref] if ref else None

    def find_atom(self, cited: str, project: str) -> Atom | None:
        """Return the atom that a ref refers to in a project, or None."""
        entry = self.find_entry(cited, project)
        return entry.atom if entry else None


def is_active(entry: AtomWithReads) -> bool:
    """Return whether an atom is current, and so in the first table of the index."""
    return entry.status.section is IndexMdSection.ACTIVE


def is_unmarked(entry: AtomWithReads) -> bool:
    """Return whether an atom is current and not marked to be read with care."""
    return is_active(entry) and entry.status.word not in CAUTION_STATUSES


def is_newer(one: AtomWithReads, other: AtomWithReads) -> bool:
    """Return whether one atom is newer: by its date, or by its number for one kind and date."""
    days = date_ordinal_of_atom(one.atom), date_ordinal_of_atom(other.atom)
    if days[0] != days[1] or one.atom.kind != other.atom.kind:
        return days[0] > days[1] > 0
    return parse_id_number(one.ident) > parse_id_number(other.ident)


def list_evidence(entry: AtomWithReads) -> list[str]:
    """Return the full refs that an atom depends on, in order and without duplicates."""
    found = (to_full_ref(cited, entry.atom.project) for cited, _ in list_evidence_refs(entry.atom))
    return list(dict.fromkeys(found))


def list_links(entry: AtomWithReads) -> set[str]:
    """Return the full refs in the field `links` of an atom."""
    return {to_full_ref(cited, entry.atom.project) for cited in entry.atom.list_field("links")}


def list_tags(entry: AtomWithReads) -> list[str]:
    """Return an atom's first tags in lower case, without duplicates."""
    return list(dict.fromkeys(tag.lower() for tag in entry.atom.list_field("tags")))[:MAX_TAGS]
