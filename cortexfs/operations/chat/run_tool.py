"""Run one tool: a read at once; a change as a plan first, and for real once it is confirmed."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.chat.chat_message import (
    MAX_PREVIEW_CHARS,
    MAX_RESULT_CHARS,
    PendingChange,
    ToolCall,
)
from cortexfs.core.chat.describe_plan import describe_plan, summarize_plan
from cortexfs.core.text.sanitize import redact_secrets, truncate_line
from cortexfs.core.text.untrusted_text import clean_text
from cortexfs.core.tools.tool_arguments import parse_arguments
from cortexfs.errors import CortexError, describe_os_error
from cortexfs.operations.chat.tool_table import TOOLS
from cortexfs.operations.preview_change import confirm_change, preview_change

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cortexfs.core.changes.execution_mode import ExecutionMode
    from cortexfs.operations.chat.chat_tool import ChatContext, ChatTool, ToolOutput
    from cortexfs.session.session import Session

MAX_ARGUMENT_CHARS = 2000
"""Maximum characters of an argument that are stored with its call."""
CONFIRM_HINT = "Answer `yes` to do this, `no` to leave it."


class ToolRun(NamedTuple):
    """A call with its result, the refs in it, and the change that waits, if any."""

    call: ToolCall
    text: str
    refs: tuple[str, ...] = ()
    pending: PendingChange | None = None
    is_refused: bool = False


def run_tool(context: ChatContext, call: ToolCall) -> ToolRun:
    """Run a tool that reads, or plan a change; a refusal is a result too."""
    tool = TOOLS[call.tool]
    try:
        if tool.is_change:
            return _plan_change(context, tool, call)
        output = _run(context, tool, call.args)
        return _complete(call, output.text, output.refs)
    except (CortexError, OSError) as error:
        return _refuse(call, error)


def run_confirmed(context: ChatContext, call: ToolCall, digest: str) -> ToolRun:
    """Make a change if its plan still is the one that was shown; else nothing is written."""
    change = partial(_change, context, TOOLS[call.tool], call.args)
    try:
        output, outcomes = confirm_change(context.session, change, digest)
    except (CortexError, OSError) as error:
        return _refuse(call, error)
    commits = [commit for outcome in outcomes for commit in outcome.commits]
    reasons = [each.uncommitted_reason for each in outcomes if each.uncommitted_reason]
    notes = [f"written, not committed: {reason}" for reason in reasons]
    done = _complete(call, "\n".join([output.text, *notes]), output.refs)
    return done._replace(call=done.call._replace(commit=commits[-1] if commits else ""))


def describe_refusal(error: CortexError | OSError) -> tuple[str, str | None]:
    """Return why something was refused, and what to do."""
    return (str(error), error.hint) if isinstance(error, CortexError) else describe_os_error(error)


def _plan_change(context: ChatContext, tool: ChatTool, call: ToolCall) -> ToolRun:
    """Return the plan of a change, which waits; one that changes nothing does not wait."""
    call = call._replace(args=_add_project(context, tool, call.args))
    change = partial(_change, context, tool, call.args)
    output, plans, digest = preview_change(context.session, change)
    if not plans or not (plans[-1].writes or plans[-1].removes or plans[-1].appends):
        return _complete(call, f"nothing to change: {output.text}", output.refs)
    pending = PendingChange(tool.name, call.args, digest, summarize_plan(plans[-1]))
    text = f"{describe_plan(plans[-1])}\n\n{CONFIRM_HINT}"
    return _complete(call, text, output.refs)._replace(pending=pending)


def _change(
    context: ChatContext,
    tool: ChatTool,
    args: Mapping[str, str],
    session: Session,
    mode: ExecutionMode,
) -> ToolOutput:
    return _run(context._replace(session=session, mode=mode), tool, args)


def _run(context: ChatContext, tool: ChatTool, args: Mapping[str, str]) -> ToolOutput:
    given = _add_project(context, tool, args)
    return tool.run(context, parse_arguments(given, tool.parameters))


def _add_project(
    context: ChatContext, tool: ChatTool, args: Mapping[str, str]
) -> Mapping[str, str]:
    """Return arguments with the project of the dialogue, if the tool takes one."""
    takes_project = any(each.name == "project" for each in tool.parameters)
    return {"project": context.project, **args} if takes_project and context.project else args


def _refuse(call: ToolCall, error: CortexError | OSError) -> ToolRun:
    message, hint = describe_refusal(error)
    text = f"{message}\nhint: {hint}" if hint else message
    return _complete(call, text)._replace(is_refused=True)


def _complete(call: ToolCall, text: str, refs: tuple[str, ...] = ()) -> ToolRun:
    """Return a call with its result, cleaned and without secrets."""
    text = redact_secrets(clean_text(text)).strip()
    result = text if len(text) <= MAX_RESULT_CHARS else f"{text[:MAX_RESULT_CHARS]}\n… cut"
    args = {name: redact_secrets(value)[:MAX_ARGUMENT_CHARS] for name, value in call.args.items()}
    preview = truncate_line(text, MAX_PREVIEW_CHARS)
    done = call._replace(args=args, result=result, result_preview=preview)
    return ToolRun(done, text, refs)
