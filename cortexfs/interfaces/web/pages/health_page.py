"""Health: the findings of check and doctor, each with what fixes it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from cortexfs.core.changes.plan import ExecutionMode
from cortexfs.core.checks.finding_codes import FINDING_CODES
from cortexfs.core.checks.fixes import FIXABLE_CODES
from cortexfs.interfaces.web.render_page import redirect, render
from cortexfs.operations.check import fix_tree
from cortexfs.operations.doctor import doctor
from cortexfs.operations.list_findings import list_findings

if TYPE_CHECKING:
    from starlette.responses import Response

    from cortexfs.interfaces.web.panel_request import PanelRequest
    from cortexfs.operations.list_findings import FindingPage

MAX_SHOWN = 300
"""Maximum number of findings on the page; the others are counted."""


def show_health(request: PanelRequest) -> Response:
    """Return the findings, of one code or of all."""
    code = request.get("code")
    found = _list_findings(request, code)
    return render(
        request,
        "health.html",
        found=found,
        total=dict(found.counts).get(code, 0) if code else found.errors + found.warnings,
        code=code,
        codes=FINDING_CODES,
        fixable=FIXABLE_CODES,
    )


def show_summary(request: PanelRequest) -> Response:
    """Return how many findings there are, as a part of other pages."""
    return render(request, "health_summary.html", found=_list_findings(request))


def show_doctor(request: PanelRequest) -> Response:
    """Return the checks of the installation, as a part of the page."""
    return render(request, "doctor.html", checks=doctor(request.session, os.environ))


def _list_findings(request: PanelRequest, code: str = "") -> FindingPage:
    return request.results.get(
        ("findings", code),
        lambda: list_findings(request.session, None, code=code, limit=MAX_SHOWN),
    )


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
