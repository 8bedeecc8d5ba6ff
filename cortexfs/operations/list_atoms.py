"""Filter atoms by frontmatter and reads, and sort them."""

from __future__ import annotations

from functools import partial
from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple, Protocol

from cortexfs.core.find.atom_criteria import SortKey
from cortexfs.operations.shared.filters import require_known_filter_names

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cortexfs.core.find.atom_criteria import AtomCriteria
    from cortexfs.core.indexes.atom_with_reads import AtomWithReads
    from cortexfs.session.session import Session
    from cortexfs.session.view import View

MAX_LOADED_ENTRIES = 20_000
"""Number of atoms from which they are in a temporary file, as each takes 3 KiB."""


class Entries(Protocol):
    """Atoms in an order: a list, or more than fit into memory."""

    def __iter__(self) -> Iterator[AtomWithReads]:
        """Yield the atoms, each time it is called."""

    def __len__(self) -> int:
        """Return their number."""


class AtomPage(NamedTuple):
    """Some atoms of a list, the position of the first (from 0 on), and the number of all.

    `unreadable` files are in no list.
    """

    atoms: list[AtomWithReads]
    start: int
    total: int
    unreadable: int


def list_atoms(
    session: Session,
    wanted: AtomCriteria,
    sort: SortKey = SortKey.READS,
    *,
    reverse: bool = False,
    limit: int | None = None,
) -> Entries:
    """Return the chosen atoms, by default in the order of an index: most read first.

    Raises for a kind, project, status or tag that does not exist.
    """
    with session.read(drain=True) as view:
        require_known_filter_names(view, wanted.only)
        entries = view.entries.iter_entries(wanted, sort, reverse=reverse, limit=limit)
        if len(first := list(islice(entries, MAX_LOADED_ENTRIES))) < MAX_LOADED_ENTRIES:
            return first
        return view.store_entries(chain(first, entries))


def list_atom_page(
    session: Session,
    wanted: AtomCriteria,
    sort: SortKey = SortKey.READS,
    *,
    reverse: bool = False,
    limit: int,
    after: tuple[str, int] = ("", 0),
) -> AtomPage:
    """Return a part of what `list_atoms` returns: what follows the atom with a path.

    `after` is that path, and where the atom was in the list (from 1 on). If the atom is elsewhere,
    the part begins there; if it has gone, at its place.
    """
    with session.read(drain=True) as view:
        require_known_filter_names(view, wanted.only)
        take = partial(view.entries.iter_entries, wanted, sort, reverse=reverse)
        path, start = after
        if path:
            known = next(take(limit=1, offset=max(start - 1, 0)), None)
            if known is None or known.atom.path != path:
                found = view.entries.find_position(path, wanted, sort, reverse=reverse)
                start = found or max(start - 1, 0)
        atoms = list(take(limit=limit, offset=start))
        return AtomPage(atoms, start, view.entries.count(wanted), count_unreadable(view))


def count_unreadable(view: View) -> int:
    """Return how many files `list_atoms` left out because they cannot be read."""
    return view.catalog.count_unreadable()
