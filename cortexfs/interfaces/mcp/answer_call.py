"""Answer one call of a tool: check its arguments, run it, and cut, wrap and clean its text."""

from __future__ import annotations

import traceback
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.text.sanitize import redact_secrets
from cortexfs.core.text.untrusted_text import clean_line, clean_text, wrap_as_data
from cortexfs.core.tools.tool_arguments import parse_arguments
from cortexfs.errors import CortexError, describe_os_error
from cortexfs.interfaces.mcp.result_pages import cut_page, describe_page
from cortexfs.interfaces.mcp.tool import Effect
from cortexfs.interfaces.mcp.tool_hints import to_tool_hint
from cortexfs.operations.record_answer import record_answer
from cortexfs.session.change_observer import ChangeObserver

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cortexfs.core.changes.plan import Outcome
    from cortexfs.interfaces.mcp.tool import Tool, ToolContext, ToolResult


class CallAnswer(NamedTuple):
    """The text that the model sees, and whether the call failed."""

    text: str
    is_error: bool = False


def answer_call(context: ToolContext, tool: Tool, given: Mapping[str, object]) -> CallAnswer:
    """Run a tool; a refusal is an answer with its message and its hint."""
    try:
        arguments = parse_arguments(given, tool.parameters)
        number = arguments.integer("page") if tool.has_pages else 1
        observer = ChangeObserver()
        observed = context._replace(session=context.session.with_observer(observer))
        text = _format_result(tool.run(observed, arguments), tool, number)
        return CallAnswer("\n".join([text, *_describe_uncommitted(observer.outcomes)]))
    except CortexError as error:
        return CallAnswer(format_error(context, error, tool), is_error=True)
    except OSError as error:
        return CallAnswer(format_os_error(error), is_error=True)
    except Exception as error:  # noqa: BLE001 - the outermost frame: a bug ends the call, not the server
        return CallAnswer(report_bug(context, error), is_error=True)


def answer_and_record(
    context: ToolContext, tool: Tool, given: Mapping[str, object], client: str
) -> CallAnswer:
    """Run a tool; what a tool that only reads tells the agent is recorded."""
    answer = answer_call(context, tool, given)
    if tool.effect is Effect.READ and not answer.is_error:
        session_id = str(given.get("session_id") or "")
        record_answer(context.session, tool.name, client, session_id, answer.text)
    return answer


def format_error(context: ToolContext, error: CortexError, tool: Tool | None = None) -> str:
    """Return the message of a refusal, and its hint on a second line; no tool: of a resource."""
    hint = to_tool_hint(
        error.hint or "",
        tool.profile if tool else None,
        [each.name for each in tool.parameters] if tool else (),
        context.session.tree.list_projects,
    )
    return _format_refusal(str(error), hint)


def format_os_error(error: OSError) -> str:
    """Return what the system refused, such as a write to a full disk."""
    return _format_refusal(*describe_os_error(error))


def _format_refusal(message: str, hint: str | None) -> str:
    lines = [message, f"hint: {hint}" if hint else ""]
    return redact_secrets(clean_text("\n".join(filter(None, lines))))


def report_bug(context: ToolContext, error: Exception) -> str:
    """Write a crash report, and return what the client is shown."""
    from cortexfs.session.crash_report import write_crash_report

    report = "".join(traceback.format_exception(error))
    path = write_crash_report(context.session.reader.tree.root, report, datetime.now(UTC))
    return f"this is a bug in cortexfs: {type(error).__name__}\nhint: the report is {path}"


def _format_result(result: ToolResult, tool: Tool, number: int) -> str:
    """Return one page of a result: our own header, the data between its tags, the page."""
    page = cut_page(result.text, number)
    data = wrap_as_data(page.text, result.source) if result.source else page.text
    marker = describe_page(page, tool.name) if tool.has_pages else _describe_cut(page.total)
    return "\n".join(filter(None, (result.header, data, marker)))


def _describe_uncommitted(outcomes: Sequence[Outcome]) -> list[str]:
    """Return why changes that a tool has written are not committed; nothing if they are."""
    reasons = dict.fromkeys(filter(None, (each.why_uncommitted for each in outcomes)))
    return [clean_line(f"written, not committed: {reason}") for reason in reasons]


def _describe_cut(total: int) -> str:
    return "" if total == 1 else "[cut: the result is too long; narrow the request]"
