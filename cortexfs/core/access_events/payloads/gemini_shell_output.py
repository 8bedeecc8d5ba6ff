"""Read the output of a shell command from the response of Gemini CLI."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cortexfs.core.access_events.payloads.drop_shell_errors import make_response_without_errors
from cortexfs.core.access_events.tool_call import text_field

if TYPE_CHECKING:
    from cortexfs.core.access_events.tool_call import JsonObject

_WRAPPER = ("<untrusted_context>\n", "\n</untrusted_context>")
_OUTPUT = re.compile(r"(?:Command: [^\n]*\nDirectory: [^\n]*\n)?(?:Output|Stdout): ")
_LABELS = (
    "Stderr: ",
    "Error: ",
    "Exit Code: ",
    "Signal: ",
    "Background PIDs: ",
    "Process Group PGID: ",
)
_CANCELLED = re.compile(
    r"Command was [^\n]{0,200} Below is the output before it was cancelled:\n", re.ASCII
)
_NO_OUTPUT = ("Command was ", "Command moved to background ")
_EMPTY = "(empty)"


def read_shell_response(response: JsonObject) -> JsonObject:
    """Return the response as Claude Code sends it: what the model was given of the output."""
    text = text_field(response, "llmContent")
    text = text.removeprefix(_WRAPPER[0]).removesuffix(_WRAPPER[1])
    if cancelled := _CANCELLED.match(text):
        return make_response_without_errors(text[cancelled.end() :], is_interrupted=True)
    if found := _OUTPUT.match(text):
        output = _remove_labels(text[found.end() :])
        return make_response_without_errors("" if output == _EMPTY else output)
    if text.startswith(_NO_OUTPUT):
        return {"stdout": "", "interrupted": True}
    return make_response_without_errors(text_field(response, "returnDisplay"))


def _remove_labels(text: str) -> str:
    """Return the output without the labelled lines after it."""
    lines = text.split("\n")
    while len(lines) > 1 and lines[-1].startswith(_LABELS):
        lines.pop()
    return "\n".join(lines)
