"""Home: what happened since you were here, what is read, and what waits for a decision."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from cortexfs.core.find.atom_filter import AtomFilter
from cortexfs.interfaces.web.panel_request import VISIT_COOKIE
from cortexfs.interfaces.web.reads_chart import make_heat_map
from cortexfs.interfaces.web.render_page import format_number, render
from cortexfs.operations.browse_atoms import read_origins
from cortexfs.operations.summarize_activity import MAX_COUNTED_COLD, summarize_activity
from cortexfs.operations.summarize_open_work import summarize_open_work

if TYPE_CHECKING:
    from starlette.responses import Response

    from cortexfs.interfaces.web.panel_request import PanelRequest

LAST_WEEK = timedelta(days=7)
PAUSE = timedelta(minutes=30)
"""Time without a request after which the next one is a new visit."""
TABS = ("newest", "hot", "cold", "challenged")
COOKIE_S = 90 * 24 * 3600
_FORM = "%Y-%m-%dT%H:%M:%SZ"


def show_home(request: PanelRequest) -> Response:
    """Return the page, and remember the visit in a cookie: the end of the one before, and now."""
    now = request.session.clock()
    before, is_first = _parse_visit(request, now)
    activity = request.results.get(
        ("activity", before), lambda: summarize_activity(request.session, before)
    )
    work = request.results.get("work", lambda: summarize_open_work(request.session, AtomFilter()))
    rows = (*activity.hot, *activity.cold, *work.decisions, *work.challenged)
    origins = request.results.get(
        ("origins", before), lambda: read_origins(request.session, [row.path for row in rows])
    )
    answer = render(
        request,
        "home.html",
        origins=origins,
        activity=activity,
        heat=make_heat_map(activity.days),
        since=before,
        is_first_visit=is_first,
        work=work,
        tab=_choose_tab(request),
        tabs={
            "newest": ("Newest", ""),
            "hot": ("Hot", ""),
            "cold": ("Cold", _format_capped(activity.cold_count)),
            "challenged": ("Challenged", _format_capped(work.challenged_count, None)),
        },
    )
    value = f"{'' if is_first else before}.{now:{_FORM}}"
    answer.set_cookie(VISIT_COOKIE, value, COOKIE_S, httponly=True, samesite="strict")
    return answer


def _choose_tab(request: PanelRequest) -> str:
    chosen = request.get("tab")
    return chosen if chosen in TABS else TABS[0]


def _format_capped(count: int, limit: int | None = MAX_COUNTED_COLD) -> str:
    """Return a count that is not counted beyond a limit; empty for none."""
    more = "+" if limit is not None and count >= limit else ""
    return f"{format_number(count)}{more}" if count else ""


def _parse_visit(request: PanelRequest, now: datetime) -> tuple[str, bool]:
    """Return when the visit before this one ended, and whether there was none."""
    before, _, last = request.cookies.get(VISIT_COOKIE, "").partition(".")
    try:
        if now - _parse(last, now) > PAUSE:
            before = last
        return f"{_parse(before, now):{_FORM}}", False
    except ValueError:
        return f"{now - LAST_WEEK:%Y-%m-%d}T00:00:00Z", True


def _parse(text: str, now: datetime) -> datetime:
    return datetime.strptime(text, _FORM).replace(tzinfo=now.tzinfo)
