"""What is wrong with a command line, and a hint with the most similar name or how to get help."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cortexfs.core.text.nearest_names import nearest_names
from cortexfs.errors import Usage
from cortexfs.interfaces.cli.command_table import ALIASES, COMMANDS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from typer._click import Context

_QUERY_HINT = "use `--without WORD`, or write the whole query after `--`"


def make_unknown_command_error(name: str) -> Usage:
    """Return the error for a command that does not exist."""
    hint = _format_nearest_hint(name, [*COMMANDS, *ALIASES])
    return Usage(f"no command named `{name}`", hint=hint or "`cortexfs help` lists all commands")


def describe_usage_error(error: Exception) -> tuple[str, str]:
    """Return the message and the hint for a usage error of typer."""
    context = getattr(error, "ctx", None)
    path = context.command_path if context else "cortexfs"
    message = str(getattr(error, "format_message", error.__str__)()).rstrip(".")
    hint = f"`{path} --help` shows the usage"
    if option := getattr(error, "option_name", ""):
        message = f"no option named `{option}`"
        options = (name for each in context.command.params for name in each.opts) if context else ()
        nearest = _format_nearest_hint(option, options) if option.startswith("--") else ""
        nearest = _format_position_hint(option, context) or nearest
        hint = nearest or (_QUERY_HINT if path == "cortexfs find" else hint)
    elif path == "cortexfs find" and "'--limit'" in message:  # `-notes` is `-n otes` for Typer
        hint = _QUERY_HINT
    elif "unexpected extra argument" in message and context and _has_option(context, "--project"):
        hint = "name a project with -p; " + hint
    elif context and (typed := re.match(r"No such command '(.*?)'", message)):
        known = context.command.list_commands(context)
        message = f"no command named `{path.partition(' ')[2]} {typed[1]}`"
        hint = _format_nearest_hint(typed[1], known) or f"`{path}` takes {', '.join(known)}"
    return message[:1].lower() + message[1:], hint


def _format_position_hint(option: str, context: Context | None) -> str:
    """Return a hint about an option that comes before the command; empty for another one."""
    if context is None or context.parent is None or not _has_option(context.find_root(), option):
        return ""
    command = context.command_path.partition(" ")[2]
    return f"it comes before the command: `cortexfs {option} {command}`"


def _has_option(context: Context, name: str) -> bool:
    return any(name in each.opts for each in context.command.params)


def _format_nearest_hint(typed: str, known: Iterable[str]) -> str:
    """Return a hint with the known name that is similar to a typed one; empty without one."""
    return "".join(f"did you mean `{name}`?" for name in nearest_names(typed, known))
