"""All: one searchable list of everything that is stored, to select many and change them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.kinds import DECISION_KIND
from cortexfs.core.atoms.lifecycle import STATUS_TRANSITIONS
from cortexfs.core.text.plural import format_count
from cortexfs.errors import Usage
from cortexfs.interfaces.web.make_change import make_change
from cortexfs.interfaces.web.panel_request import choose_local_path, parse_values
from cortexfs.interfaces.web.render_page import redirect_after, render
from cortexfs.operations.browse_atoms import (
    MAX_SELECTED,
    SORTS,
    BrowsePage,
    BrowseRequest,
    browse_atoms,
    list_matching_refs,
)
from cortexfs.operations.change_several import SeveralRequest, change_several
from cortexfs.operations.shared.filters import parse_filters

if TYPE_CHECKING:
    from starlette.responses import Response

    from cortexfs.interfaces.web.panel_request import PanelRequest

FILTERS = ("q", "kind", "project", "status", "origin", "tag", "since", "until", "archived")
PAGE_SIZES = (50, 100, 200)
DECISION_VERDICTS = ("accepted", "rejected")


class ActiveFilter(NamedTuple):
    """A filter that is set, and the address without it."""

    name: str
    value: str
    without: str


def show_all(request: PanelRequest) -> Response:
    """Return the list with its filters and counts."""
    asked = parse_browse_request(request)
    page = browse(request, asked)
    active = [
        ActiveFilter(name, value, request.link(**{name: None}, page=None))
        for name in FILTERS
        for value in request.list_values(name)
    ]
    return render(
        request,
        "all.html",
        active=active,
        **make_list_values(asked, page),
    )


def make_list_values(asked: BrowseRequest, page: BrowsePage) -> dict[str, object]:
    """Return what a template needs to show a page of atoms that can be selected."""
    return {
        "asked": asked,
        "page": page,
        "last_page": max(1, -(-page.total // asked.page_size)),
        "page_sizes": PAGE_SIZES,
        "marks": DECISION_VERDICTS
        if DECISION_KIND in asked.only.kinds
        else tuple(STATUS_TRANSITIONS),
        "max_selected": MAX_SELECTED,
    }


def browse(request: PanelRequest, asked: BrowseRequest) -> BrowsePage:
    """Return a page of the list."""
    return request.results.get(("browse", asked), lambda: browse_atoms(request.session, asked))


def parse_browse_request(request: PanelRequest) -> BrowseRequest:
    """Return the filters, the order and the page in an address; raises `Usage`."""
    sort, order = request.get("sort", "date"), request.get("order")
    return BrowseRequest(
        parse_filters(
            request.session,
            kinds=request.list_values("kind"),
            projects=request.list_values("project"),
            statuses=request.list_values("status"),
            tags=request.list_values("tag"),
            since=request.get("since"),
            until=request.get("until"),
        ),
        request.get("q").strip(),
        request.list_values("origin"),
        request.get("archived") == "yes",
        sort,
        SORTS.get(sort, True) if order not in {"up", "down"} else order == "down",
        request.number("page"),
        request.number("size", PAGE_SIZES[0]),
    )


def change_selected(request: PanelRequest) -> Response:
    """Change the selected atoms, or show what would change; both answer with what was refused."""
    back = choose_local_path(request.field("back"), "/all")
    wanted = SeveralRequest(
        _list_selected(request), request.field("change"), "", request.field("reason")
    )
    return answer_several(request, wanted, back)


def answer_several(request: PanelRequest, wanted: SeveralRequest, back: str) -> Response:
    """Change some atoms, or show what would change; name what was refused."""
    if not wanted.change:
        raise Usage("no change is chosen", hint="choose what to do with the selected atoms")
    made = make_change(request, lambda session, mode: change_several(session, wanted, mode=mode))
    result = made.result
    if not made.is_preview and not result.refused:
        return redirect_after(back, result.outcome)
    shown = {"made": made, "result": result, "wanted": wanted, "back": back}
    return render(request, "changed.html", made.status, **shown)


def _list_selected(request: PanelRequest) -> tuple[str, ...]:
    """Return the selected refs, or all that match the filters of the list."""
    if request.field("everything") != "yes":
        return tuple(dict.fromkeys(request.form.get("ref", ())))
    shown = request.field("filters")
    if not shown.startswith("/"):
        raise Usage("it is not said what all matches are", hint="load the page again")
    query = parse_values(shown.partition("?")[2])
    refs = list_matching_refs(request.session, parse_browse_request(request._replace(query=query)))
    if len(refs) > MAX_SELECTED:
        raise Usage(
            f"more than {format_count(MAX_SELECTED, 'atom')} match", hint="filter the list further"
        )
    return tuple(refs)
