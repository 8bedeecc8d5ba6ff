"""Choose atoms by what their frontmatter and their reads say, and put them in order."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.lifecycle import Section
from cortexfs.core.find.filters import Only
from cortexfs.core.indexes.index_entry import HOT, Entry, born, number_of
from cortexfs.operations.shared.filters import require_known

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import date

    from cortexfs.session.session import Session
    from cortexfs.session.view import View

EVERY = Only()
"""No filter."""


class Sort(StrEnum):
    """What a list is ordered by."""

    READS = "reads"
    DATE = "date"
    ID = "id"
    STATUS = "status"
    TITLE = "title"


class Choice(NamedTuple):
    """What must be true of an atom; what is empty asks for nothing."""

    only: Only = EVERY
    hot: bool = False
    cold: bool = False


def list_atoms(
    session: Session, choice: Choice, sort: Sort = Sort.READS, *, reverse: bool = False
) -> list[Entry]:
    """Return the chosen atoms, by default in the order of an index: most read first.

    Raises for a kind, project, status or tag that does not exist.
    """
    with session.read(drain=True) as view:
        return sort_atoms(choose(view, choice), sort, reverse=reverse)


def choose(view: View, choice: Choice) -> list[Entry]:
    """Return the chosen atoms of a view; raises for a name that does not exist."""
    require_known(view, choice.only)
    today = view.clock().date()
    return [entry for entry in view.facts.all_entries() if _fits(entry, choice, today)]


def sort_atoms(entries: Iterable[Entry], sort: Sort, *, reverse: bool = False) -> list[Entry]:
    """Return atoms in order: most read, newest, or first by id, status or title; ties by reads."""
    ordered = sorted(entries, key=lambda entry: entry.order)
    if sort is not Sort.READS:
        ordered.sort(key=_KEYS[sort])
    return ordered[::-1] if reverse else ordered


def unreadable(view: View) -> int:
    """Count the files that no list can name, as they cannot be read; after `list_atoms`."""
    return view.catalog.unreadable()


def _by_id(entry: Entry) -> tuple[str, str, int, str]:
    ident = entry.ident
    return entry.atom.project, ident.partition("-")[0], number_of(ident), ident


_KEYS: dict[Sort, Callable[[Entry], tuple[object, ...]]] = {
    Sort.DATE: lambda entry: (-born(entry.atom),),
    Sort.ID: _by_id,
    Sort.STATUS: lambda entry: (list(Section).index(entry.status.section), str(entry.status)),
    Sort.TITLE: lambda entry: (entry.atom.text("summary").casefold(),),
}


def _fits(entry: Entry, choice: Choice, today: date) -> bool:
    active = entry.status.section is Section.ACTIVE
    return (
        (choice.only is EVERY or choice.only.matches(entry))
        and (not choice.hot or (active and entry.total.refs >= HOT))
        and (not choice.cold or (active and entry.cold(today)))
    )
