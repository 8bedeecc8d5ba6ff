"""Health: the findings of check and doctor, each with what fixes it."""

from __future__ import annotations

import os
from itertools import islice
from typing import TYPE_CHECKING

from cortexfs.core.changes.plan import ExecutionMode
from cortexfs.core.checks.finding_codes import FINDING_CODES
from cortexfs.core.checks.fixes import FIXABLE_CODES
from cortexfs.interfaces.web.render_page import redirect, render
from cortexfs.operations.check import check, fix_tree
from cortexfs.operations.doctor import doctor

if TYPE_CHECKING:
    from starlette.responses import Response

    from cortexfs.interfaces.web.panel_request import PanelRequest

MAX_SHOWN = 300
"""Maximum number of findings on the page; the others are counted."""


def show_health(request: PanelRequest) -> Response:
    """Return the findings, of one code or of all, and the checks of the installation."""
    every = check(request.session, None)
    code = request.get("code")
    chosen = every.filter_code(code) if code else every
    return render(
        request,
        "health.html",
        found=every,
        counts=every.count_codes(),
        shown=list(islice(chosen.findings, MAX_SHOWN)),
        total=len(chosen.findings),
        code=code,
        codes=FINDING_CODES,
        fixable=FIXABLE_CODES,
        checks=doctor(request.session, os.environ),
    )


def show_summary(request: PanelRequest) -> Response:
    """Return how many findings there are, as a part of other pages."""
    found = check(request.session, None)
    return render(request, "health_summary.html", found=found, counts=found.count_codes())


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
