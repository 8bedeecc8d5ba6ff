"""What maintenance looks at: the atoms of one project, beside what the whole tree knows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cortexfs.core.atoms.anti_pattern import is_anti_pattern
from cortexfs.core.atoms.grounds import RESTS_ON, grounds
from cortexfs.core.atoms.lifecycle import MARKED, Section
from cortexfs.core.atoms.refs import find_ref, full_ref
from cortexfs.core.indexes.index_entry import born, number_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cortexfs.core.atoms.atom import Atom
    from cortexfs.core.atoms.kinds import Kind
    from cortexfs.core.indexes.index_entry import Entry

TAGS = 16
"""So many tags of an atom are looked at: what bears more is about everything."""


@dataclass(frozen=True, slots=True)
class Study:
    """One project's entries, and what is known beyond them.

    `rows` are the kinds by name, `tree` the entries of all projects by their full refs; `named`
    the full refs that something names, `since` the day (an ordinal) from which on looks are
    known to be logged here, 0 where none is.
    """

    project: str
    rows: Mapping[str, Kind]
    entries: Sequence[Entry]
    tree: Mapping[str, Entry]
    named: frozenset[str] = frozenset()
    since: int = 0

    def experiments(self) -> list[Entry]:
        """Give the atoms that report something tried, and can show that something else is wrong."""
        return [entry for entry in self.entries if self.is_report(entry)]

    def patterns(self) -> list[Entry]:
        """Give the standing atoms that draw on several experiments."""
        standing = filter(stands, self.entries)
        return [entry for entry in standing if "source-experiments" in self.kind(entry).required]

    def kind(self, entry: Entry) -> Kind:
        """Give the row of an atom's kind."""
        return self.rows[entry.atom.kind]

    def is_report(self, entry: Entry) -> bool:
        """Tell whether an atom reports something tried."""
        return self.kind(entry).overturns

    def is_claim(self, entry: Entry) -> bool:
        """Tell whether an atom must name what it rests on: knowledge, patterns."""
        return not {*RESTS_ON}.isdisjoint(self.kind(entry).required)

    @staticmethod
    def is_anti_pattern(entry: Entry) -> bool:
        """Tell whether an atom warns of something: what it rests on is what failed."""
        return is_anti_pattern(entry.atom.text("summary"))

    def find(self, cited: str, project: str) -> Entry | None:
        """Give the entry that a ref means in a project."""
        ref = find_ref(cited, project, self.tree)
        return self.tree[ref] if ref else None

    def atom(self, cited: str, project: str) -> Atom | None:
        """Give the atom that a ref means in a project."""
        entry = self.find(cited, project)
        return entry.atom if entry else None


def stands(entry: Entry) -> bool:
    """Tell whether an atom is in the index's first table."""
    return entry.status.section is Section.ACTIVE


def is_unmarked(entry: Entry) -> bool:
    """Tell whether an atom stands, and nobody has said that it is to be read with care."""
    return stands(entry) and entry.status.word not in MARKED


def is_newer(one: Entry, other: Entry) -> bool:
    """Tell whether one atom is of a later day; of one day, whether its number is higher."""
    days = born(one.atom), born(other.atom)
    if days[0] != days[1] or one.atom.kind != other.atom.kind:
        return days[0] > days[1] > 0
    return number_of(one.ident) > number_of(other.ident)


def rests_on(entry: Entry) -> list[str]:
    """Name in full what an atom says that it rests on, each once, in its order."""
    found = (full_ref(cited, entry.atom.project) for cited, _ in grounds(entry.atom))
    return list(dict.fromkeys(found))


def links(entry: Entry) -> set[str]:
    """Name in full what an atom links to."""
    return {full_ref(cited, entry.atom.project) for cited in entry.atom.words("links")}


def tags(entry: Entry) -> list[str]:
    """Give an atom's first tags in lower case, each once."""
    return list(dict.fromkeys(tag.lower() for tag in entry.atom.words("tags")))[:TAGS]
