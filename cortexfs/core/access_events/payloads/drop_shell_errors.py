"""The response of a shell command, from an output that holds its error messages too."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cortexfs.core.access_events.shell_programs import PRINT_PROGRAMS, SEARCH_PROGRAMS, SHELLS

if TYPE_CHECKING:
    from cortexfs.core.access_events.tool_call import JsonObject

_PREFIX = re.compile(r"(?:/\S{0,255}/)?([a-z]{1,16})(?::\d{1,6})?: ", re.ASCII)
_FILE_ERROR = re.compile(
    r"No such file|Permission denied|Is a directory|[Cc]annot |can't |error|invalid |unrecognized "
)
_REGEX_ERROR = re.compile(r"^(?:rg: )?regex parse error:$", re.MULTILINE)
"""What ripgrep prints before it repeats a pattern that it cannot parse, on lines of its own."""


def make_response_without_errors(
    output: str, *, is_interrupted: bool = False, is_truncated: bool = False
) -> JsonObject:
    """Return a shell's output as Claude Code sends it, without error messages.

    A search that failed, or was not found by the shell, counts as interrupted: it does not show
    that nothing matched.
    """
    regex_error = _REGEX_ERROR.search(output)
    lines = (output[: regex_error.start()] if regex_error else output).split("\n")
    programs = [_find_failed_program(line) for line in lines]
    failed = {program for program in programs if program in SHELLS or program in SEARCH_PROGRAMS}
    shown = [line for line, program in zip(lines, programs, strict=True) if not program]
    return {
        "stdout": "\n".join(shown),
        "interrupted": bool(is_interrupted or regex_error or failed),
        "truncated": is_truncated,
    }


def _find_failed_program(line: str) -> str:
    """Return the program that printed an error message; an empty string for any other line."""
    found = _PREFIX.match(line)
    if found is None:
        return ""
    program = found[1]
    if program in SHELLS or program in SEARCH_PROGRAMS:
        return program
    is_error = program in PRINT_PROGRAMS and _FILE_ERROR.search(line, found.end())
    return program if is_error else ""
