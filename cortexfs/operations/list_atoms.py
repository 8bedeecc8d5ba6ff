"""Filter atoms by frontmatter and reads, and sort them."""

from __future__ import annotations

from enum import StrEnum
from heapq import nlargest, nsmallest
from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple, Protocol

from cortexfs.core.atoms.lifecycle import IndexMdSection
from cortexfs.core.find.atom_filter import AtomFilter
from cortexfs.core.indexes.atom_with_reads import (
    HOT_READ_COUNT,
    AtomWithReads,
    date_ordinal_of_atom,
    parse_id_number,
    second_of_atom,
)
from cortexfs.operations.shared.filters import require_known_filter_names

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import date

    from cortexfs.session.session import Session
    from cortexfs.session.view import View

    Key = tuple[int | str, ...]

MAX_LOADED_ENTRIES = 20_000
"""Number of atoms from which they are sorted in a temporary file, as each takes 3 KiB."""
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


class Entries(Protocol):
    """Atoms in an order: a list, or more than fit into memory."""

    def __iter__(self) -> Iterator[AtomWithReads]:
        """Yield the atoms, each time it is called."""

    def __len__(self) -> int:
        """Return their number."""


def list_atoms(
    session: Session,
    selection: AtomCriteria,
    sort: SortKey = SortKey.READS,
    *,
    reverse: bool = False,
    limit: int | None = None,
) -> Entries:
    """Return the chosen atoms, by default in the order of an index: most read first.

    Raises for a kind, project, status or tag that does not exist.
    """
    with session.read(drain=True) as view:
        return sort_atoms(view, select_atoms(view, selection), sort, reverse=reverse, limit=limit)


def select_atoms(view: View, selection: AtomCriteria) -> Iterator[AtomWithReads]:
    """Return the chosen atoms of a view; raises for a name that does not exist."""
    require_known_filter_names(view, selection.only)
    today = view.clock().date()
    kinds = dict.fromkeys(selection.only.kinds) or ("",)
    entries = chain.from_iterable(map(view.queries.iter_all_entries, kinds))
    return (entry for entry in entries if _is_selected(entry, selection, today))


def sort_atoms(
    view: View,
    entries: Iterator[AtomWithReads],
    sort: SortKey,
    *,
    reverse: bool = False,
    limit: int | None = None,
) -> Entries:
    """Return atoms in order: most read, newest, or first by id, status or title; ties by reads."""
    make_key = _SORT_KEYS[sort]

    def make_full_key(entry: AtomWithReads) -> Key:
        return (*make_key(entry), *entry.sort_key)

    if limit is not None and limit <= MAX_LOADED_ENTRIES:
        return (nlargest if reverse else nsmallest)(limit, entries, make_full_key)
    if len(first := list(islice(entries, MAX_LOADED_ENTRIES))) < MAX_LOADED_ENTRIES:
        return sorted(first, key=make_full_key, reverse=reverse)
    keyed = ((make_full_key(entry), entry) for entry in chain(first, entries))
    return view.store_entries(keyed, is_reversed=reverse, limit=limit)


def count_unreadable(view: View) -> int:
    """Return how many files `list_atoms` left out because they cannot be read."""
    return view.catalog.count_unreadable()


def _id_sort_key(entry: AtomWithReads) -> tuple[str, str, int, str]:
    ident = entry.ident
    return entry.atom.project, ident.partition("-")[0], parse_id_number(ident), ident


_SORT_KEYS: dict[SortKey, Callable[[AtomWithReads], Key]] = {
    SortKey.READS: lambda _: (),
    SortKey.DATE: lambda entry: (-date_ordinal_of_atom(entry.atom), -second_of_atom(entry.atom)),
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
