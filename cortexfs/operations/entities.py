"""List the entities that a tree mentions, and the atoms that mention them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.find.atom_filter import AtomFilter
from cortexfs.core.find.entities import ENTITY_ORDERS, ENTITY_SORTS
from cortexfs.core.text.nearest_names import nearest_names
from cortexfs.core.text.sanitize import to_one_line
from cortexfs.errors import Usage
from cortexfs.operations.shared.filters import require_known_filter_names
from cortexfs.session.view import NeededContents

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.find.entities import EntityCount, EntityFilter, Mention
    from cortexfs.session.session import Session
    from cortexfs.session.view import View


NO_FILTER = AtomFilter()
"""No filter."""


def entities(
    session: Session, sort: str = "", only: AtomFilter = NO_FILTER, limit: int = 50
) -> list[EntityCount]:
    """Return the entities mentioned by most matching atoms, of one sort or of all."""
    with session.read(NeededContents.TEXTS, drain=True) as view:
        _require_known_filters(view, sort, only)
        return view.text_queries().count_entities(sort, only, limit)


class EntityPage(NamedTuple):
    """A page of entities, the number that match, and how many there are of each sort.

    The counts of the sorts leave the chosen sort out: they say what another choice would give.
    """

    rows: Sequence[EntityCount]
    total: int
    sorts: Sequence[tuple[str, int]]


def browse_entities(session: Session, wanted: EntityFilter, limit: int, page: int) -> EntityPage:
    """Return a page of the entities that match; raises `Usage` for an unknown sort or order."""
    if wanted.order not in ENTITY_ORDERS:
        raise Usage("there is no such order", hint=f"orders are {', '.join(ENTITY_ORDERS)}")
    with session.read(NeededContents.TEXTS, drain=True) as view:
        _require_known_filters(view, wanted.sort, NO_FILTER)
        queries = view.text_queries()
        counts = queries.count_entities_by_sort(wanted.text)
        rows = queries.browse_entities(wanted, limit, (page - 1) * limit)
    total = counts.get(wanted.sort, 0) if wanted.sort else sum(counts.values())
    return EntityPage(rows, total, sorted(counts.items(), key=lambda each: (-each[1], each[0])))


def find_mentions(
    session: Session, name: str, sort: str = "", only: AtomFilter = NO_FILTER
) -> list[Mention]:
    """Return the matching atoms that mention a name; if none does, those with a similar name."""
    with session.read(NeededContents.TEXTS, drain=True) as view:
        _require_known_filters(view, sort, only)
        text = to_one_line(name)
        return view.text_queries().find_mentions(text, sort, only) if text else []


def _require_known_filters(view: View, sort: str, only: AtomFilter) -> None:
    if sort and sort not in ENTITY_SORTS:
        close = nearest_names(sort, ENTITY_SORTS)
        hint = f"did you mean `{close[0]}`?" if close else f"one of: {', '.join(ENTITY_SORTS)}"
        raise Usage(f"no entity type named `{sort}`", hint=hint)
    require_known_filter_names(view, only)
