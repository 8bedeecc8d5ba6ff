"""Filter atoms by frontmatter and reads, and sort them."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.lifecycle import IndexMdSection
from cortexfs.core.find.atom_filter import AtomFilter
from cortexfs.core.indexes.atom_with_reads import (
    HOT_READ_COUNT,
    AtomWithReads,
    date_ordinal_of_atom,
    parse_id_number,
)
from cortexfs.operations.shared.filters import require_known_filter_names

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import date

    from cortexfs.session.session import Session
    from cortexfs.session.view import View

NO_FILTER = AtomFilter()
"""No filter."""


class SortKey(StrEnum):
    """The sort key of a list."""

    READS = "reads"
    DATE = "date"
    ID = "id"
    STATUS = "status"
    TITLE = "title"


class AtomCriteria(NamedTuple):
    """Conditions on an atom; an empty one matches every atom."""

    only: AtomFilter = NO_FILTER
    hot: bool = False
    cold: bool = False


def list_atoms(
    session: Session,
    selection: AtomCriteria,
    sort: SortKey = SortKey.READS,
    *,
    reverse: bool = False,
) -> list[AtomWithReads]:
    """Return the chosen atoms, by default in the order of an index: most read first.

    Raises for a kind, project, status or tag that does not exist.
    """
    with session.read(drain=True) as view:
        return sort_atoms(select_atoms(view, selection), sort, reverse=reverse)


def select_atoms(view: View, selection: AtomCriteria) -> list[AtomWithReads]:
    """Return the chosen atoms of a view; raises for a name that does not exist."""
    require_known_filter_names(view, selection.only)
    today = view.clock().date()
    return [
        entry for entry in view.queries.iter_all_entries() if _is_selected(entry, selection, today)
    ]


def sort_atoms(
    entries: Iterable[AtomWithReads], sort: SortKey, *, reverse: bool = False
) -> list[AtomWithReads]:
    """Return atoms in order: most read, newest, or first by id, status or title; ties by reads."""
    ordered = sorted(entries, key=lambda entry: entry.sort_key)
    if sort is not SortKey.READS:
        ordered.sort(key=_SORT_KEYS[sort])
    return ordered[::-1] if reverse else ordered


def count_unreadable(view: View) -> int:
    """Return how many files `list_atoms` left out because they cannot be read."""
    return view.catalog.count_unreadable()


def _id_sort_key(entry: AtomWithReads) -> tuple[str, str, int, str]:
    ident = entry.ident
    return entry.atom.project, ident.partition("-")[0], parse_id_number(ident), ident


_SORT_KEYS: dict[SortKey, Callable[[AtomWithReads], tuple[object, ...]]] = {
    SortKey.DATE: lambda entry: (-date_ordinal_of_atom(entry.atom),),
    SortKey.ID: _id_sort_key,
    SortKey.STATUS: lambda entry: (
        list(IndexMdSection).index(entry.status.section),
        str(entry.status),
    ),
    SortKey.TITLE: lambda entry: (entry.atom.text_field("summary").casefold(),),
}


def _is_selected(entry: AtomWithReads, choice: AtomCriteria, today: date) -> bool:
    active = entry.status.section is IndexMdSection.ACTIVE
    return (
        (choice.only is NO_FILTER or choice.only.matches(entry))
        and (not choice.hot or (active and entry.reads.read_count >= HOT_READ_COUNT))
        and (not choice.cold or (active and entry.is_cold(today)))
    )
