"""Health: the findings of check and doctor, each with what fixes it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from cortexfs.core.checks.finding_codes import FINDING_CODES
from cortexfs.interfaces.web.make_change import make_change
from cortexfs.interfaces.web.panel_request import choose_local_path
from cortexfs.interfaces.web.render_page import redirect_after, render
from cortexfs.operations.browse_findings import SORTS, FindingsRequest, browse_findings
from cortexfs.operations.check import fix_tree
from cortexfs.operations.doctor import doctor
from cortexfs.operations.fix_files import fix_files, list_indexes
from cortexfs.operations.list_findings import list_findings
from cortexfs.operations.renumber import renumber

if TYPE_CHECKING:
    from starlette.responses import Response

    from cortexfs.core.changes.execution_mode import ExecutionMode
    from cortexfs.core.changes.plan import Outcome, PlannerResult
    from cortexfs.interfaces.web.make_change import MadeChange
    from cortexfs.interfaces.web.panel_request import PanelRequest
    from cortexfs.session.session import Session


def show_health(request: PanelRequest) -> Response:
    """Return the findings that match, of all."""
    sort = request.get("sort", SORTS[0])
    asked = FindingsRequest(
        request.get("q"),
        request.get("code"),
        request.get("severity"),
        request.get("project"),
        request.get("remedy"),
        sort if sort in SORTS else SORTS[0],
        max(1, request.number("page")),
    )
    found = request.results.get(
        asked, lambda: browse_findings(request.session, asked), of_files_alone=True
    )
    return render(
        request,
        "health.html",
        found=found,
        asked=asked,
        last_page=max(1, -(-found.total // asked.page_size)),
        sorts=SORTS,
        codes=FINDING_CODES,
    )


def show_summary(request: PanelRequest) -> Response:
    """Return how many findings there are, as a part of other pages."""
    found = request.results.get(
        "findings", lambda: list_findings(request.session, None, limit=0), of_files_alone=True
    )
    return render(request, "health_summary.html", found=found)


def show_doctor(request: PanelRequest) -> Response:
    """Return the checks of the installation, as a part of the page."""
    return render(request, "doctor.html", checks=doctor(request.session, os.environ))


def fix_findings(request: PanelRequest) -> Response:
    """Fix what has one right answer, in some files or in `all`, or show what that would change."""
    paths = tuple(dict.fromkeys(request.form.get("ref", ())))
    is_all = request.field("all") == "yes"

    def fix(session: Session, mode: ExecutionMode) -> Outcome:
        if is_all:
            return fix_tree(session, None, mode=mode)
        return fix_files(session, paths, mode=mode)

    made = make_change(request, fix)
    if made.is_preview:
        return _show_plan(request, made, "Fix findings")
    return redirect_after(_find_back(request), made.result)


def renumber_atom(request: PanelRequest) -> Response:
    """Give an atom whose id another one has the next free id, or show what that would change."""
    path = request.field("ref")
    made = make_change(request, lambda session, mode: renumber(session, path, "", "/", mode=mode))
    if made.is_preview:
        return _show_plan(request, made, "Give another id")
    return redirect_after(_find_back(request), made.result.outcome)


def _find_back(request: PanelRequest) -> str:
    return choose_local_path(request.field("back"), "/findings")


def _show_plan(request: PanelRequest, made: MadeChange[PlannerResult], title: str) -> Response:
    """Return a plan with the form that makes the change."""
    return render(
        request,
        "plan.html",
        made.status,
        made=made,
        plan=made.result.plan,
        paths=(paths := request.form.get("ref", [])),
        is_all=request.field("all") == "yes",
        indexes=list_indexes(paths),
        back=_find_back(request),
        title=title,
    )
