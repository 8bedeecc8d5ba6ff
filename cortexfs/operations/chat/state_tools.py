"""The tools that show what happens in the tree, and what is wrong with it."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from cortexfs.core.checks.finding_codes import get_severity
from cortexfs.core.process_events.agent_process import ProcessType
from cortexfs.core.text.minute import format_minute
from cortexfs.core.text.plural import format_count
from cortexfs.core.text.untrusted_text import clean_line, clean_text
from cortexfs.errors import Refused
from cortexfs.operations.brief import brief
from cortexfs.operations.chat.chat_tool import ToolOutput
from cortexfs.operations.chat.recall_tools import (
    bound_limit,
    cut_list,
    format_commit,
    make_filter,
)
from cortexfs.operations.check import check
from cortexfs.operations.daemon_status import load_daemon_status
from cortexfs.operations.doctor import doctor
from cortexfs.operations.doctor_model import check_model
from cortexfs.operations.find_stuck_work import find_stuck_work
from cortexfs.operations.list_forgotten import list_forgotten
from cortexfs.operations.list_processes import HISTORY_DAYS, list_processes
from cortexfs.operations.log import log
from cortexfs.operations.shared.load_process_events import load_process_events
from cortexfs.operations.shared.resolve_names import find_current_project, resolve_scope
from cortexfs.operations.stats import stats

if TYPE_CHECKING:
    from cortexfs.core.process_events.agent_process import AgentProcess
    from cortexfs.core.process_events.process_event import ProcessEvent
    from cortexfs.core.tools.tool_arguments import Arguments
    from cortexfs.operations.chat.chat_tool import ChatContext
    from cortexfs.operations.list_forgotten import ForgottenAtom
    from cortexfs.session.session import Session

MAX_FINDINGS = 20
"""Maximum number of findings in one result."""
MAX_EVENTS = 50
"""Maximum number of events of a process in one result."""


def show_recent(context: ChatContext, given: Arguments) -> ToolOutput:
    """Show the last changes of the tree."""
    limit = bound_limit(given)
    found = log(context.session, limit, make_filter(context, given, "project", "since"))
    lines = []
    for entry in found:
        others = [ref for ref in entry.refs if ref.rpartition("/")[2] not in entry.commit.subject]
        more = f" and {len(others) - 3} more" if len(others) > 3 else ""  # noqa: PLR2004 - a short line
        lines.append(format_commit(entry, f" ({', '.join(others[:3])}{more})" if others else ""))
    refs = tuple(dict.fromkeys(ref for entry in found for ref in entry.refs))
    since = f" since {given.text('since')}" if given.text("since") else ""
    head = f"the last {format_count(len(found), 'change')}{since}, newest first:"
    return ToolOutput("\n".join([head, *lines]) if lines else f"no change{since}", refs)


def show_stuck(context: ChatContext, given: Arguments) -> ToolOutput:
    """List what is stuck."""
    projects = resolve_scope(context.session, given.text("project") or None, context.cwd)
    found = find_stuck_work(context.session, projects)
    lines = [
        clean_line(f"{each.type} {each.name}{_in_project(each.project)}: {each.reason}")
        for each in found
    ]
    if not lines:
        return ToolOutput("nothing is stuck: no task waits, no issue is open, no process is silent")
    head = f"stuck ({format_count(len(found), 'thing')}):"
    return ToolOutput("\n".join([head, *cut_list(lines, given)]))


def _in_project(project: str) -> str:
    return f" ({project})" if project else ""


def show_forgotten(context: ChatContext, given: Arguments) -> ToolOutput:
    """List what was forgotten, and why."""
    only, ref = make_filter(context, given, "project", "since"), given.text("ref")
    found = list_forgotten(context.session, only, ref=ref, limit=bound_limit(given))
    if not found.atoms:
        what = f"`{clean_line(ref)}`" if ref else "nothing"
        return ToolOutput(f"{what} was {'not ' if ref else ''}forgotten")
    lines = [line for each in found.atoms for line in _format_forgotten(each)]
    more = f", the latest {len(found.atoms)}" if len(found.atoms) < found.total else ""
    head = f"forgotten ({format_count(found.total, 'atom')}{more}):"
    return ToolOutput("\n".join([head, *lines]), tuple(each.ref for each in found.atoms))


def _format_forgotten(found: ForgottenAtom) -> list[str]:
    head = f"{found.ref} ({found.how} {found.when[:10]}): {found.summary}"
    by = f" ({found.by})" if found.by else ""
    return [clean_line(head), f"    {clean_line(f'why: {found.why}{by}')}"]


def inspect_system(context: ChatContext, _: Arguments) -> ToolOutput:
    """Show the state of the cortex in a few lines."""
    session = context.session
    status, found, counts = load_daemon_status(session), check(session, None), stats(session)
    daemon = f"running (pid {status.state.pid})" if status.is_running else "not running"
    failing = [each for each in status.state.jobs if status.is_running and each.record.error]
    lines = [
        f"daemon: {daemon}",
        *(f"job {each.name} failed: {each.record.error}" for each in failing),
        f"tree: {format_count(counts.atoms, 'atom')}, {format_count(counts.reads, 'read')}",
        f"tasks: {counts.open_tasks} open",
        f"check: {format_count(found.errors, 'error')}, {format_count(found.warnings, 'warning')}",
        f"notes of hooks that wait: {status.state.backlog}",
        f"running: {format_count(len(list_processes(session)), 'process')}",
        f"model: {check_model(context.environ, session.clock()).result}",
    ]
    return ToolOutput("\n".join(map(clean_line, lines)))


def list_channels(context: ChatContext, given: Arguments) -> ToolOutput:
    """List the sessions of agents in the last week, the one that was seen last first."""
    every = list_processes(context.session, show_all=True)
    found = [each for each in every if each.type is ProcessType.SESSION]
    found.sort(key=lambda each: each.last_seen, reverse=True)
    lines = cut_list([_format_process(each) for each in found], given)
    return ToolOutput("\n".join(lines) or f"no session in the last {HISTORY_DAYS} days")


def inspect_worker(context: ChatContext, given: Arguments) -> ToolOutput:
    """Show one process with its last events; without an id, what runs."""
    session, wanted = context.session, given.text("id")
    if not wanted:
        lines = [_format_process(each) for each in list_processes(session)]
        return ToolOutput("\n".join(lines) or "nothing is running")
    every = list_processes(session, show_all=True)
    found = [each for each in every if each.id.startswith(wanted)]
    if len({each.id for each in found}) != 1:
        problem = "names several processes" if found else "names no process of the last week"
        raise Refused(f"`{wanted}` {problem}", hint="ask `what is running?`")
    events = [_format_event(each) for each in _load_events(session, found[0])]
    return ToolOutput("\n".join([_format_process(found[0]), *events]))


def _load_events(session: Session, process: AgentProcess) -> list[ProcessEvent]:
    """Return the last events of a process, oldest first."""
    events = load_process_events(session, process.started[:10])
    own = [
        each
        for each in events
        if each.session == process.session and (not process.agent or each.agent == process.agent)
    ]
    return own[-MAX_EVENTS:]


def _format_process(process: AgentProcess) -> str:
    since = f"{format_minute(process.started)} to {format_minute(process.last_seen)}"
    state = f"{process.state}, flagged" if process.flagged else str(process.state)
    text = f": {process.text}" if process.text else ""
    head = f"{process.type} {process.id}{_in_project(process.project)}"
    return clean_line(f"{head} ({state}, {since}){text}")


def _format_event(event: ProcessEvent) -> str:
    return f"    {clean_line(f'{format_minute(event.time)} {event.type} {event.text}')}"


def show_stats(context: ChatContext, given: Arguments) -> ToolOutput:
    """Count the contents of the tree."""
    found = stats(context.session, make_filter(context, given, "project"))
    kinds = ", ".join(f"{count} {name}" for name, count in found.kinds.items())
    statuses = ", ".join(f"{count} {name}" for name, count in found.statuses.items())
    lines = [
        f"atoms: {found.atoms} ({kinds})",
        f"statuses: {statuses}",
        f"reads: {found.reads}, of these {found.recent_reads} in 30 days",
        f"hot: {found.hot}, cold: {found.cold}",
        f"open tasks: {found.open_tasks}",
        f"files: {found.files}, {found.tree_bytes} bytes",
    ]
    return ToolOutput("\n".join(map(clean_line, lines)))


def check_tree(context: ChatContext, given: Arguments) -> ToolOutput:
    """List the findings of the tree."""
    project = given.text("project")
    projects = resolve_scope(context.session, project, context.cwd) if project else None
    found = check(context.session, projects, context.sources)
    counts = f"{format_count(found.errors, 'error')}, {format_count(found.warnings, 'warning')}"
    lines = [
        clean_line(f"{each.path}:{each.line}: {get_severity(each.code)}: {each.message}")
        for each in islice(found.findings, MAX_FINDINGS)
    ]
    if len(lines) < len(found.findings):
        counts += f"; the first {len(lines)}:"
    return ToolOutput("\n".join([counts, *lines]))


def run_doctor(context: ChatContext, _: Arguments) -> ToolOutput:
    """Check the installation."""
    lines = [
        f"{'ok' if each.passed else 'problem'}: {each.subject}: {each.result}"
        + (f"; fix: {each.fix}" if each.fix else "")
        for each in doctor(context.session, context.environ)
    ]
    return ToolOutput("\n".join(map(clean_line, lines)))


def show_brief(context: ChatContext, given: Arguments) -> ToolOutput:
    """Show the bulletin."""
    session = context.session
    project = given.text("project") or find_current_project(session, context.cwd) or ""
    return ToolOutput(clean_text(brief(session, project).text))
