"""Health: the findings of check and doctor, each with what fixes it."""

from __future__ import annotations

import os
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.changes.plan import ExecutionMode
from cortexfs.core.checks.finding_codes import FINDING_CODES
from cortexfs.core.checks.fixes import FIXABLE_CODES
from cortexfs.interfaces.web.render_page import redirect, render
from cortexfs.operations.check import check, fix_tree
from cortexfs.operations.doctor import doctor

if TYPE_CHECKING:
    from starlette.responses import Response

    from cortexfs.core.atoms.atom import Finding
    from cortexfs.interfaces.web.panel_request import PanelRequest
    from cortexfs.session.session import Session

MAX_KEPT = 20_000
"""Maximum number of findings that are kept between requests."""
MAX_SHOWN = 300
"""Maximum number of findings on the page; the others are counted."""


class KnownFindings(NamedTuple):
    """The findings of a tree, at most `MAX_KEPT`, and the numbers of all."""

    findings: tuple[Finding, ...]
    counts: list[tuple[str, int]]
    errors: int
    warnings: int


def show_health(request: PanelRequest) -> Response:
    """Return the findings, of one code or of all."""
    every, code = _find_all(request), request.get("code")
    chosen = [each for each in every.findings if code in {"", each.code}]
    return render(
        request,
        "health.html",
        found=every,
        shown=chosen[:MAX_SHOWN],
        total=dict(every.counts).get(code, 0) if code else every.errors + every.warnings,
        code=code,
        codes=FINDING_CODES,
        fixable=FIXABLE_CODES,
    )


def show_summary(request: PanelRequest) -> Response:
    """Return how many findings there are, as a part of other pages."""
    return render(request, "health_summary.html", found=_find_all(request))


def show_doctor(request: PanelRequest) -> Response:
    """Return the checks of the installation, as a part of the page."""
    return render(request, "doctor.html", checks=doctor(request.session, os.environ))


def _find_all(request: PanelRequest) -> KnownFindings:
    return request.results.get("findings", lambda: _check(request.session))


def _check(session: Session) -> KnownFindings:
    found = check(session, None)
    kept = tuple(islice(found.findings, MAX_KEPT))
    return KnownFindings(kept, found.count_codes(), found.errors, found.warnings)


def fix_findings(request: PanelRequest) -> Response:
    """Fix what has one right answer, or show what that would change."""
    is_preview = request.field("step") == "preview"
    mode = ExecutionMode.DRY_RUN if is_preview else ExecutionMode.COMMIT
    outcome = fix_tree(request.session, None, mode=mode)
    if is_preview:
        return render(
            request, "plan.html", plan=outcome.plan, back="/findings", title="Fix findings"
        )
    return redirect("/findings", outcome.commits[-1] if outcome.commits else "")
