"""Cortex: the bulletin, the daemon, what agents run, what maintenance did and what it proposes."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple, Protocol

from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.errors import Usage
from cortexfs.interfaces.web.make_change import make_change
from cortexfs.interfaces.web.older_results import Shown
from cortexfs.interfaces.web.render_page import redirect_after, render
from cortexfs.operations.accept_merge_proposal import accept_merge_proposal
from cortexfs.operations.answer_pattern import accept_proposal, reject_pattern
from cortexfs.operations.brief import brief
from cortexfs.operations.daemon_status import load_daemon_status
from cortexfs.operations.detect_patterns import detect_patterns
from cortexfs.operations.list_maintenance_changes import list_maintenance_changes
from cortexfs.operations.list_merge_proposals import list_merge_proposals, needed_contents
from cortexfs.operations.list_processes import list_processes
from cortexfs.operations.reject_merge_proposal import reject_merge_proposal
from cortexfs.operations.run_maintenance import run_maintenance
from cortexfs.operations.shared.resolve_names import require_project
from cortexfs.session.view import NeededContents

if TYPE_CHECKING:
    from starlette.responses import Response

    from cortexfs.core.changes.plan import Outcome, Plan
    from cortexfs.core.daemon.daemon_state import JobState
    from cortexfs.interfaces.web.make_change import MadeChange
    from cortexfs.interfaces.web.panel_request import PanelRequest
    from cortexfs.operations.accept_merge_proposal import AcceptedProposal
    from cortexfs.operations.daemon_status import DaemonStatus
    from cortexfs.operations.list_merge_proposals import MergeProposals
    from cortexfs.operations.reject_merge_proposal import RejectedProposal
    from cortexfs.session.session import Session

MAX_MERGES_SHOWN = 20
MAX_PROCESSES_SHOWN = 100
ACCEPT, REJECT = "accept", "reject"


class DoneChange(Protocol):
    """The result of an operation that makes one plan."""

    @property
    def plan(self) -> Plan:
        """The plan."""

    @property
    def outcome(self) -> Outcome | None:
        """The outcome (None: a dry run)."""


class JobRow(NamedTuple):
    """One job as shown; times are ISO 8601, empty if never."""

    name: str
    last: str
    following: str
    runs: int
    failures: int
    state: str
    error: str


def show_cortex(request: PanelRequest) -> Response:
    """Return the page; proposals and the bulletin, which take longer, are parts of their own."""
    session, project = request.session, request.get("project")
    if project:
        require_project(session, project)
    status = load_daemon_status(session)
    processes = list_processes(session, show_all=request.get("ended") == "yes")
    return render(
        request,
        "cortex.html",
        project=project,
        projects=session.tree.list_projects(),
        status=status,
        since=_to_iso(status.state.since),
        bulletin_at=_to_iso(status.state.warm_up.bulletin_at),
        jobs=[_make_row(each, status) for each in status.state.jobs],
        processes=processes[:MAX_PROCESSES_SHOWN],
        process_count=len(processes),
        work=list_maintenance_changes(session),
    )


def show_bulletin(request: PanelRequest) -> Response:
    """Return the bulletin of a project, or of the tree, as a part of the page."""
    project = request.get("project")
    shown = request.older.get(("brief", project), lambda: brief(request.session, project))
    return render(request, "cortex_bulletin.html", brief=shown.result, as_of=shown.as_of)


def show_proposals(request: PanelRequest) -> Response:
    """Return what waits for an answer: merges of memories, and preferences."""
    shown = _list_merges(request, MAX_MERGES_SHOWN)
    return render(
        request,
        "cortex_proposals.html",
        merges=shown.result,
        as_of=shown.as_of,
        patterns=detect_patterns(request.session, ExecutionMode.DRY_RUN),
    )


def show_proposal_counts(request: PanelRequest) -> Response:
    """Return how many proposals wait, as a part of other pages."""
    shown = _list_merges(request, 0)
    return render(
        request,
        "proposal_counts.html",
        merges=shown.result.total,
        as_of=shown.as_of,
        preferences=len(detect_patterns(request.session, ExecutionMode.DRY_RUN).proposals),
    )


def _list_merges(request: PanelRequest, limit: int) -> Shown[MergeProposals]:
    """Return proposals; those that vectors find may be others although no file has changed."""

    def list_merges() -> MergeProposals:
        return list_merge_proposals(request.session, None, limit)

    if needed_contents(request.session) is not NeededContents.ATOMS:
        return Shown(list_merges())
    return request.older.get(("merges", limit), list_merges)


def decide_merge(request: PanelRequest) -> Response:
    """Accept or reject the merge of two memories, or show what that would change."""
    ident, keep = request.field("proposal"), request.field("keep")
    is_accepted = _read_answer(request) == ACCEPT

    def decide(session: Session, mode: ExecutionMode) -> AcceptedProposal | RejectedProposal:
        if is_accepted:
            return accept_merge_proposal(session, ident, keep, mode=mode)
        return reject_merge_proposal(session, ident, mode=mode)

    return _answer(request, make_change(request, decide))


def decide_preference(request: PanelRequest) -> Response:
    """Accept or reject a preference, or show what that would change."""
    ident = request.field("proposal")
    decide = accept_proposal if _read_answer(request) == ACCEPT else reject_pattern
    made = make_change(request, lambda session, mode: decide(session, ident, mode=mode))
    return _answer(request, made)


def run(request: PanelRequest) -> Response:
    """Run maintenance, or show what that would change."""
    return _answer(request, make_change(request, run_maintenance))


def _read_answer(request: PanelRequest) -> str:
    answer = request.field("answer")
    if answer not in {ACCEPT, REJECT}:
        raise Usage("no answer is chosen", hint="accept or reject the proposal")
    return answer


def _answer(request: PanelRequest, made: MadeChange[DoneChange]) -> Response:
    """Return to the page after a change; before it, show the plan with the form that makes it."""
    if made.is_preview:
        names = ("proposal", "answer", "keep")
        fields = {name: request.field(name) for name in names if request.field(name)}
        plan = made.result.plan
        return render(request, "cortex_plan.html", made.status, made=made, plan=plan, fields=fields)
    request.older.forget()  # what was answered is no proposal any more
    return redirect_after("/cortex", made.result.outcome)


def _make_row(job: JobState, status: DaemonStatus) -> JobRow:
    record, is_running = job.record, status.is_running
    state = job.find_condition(status.now, has_daemon=is_running)
    following = _to_iso(job.next_run) if is_running else ""
    last = _to_iso(record.last_started)
    return JobRow(job.name, last, following, record.runs, record.failures, state, record.error)


def _to_iso(seconds: float) -> str:
    """Return a time of the daemon; empty for 0, and for what no calendar has."""
    try:
        return f"{datetime.fromtimestamp(int(seconds), UTC):%Y-%m-%dT%H:%M:%SZ}" if seconds else ""
    except (ValueError, OverflowError, OSError):
        return ""
