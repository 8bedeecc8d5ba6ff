"""What maintenance looks at: the atoms of one project, beside what the whole tree knows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cortexfs.core.atoms.anti_pattern import is_anti_pattern
from cortexfs.core.atoms.evidence_refs import EVIDENCE_FIELDS, list_evidence_refs
from cortexfs.core.atoms.lifecycle import CAUTION_STATUSES, IndexSection
from cortexfs.core.atoms.refs import find_ref, to_full_ref
from cortexfs.core.indexes.index_entry import parse_date_ordinal, parse_id_number

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cortexfs.core.atoms.atom import Atom
    from cortexfs.core.atoms.kinds import Kind
    from cortexfs.core.indexes.index_entry import IndexEntry

MAX_TAGS = 16
"""So many tags of an atom are looked at: what bears more is about everything."""


@dataclass(frozen=True, slots=True)
class ProjectAtoms:
    """One project's entries, and what is known beyond them.

    `rows` are the kinds by name, `tree` the entries of all projects by their full refs; `named`
    the full refs that something names, `since` the day (an ordinal) from which on looks are
    known to be logged here, 0 where none is.
    """

    project: str
    kinds_by_name: Mapping[str, Kind]
    entries: Sequence[IndexEntry]
    all_entries: Mapping[str, IndexEntry]
    linked_refs: frozenset[str] = frozenset()
    reads_logged_since: int = 0

    def list_experiments(self) -> list[IndexEntry]:
        """Give the atoms that report something tried, and can show that something else is wrong."""
        return [entry for entry in self.entries if self.is_experiment(entry)]

    def list_patterns(self) -> list[IndexEntry]:
        """Give the standing atoms that draw on several experiments."""
        standing = filter(is_active, self.entries)
        return [
            entry
            for entry in standing
            if "source-experiments" in self.kind_of(entry).required_fields
        ]

    def kind_of(self, entry: IndexEntry) -> Kind:
        """Give the row of an atom's kind."""
        return self.kinds_by_name[entry.atom.kind]

    def is_experiment(self, entry: IndexEntry) -> bool:
        """Tell whether an atom reports something tried."""
        return self.kind_of(entry).has_downstream_impact

    def is_claim(self, entry: IndexEntry) -> bool:
        """Tell whether an atom must name what it rests on: knowledge, patterns."""
        return not {*EVIDENCE_FIELDS}.isdisjoint(self.kind_of(entry).required_fields)

    @staticmethod
    def is_anti_pattern(entry: IndexEntry) -> bool:
        """Tell whether an atom warns of something: what it rests on is what failed."""
        return is_anti_pattern(entry.atom.text_field("summary"))

    def find_entry(self, cited: str, project: str) -> IndexEntry | None:
        """Give the entry that a ref means in a project."""
        ref = find_ref(cited, project, self.all_entries)
        return self.all_entries[ref] if ref else None

    def find_atom(self, cited: str, project: str) -> Atom | None:
        """Give the atom that a ref means in a project."""
        entry = self.find_entry(cited, project)
        return entry.atom if entry else None


def is_active(entry: IndexEntry) -> bool:
    """Tell whether an atom is in the index's first table."""
    return entry.status.section is IndexSection.ACTIVE


def is_unmarked(entry: IndexEntry) -> bool:
    """Tell whether an atom stands, and nobody has said that it is to be read with care."""
    return is_active(entry) and entry.status.word not in CAUTION_STATUSES


def is_newer(one: IndexEntry, other: IndexEntry) -> bool:
    """Tell whether one atom is of a later day; of one day, whether its number is higher."""
    days = parse_date_ordinal(one.atom), parse_date_ordinal(other.atom)
    if days[0] != days[1] or one.atom.kind != other.atom.kind:
        return days[0] > days[1] > 0
    return parse_id_number(one.ident) > parse_id_number(other.ident)


def list_evidence(entry: IndexEntry) -> list[str]:
    """Name in full what an atom says that it rests on, each once, in its order."""
    found = (to_full_ref(cited, entry.atom.project) for cited, _ in list_evidence_refs(entry.atom))
    return list(dict.fromkeys(found))


def list_links(entry: IndexEntry) -> set[str]:
    """Name in full what an atom links to."""
    return {to_full_ref(cited, entry.atom.project) for cited in entry.atom.list_field("links")}


def list_tags(entry: IndexEntry) -> list[str]:
    """Give an atom's first tags in lower case, each once."""
    return list(dict.fromkeys(tag.lower() for tag in entry.atom.list_field("tags")))[:MAX_TAGS]
