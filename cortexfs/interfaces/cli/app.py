"""The command line: which commands there are, and what becomes of errors.

A command's module is imported when the command is called: start-up is what hooks, agents and
people wait for.
"""

from __future__ import annotations

import errno
import gc
import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer
from typer.core import TyperGroup
from typer.main import get_command

from cortexfs import __version__
from cortexfs.errors import CortexError, Usage

if TYPE_CHECKING:
    from types import TracebackType

    from typer._click import Command, Context, HelpFormatter

COMMANDS = {
    "init": "Make a tree, or add to one what it lacks.",
    "project": "Projects: new, list, show, archive.",
    "new": "Make a new atom.",
    "list": "List atoms, most read first.",
    "find": "Find atoms by their words, best first.",
    "embed": "Embed what has changed, so that `find` goes by meaning too.",
    "graph": "Show what is tied to an atom: what it names, and what names it.",
    "backlinks": "List the atoms that name an atom, and how.",
    "path": "Show the shortest way from one atom to another, over what names what.",
    "related": "List what is related to an atom, the closest first, and why.",
    "entities": "List what atoms name: files, URLs, packages, symbols; or who names one.",
    "show": "Show an atom, who names it, and its past.",
    "mark": "Change the status of an atom, with all that this asks for.",
    "index": "Bring indexes and refs up to date.",
    "check": "Find what is wrong, and mend what is safe.",
    "status": "Where a project stands: show, set, edit.",
    "issue": "What hinders a project: list, add, resolve.",
    "mission": "What a project is for: show, edit.",
    "roadmap": "Where a project goes: show, tick, add.",
    "decision": "Why things are as they are: new, list, show, accept, reject, supersede.",
    "idea": "What could become a project: new, list, show, promote.",
    "scan": "Reports of looking around: new, list.",
    "user": "How the user likes to work: show, learn.",
    "maintain": "Find what has gone stale, contradicts itself, or belongs together.",
    "commit": "Commit what was written by hand or by an agent.",
    "log": "Show what changed when, of the tree or of an atom.",
    "diff": "Show what has changed in an atom.",
    "restore": "Bring back a tombstone, or what an atom said earlier.",
    "undo": "Take back the last change made through cortexfs.",
    "task": "Tasks: add, list, claim, finish, archive, lint.",
    "access": "What was looked at: log, top, rotate.",
    "hook": "Notes of hooks: drain, status.",
    "setup": "Wire cortexfs into other programs.",
    "watch": "Regenerate and check as files change.",
    "doctor": "Tell what is wired, what is wrong, and what mends it.",
}
"""Every command with its line in the help; `interfaces/cli/commands/<name>.py` holds it."""

HELP = """The memory of agents as plain Markdown in git.

The tree is --root, else $CORTEXFS_ROOT, else $CORTEX_HOME/context, else the nearest folder
upwards that is one, else ~/.cortex/context.

Example: cortexfs list experiment --hot
"""


class Commands(TyperGroup):
    """The commands by name, each loaded when it is called."""

    def list_commands(self, ctx: Context) -> list[str]:  # noqa: ARG002
        """Name all commands."""
        return list(COMMANDS)

    def get_command(self, ctx: Context, cmd_name: str) -> Command | None:  # noqa: ARG002
        """Load one command."""
        if cmd_name not in COMMANDS:
            raise _no_such(cmd_name)
        module = import_module(f"cortexfs.interfaces.cli.commands.{cmd_name}")
        command = get_command(module.app)
        command.name = cmd_name
        return command

    def format_commands(self, ctx: Context, formatter: HelpFormatter) -> None:  # noqa: ARG002
        """List the commands without loading them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


INTERRUPTED = 130
MISTYPED = 2
OUR_BUG = 70
_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO}
"""What ends a command in the middle of its work."""
_USAGE: type[Exception] = typer.BadParameter.__mro__[1]
"""What typer raises for all that is typed wrong; where it lives differs by version."""


def _no_such(name: str) -> Usage:
    from difflib import get_close_matches

    close = get_close_matches(name, COMMANDS, n=1)
    hint = f"the nearest is `{close[0]}`" if close else "`cortexfs --help`"
    return Usage(f"no command named `{name}`", hint=hint)


app = typer.Typer(cls=Commands, rich_markup_mode=None, help=HELP, no_args_is_help=True)


def _version(asked: bool) -> None:
    """Print the version and end, before a missing command is missed."""
    if asked:
        print(f"cortexfs {__version__}")
        raise typer.Exit


@app.callback()
def everything(
    context: typer.Context,
    root: Annotated[str | None, typer.Option("--root", metavar="PATH", help="The tree.")] = None,
    version: Annotated[  # noqa: ARG001 - its callback has ended the run
        bool,
        typer.Option("--version", help="Print the version.", callback=_version, is_eager=True),
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Say only data and errors.")] = False,
) -> None:
    """Options that stand before the command."""
    from cortexfs.interfaces.cli import console

    console.remember(root, quiet=quiet, command=context.invoked_subcommand or "")


def main() -> NoReturn:
    """Run the command; turn a refusal into two lines and an exit code."""
    sys.excepthook = _crashed
    _open_mouth()
    try:
        code = get_command(app)(prog_name="cortexfs", standalone_mode=False)
        sys.stdout.flush()
    except CortexError as error:
        code = _refused(error.kind, str(error), error.hint, error.exit_code)
    except _USAGE as error:
        code = _mistyped(error)
    except (KeyboardInterrupt, typer.Abort):
        code = INTERRUPTED
        print(file=sys.stderr)
    # the reader (`| head`) has seen enough; typer makes the second of the first
    except (BrokenPipeError, SystemExit):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    except OSError as error:
        where = f": {error.filename!a}" if error.filename else ""
        message = f"{(error.strerror or str(error)).lower()}{where}"
        hint = "the next command finishes what was begun" if error.errno in _FULL else None
        code = _refused("system", message, hint, 3)
    gc.freeze()  # nothing is looked through once more before the end: 10 ms
    sys.exit(code if isinstance(code, int) else 0)


def _open_mouth() -> None:
    """Make sure that there is something to speak to, and that no letter is too strange for it."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # closed by whoever started us
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 - to the end
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def _refused(kind: str, message: str, hint: str | None, code: int) -> int:
    """Say what was refused: as a document where one was asked for, else in two lines."""
    from cortexfs.core.text.sanitize import one_line

    if _wants_json():
        import json

        said = {"kind": kind, "message": message} | ({"hint": hint} if hint else {})
        print(json.dumps({"format": 1, "error": said}))
        return code
    print(f"error: {one_line(message)}", file=sys.stderr)
    if hint:
        print(f" hint: {one_line(hint)}", file=sys.stderr)
    return code


def _wants_json() -> bool:
    return (
        "--json" in sys.argv or "--format=json" in sys.argv or "--format json" in " ".join(sys.argv)
    )


def _mistyped(error: Exception) -> int:
    """Say what was typed wrong, and where the help is."""
    context = getattr(error, "ctx", None)
    if type(error).__name__ == "NoArgsIsHelpError" and context:
        print(context.get_help())
        return MISTYPED
    path = context.command_path if context else "cortexfs"
    message = str(getattr(error, "format_message", error.__str__)()).rstrip(".")
    hint = f"`{path} --help`"
    if path == "cortexfs find" and type(error).__name__ == "NoSuchOption" and "--" not in message:
        hint = "say `--without word`, or put the query whole behind `--`"
    return _refused("usage", message[:1].lower() + message[1:], hint, MISTYPED)


def _crashed(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Write a report of our bug, say where it is, and end with its exit code."""
    import traceback

    report = "".join(traceback.format_exception(kind, error, trace))
    from cortexfs.interfaces.cli import console

    _refused(
        "bug",
        f"this is a bug in cortexfs: {kind.__name__}",
        f"the report is {console.leave_report(report)}",
        OUR_BUG,
    )
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(OUR_BUG)
