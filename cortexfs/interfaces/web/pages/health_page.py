"""Health: the findings of check and doctor, each with what fixes it."""

from __future__ import annotations

import os
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.checks.finding_codes import FINDING_CODES, get_severity
from cortexfs.interfaces.web.make_change import make_change
from cortexfs.interfaces.web.panel_request import choose_local_path
from cortexfs.interfaces.web.render_page import redirect_after, render
from cortexfs.operations.check import fix_tree
from cortexfs.operations.doctor import doctor
from cortexfs.operations.fix_files import (
    Remedy,
    find_named,
    find_remedy,
    fix_files,
    list_indexes,
)
from cortexfs.operations.list_findings import list_findings
from cortexfs.operations.renumber import renumber

if TYPE_CHECKING:
    from starlette.responses import Response

    from cortexfs.core.atoms.atom import Finding
    from cortexfs.core.atoms.kinds import Kinds
    from cortexfs.core.changes.plan import ExecutionMode, Outcome, PlannerResult
    from cortexfs.interfaces.web.make_change import MadeChange
    from cortexfs.interfaces.web.panel_request import PanelRequest
    from cortexfs.operations.list_findings import FindingPage
    from cortexfs.session.session import Session

MAX_KEPT = 20_000
"""Maximum number of findings that are kept between requests."""
PAGE_SIZE = 100
FACETS = ("code", "severity", "project", "remedy")
SORTS = ("path", "code", "severity")
PROJECT_STEPS = 2
"""Number of steps of the path of a project's folder."""


class ShownFinding(NamedTuple):
    """A finding with its severity, its project (empty: the tree) and what ends it.

    `named` is the ref or id that its message names first.
    """

    finding: Finding
    severity: str
    project: str
    remedy: Remedy
    named: str

    @property
    def code(self) -> str:
        """Its code."""
        return self.finding.code


class SelectedFindings(NamedTuple):
    """The findings that match, in their order, and the counts of all by facet."""

    chosen: list[ShownFinding]
    facets: dict[str, list[tuple[str, int]]]


def show_health(request: PanelRequest) -> Response:
    """Return the findings that match, of all."""
    every = _find_all(request)
    key = ("health", request.link(page=None))
    found = request.results.get(key, lambda: _select(_find_all(request), request))
    page, total = max(1, request.number("page")), len(found.chosen)
    return render(
        request,
        "health.html",
        found=every,
        shown=found.chosen[(page - 1) * PAGE_SIZE : page * PAGE_SIZE],
        total=total,
        page=page,
        last_page=max(1, -(-total // PAGE_SIZE)),
        facets=found.facets,
        sorts=SORTS,
        codes=FINDING_CODES,
    )


def _select(every: FindingPage, request: PanelRequest) -> SelectedFindings:
    kinds = request.session.kinds
    rows = [_describe(each, kinds) for each in every.findings]
    chosen = [row for row in rows if _matches(row, request)]
    if (sort := request.get("sort")) in SORTS[1:]:
        chosen.sort(key=lambda row: (getattr(row, sort), row.finding))
    return SelectedFindings(chosen, {name: _count(rows, request, name) for name in FACETS})


def _describe(finding: Finding, kinds: Kinds) -> ShownFinding:
    steps = finding.path.split("/")
    project = steps[1] if steps[0] == "projects" and len(steps) > PROJECT_STEPS else ""
    severity = get_severity(finding.code)
    return ShownFinding(
        finding, severity, project, find_remedy(finding, kinds), find_named(finding)
    )


def _matches(row: ShownFinding, request: PanelRequest, without: str = "") -> bool:
    for name in FACETS:
        wanted = request.get(name)
        if wanted and name != without and getattr(row, name) != wanted:
            return False
    text = f"{row.finding.path} {row.finding.message}".casefold()
    return request.get("q").strip().casefold() in text


def _count(rows: list[ShownFinding], request: PanelRequest, name: str) -> list[tuple[str, int]]:
    """Return the values of a facet with their numbers, whatever is chosen in it."""
    counts = Counter(str(getattr(row, name)) for row in rows if _matches(row, request, name))
    return sorted(counts.items(), key=lambda each: (-each[1], each[0]))


def show_summary(request: PanelRequest) -> Response:
    """Return how many findings there are, as a part of other pages."""
    return render(request, "health_summary.html", found=_find_all(request))


def show_doctor(request: PanelRequest) -> Response:
    """Return the checks of the installation, as a part of the page."""
    return render(request, "doctor.html", checks=doctor(request.session, os.environ))


def _find_all(request: PanelRequest) -> FindingPage:
    return request.results.get(
        "findings",
        lambda: list_findings(request.session, None, limit=MAX_KEPT),
        of_files_alone=True,
    )


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
