"""The command line: its groups of commands, and the handling of errors.

A command's module is imported when the command is called, which keeps the start fast.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer
from typer.core import TyperGroup
from typer.main import get_command

from cortexfs import __version__
from cortexfs.errors import CortexError, describe_os_error
from cortexfs.interfaces.cli.command_table import ALIASES, COMMANDS, GROUPS, HIDDEN

if TYPE_CHECKING:
    from types import TracebackType

    from typer._click import Command, Context, HelpFormatter

HELP = """Keep the memory of coding agents as plain Markdown in git.

The tree is --root, else $CORTEXFS_ROOT, else $CORTEX_HOME/context, else the nearest parent
folder that is a tree, else ~/.cortex/context.

Example: cortexfs list experiment --hot
"""


class LazyCommands(TyperGroup):
    """The commands by name, each loaded when it is called."""

    def list_commands(self, ctx: Context) -> list[str]:  # noqa: ARG002
        """Return the names of all commands."""
        return list(COMMANDS)

    def get_command(self, ctx: Context, cmd_name: str) -> Command | None:
        """Load one command, by its name or an alias."""
        name = ALIASES.get(cmd_name, cmd_name)
        if name not in COMMANDS:
            if ctx.resilient_parsing:  # shell completion
                return None
            from cortexfs.interfaces.cli.usage_errors import make_unknown_command_error

            raise make_unknown_command_error(cmd_name)
        module = import_module(f"cortexfs.interfaces.cli.commands.{name}")
        command = get_command(module.app)
        command.name = name
        return command

    def format_commands(self, ctx: Context, formatter: HelpFormatter) -> None:  # noqa: ARG002
        """List the commands in groups, without loading them."""
        for group, commands in GROUPS.items():
            if group not in HIDDEN:
                with formatter.section(group):
                    formatter.write_dl(list(commands.items()))


EXIT_INTERRUPTED = 130
EXIT_USAGE = 2
EXIT_BUG = 70
_USAGE: type[Exception] = typer.BadParameter.__mro__[1]
"""The exception of typer for all usage errors; its module differs by version."""


app = typer.Typer(
    cls=LazyCommands,
    rich_markup_mode=None,
    help=HELP,
    no_args_is_help=True,
    context_settings={"help_option_names": ["--help", "-h"]},  # also those of each command
)


def _print_version(requested: bool) -> None:
    """Print the version and exit, before a missing command is reported."""
    if requested:
        print(f"cortexfs {__version__}")
        raise typer.Exit


@app.callback()
def read_global_options(
    context: typer.Context,
    root: Annotated[
        str | None, typer.Option("--root", metavar="PATH", help="Root of the tree.")
    ] = None,
    version: Annotated[  # noqa: ARG001 - its callback exits
        bool,
        typer.Option(
            "--version", help="Print the version.", callback=_print_version, is_eager=True
        ),
    ] = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Print only data and errors.")
    ] = False,
    no_pager: Annotated[bool, typer.Option("--no-pager", help="Print without the pager.")] = False,
) -> None:
    """Take the options before the command."""
    from cortexfs.interfaces.cli import process_context

    command = context.invoked_subcommand or ""
    process_context.set_global_options(root, quiet=quiet, pager=not no_pager, command=command)


def main() -> NoReturn:
    """Run the command; print a `CortexError` as two lines and exit with its code."""
    sys.excepthook = _report_crash
    _set_up_streams()
    try:
        code = get_command(app)(prog_name="cortexfs", standalone_mode=False)
        sys.stdout.flush()
        _refresh_bulletin_later()
    except CortexError as error:
        code = _print_refusal(error.kind, str(error), error.hint, error.exit_code)
    except _USAGE as error:
        code = _print_usage_error(error)
    except (KeyboardInterrupt, typer.Abort):
        code = EXIT_INTERRUPTED
    # the reader of the pipe has exited; typer turns the first into the second
    except (BrokenPipeError, SystemExit):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    except OSError as error:
        code = _print_refusal("system", *describe_os_error(error), 3)
    if code == EXIT_INTERRUPTED:  # typer gives or raises it; ends the line with `^C`
        print(file=sys.stderr)
    _end_process(code if isinstance(code, int) else 0)


def _end_process(code: int) -> NoReturn:
    """End the process; at once if only threads are left that nothing waits for.

    The job of a daemon whose tree has gone may be in SQLite, where Python's own end crashes.
    """
    threading = sys.modules.get("threading")
    threads = threading.enumerate() if threading else []
    if len(threads) > 1 and all(each.daemon for each in threads[1:]):
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError):
                stream.flush()
        os._exit(code)
    sys.exit(code)


def _refresh_bulletin_later() -> None:
    """Let a background process render the bulletin, if the command has changed the tree."""
    if context := sys.modules.get("cortexfs.interfaces.cli.process_context"):
        context.refresh_bulletin_later()


def _set_up_streams() -> None:
    """Open missing streams, and escape characters that their encoding lacks."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # closed by the parent
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 - open until the end
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def _print_refusal(kind: str, message: str, hint: str | None, code: int) -> int:
    """Print an error with its hint, as a document with --json, else in two lines; return `code`."""
    from cortexfs.core.text.sanitize import redact_secrets
    from cortexfs.interfaces.cli.console import format_message

    message, hint = redact_secrets(message), redact_secrets(hint) if hint else hint
    if _wants_json():
        import json

        error = {"kind": kind, "message": message} | ({"hint": hint} if hint else {})
        print(json.dumps({"format": 1, "error": error}))
        return code
    print(format_message("error", message), file=sys.stderr)
    if hint:
        print(format_message("hint", hint), file=sys.stderr)
    return code


def _wants_json() -> bool:
    return (
        "--json" in sys.argv or "--format=json" in sys.argv or "--format json" in " ".join(sys.argv)
    )


def _print_usage_error(error: Exception) -> int:
    """Print a usage error and its hint, or the help of a group; return the exit code."""
    from cortexfs.interfaces.cli.usage_errors import describe_usage_error

    context = getattr(error, "ctx", None)
    if type(error).__name__ == "NoArgsIsHelpError" and context:
        print(context.get_help())
        return EXIT_USAGE
    return _print_refusal("usage", *describe_usage_error(error), EXIT_USAGE)


def _report_crash(
    kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> None:
    """Write a crash report, print its path, and exit with the code for a bug."""
    import traceback

    report = "".join(traceback.format_exception(kind, error, trace))
    from cortexfs.interfaces.cli import process_context

    _print_refusal(
        "bug",
        f"this is a bug in cortexfs: {kind.__name__}",
        f"the report is {process_context.write_crash_report(report)}",
        EXIT_BUG,
    )
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(EXIT_BUG)
