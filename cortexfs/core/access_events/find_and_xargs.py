"""Searches in files that another command found: `find … -exec grep`, `… | xargs grep`.

Only searches that print file names count: otherwise a line of text could be taken for a name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.access_events import shell_programs
from cortexfs.core.access_events.command_options import parse_options, unwrap_program
from cortexfs.core.access_events.search_output import FileSearch, parse_output_mode

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.access_events.shell_words import ShellState

_PRINTING_ACTIONS = shell_programs.make_option_set(
    "-print -print0 -printf -ls -fprint -fls -execdir -ok -okdir"
)
_XARGS_VALUE_OPTIONS = shell_programs.make_option_set(
    "I n P L d s a E max-args max-procs max-lines delimiter arg-file"
)
_EXEC_ENDS = {";", "+"}
_WHOLE_TREE = ("",)


def infer_find_search(words: Sequence[str], shell: ShellState) -> FileSearch | None:
    """Return the search that `find` runs with its only -exec; None if it may print more."""
    if words.count("-exec") != 1 or _PRINTING_ACTIONS & set(words):
        return None
    start = words.index("-exec") + 1
    end = next((at for at in range(start, len(words)) if words[at] in _EXEC_ENDS), start)
    return _infer_search(words[start:end], list_find_scopes(words, shell), shell)


def infer_xargs_search(
    words: Sequence[str], scopes: tuple[str, ...], shell: ShellState
) -> FileSearch | None:
    """Return the search that `xargs` runs, from the words after its name; None if there is none."""
    command = list(words)
    while command and command[0].startswith("-"):
        option = command.pop(0).lstrip("-")
        if option in _XARGS_VALUE_OPTIONS and command:
            command.pop(0)
    return _infer_search(command, scopes, shell)


def list_find_scopes(words: Sequence[str], shell: ShellState) -> tuple[str, ...]:
    """Return the paths below the root that a `find` with these words walks."""
    at = next((at for at, word in enumerate(words) if word[:1] in {"-", "(", "!"}), len(words))
    reached = [shell.resolver.find_covered_path(path, shell.cwd) for path in words[:at] or ["."]]
    return tuple(scope for scope in reached if scope is not None)


def list_printed_scopes(words: Sequence[str], shell: ShellState) -> tuple[str, ...]:
    """Return the paths below the root that can hold the names a command prints."""
    name, rest = unwrap_program(words) if words else ("", ())
    return list_find_scopes(rest, shell) if name == "find" else _WHOLE_TREE


def _infer_search(
    words: Sequence[str], scopes: tuple[str, ...], shell: ShellState
) -> FileSearch | None:
    """Return the search that a command makes in its input files; None if it prints no names."""
    name, rest = unwrap_program(words) if words else ("", ())
    program = shell_programs.SEARCH_PROGRAMS.get(name)
    if program is None or not scopes:
        return None
    options = parse_options(rest, program.value_options).options
    names = options & (shell_programs.NAMES_ONLY_OPTIONS | program.show_name_options)
    if not names or options & (
        program.other_output_options | program.hide_name_options | shell_programs.QUIET_OPTIONS
    ):
        return None
    return FileSearch(parse_output_mode(options), shell.cwd, scopes)
