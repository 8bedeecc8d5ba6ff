"""One run of a command: the context of every command, built from its options."""

from __future__ import annotations

from functools import wraps
from inspect import Signature, signature
from typing import TYPE_CHECKING, Concatenate, NamedTuple, ParamSpec

import typer

from cortexfs.core.changes.plan import WriteMode
from cortexfs.interfaces.cli import console
from cortexfs.interfaces.cli.console import OutputPrinter
from cortexfs.interfaces.cli.options import DryRun, Json, NoCommit, Quiet, Root

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from inspect import Parameter

    from cortexfs.session.session import Session

    OwnParameters = ParamSpec("OwnParameters")
    Command = Callable[Concatenate["CommandContext", OwnParameters], None]


class CommandContext(NamedTuple):
    """One run of a command: its output, its tree and its write mode."""

    output: OutputPrinter
    root: str | None
    mode: WriteMode

    @property
    def dry_run(self) -> bool:
        """Whether nothing may be written."""
        return self.mode.is_dry_run

    def open_session(self) -> Session:
        """Open the tree of this command."""
        return console.open_session(self.root)

    def open_project(self, project: str | None) -> tuple[Session, str]:
        """Open the tree, and return the project: the named, the current, or the only one."""
        from cortexfs.operations.shared.resolve_names import resolve_project

        session = self.open_session()
        return session, resolve_project(session, project, console.working_directory())

    def open_projects(self, projects: Sequence[str] | None) -> tuple[Session, list[str] | None]:
        """Open the tree, and check that these projects exist; None means all."""
        from cortexfs.operations.shared.resolve_names import require_project

        session = self.open_session()
        return session, [require_project(session, name) for name in projects or ()] or None

    def open_scope(self, project: str | None) -> tuple[Session, list[str]]:
        """Open the tree, and return the projects: the named one, the current one, or all."""
        from cortexfs.operations.shared.resolve_names import resolve_scope

        session = self.open_session()
        return session, resolve_scope(session, project, console.working_directory())


def read_command(command: Command[OwnParameters]) -> Callable[..., None]:
    """Return a command for a function that reads: adds --root, --json and --quiet."""
    return _add_shared_options(_SHARED_OPTIONS[:3], command)


def dry_run_command(command: Command[OwnParameters]) -> Callable[..., None]:
    """Return a command for a function that can preview its changes: adds --dry-run."""
    return _add_shared_options(_SHARED_OPTIONS[:4], command)


def change_command(command: Command[OwnParameters]) -> Callable[..., None]:
    """Return a command for a function that changes the tree: adds --dry-run and --no-commit."""
    return _add_shared_options(_SHARED_OPTIONS, command)


def make_group(help_text: str) -> typer.Typer:
    """Return a command with subcommands; `help_text` is its help."""
    app = typer.Typer(
        rich_markup_mode=None, add_completion=False, no_args_is_help=True, help=help_text
    )
    app.callback()(lambda: None)  # else the only command of a group would stand in its place
    return app


def _make_context(
    root: Root = None,
    as_json: Json = False,
    quiet: Quiet = False,
    dry_run: DryRun = False,
    no_commit: NoCommit = False,
) -> CommandContext:
    mode = WriteMode.WRITE if no_commit else WriteMode.COMMIT
    if dry_run:
        mode = WriteMode.DRY_RUN_WRITE if no_commit else WriteMode.DRY_RUN
    return CommandContext(OutputPrinter(as_json, quiet), root, mode)


_SHARED_OPTIONS = tuple(signature(_make_context, eval_str=True).parameters.values())


def _add_shared_options(
    options: tuple[Parameter, ...], command: Command[OwnParameters]
) -> Callable[..., None]:
    """Return a function for Typer with the command's own parameters, then the shared ones."""
    _, *own = signature(command, eval_str=True).parameters.values()
    begin: Callable[..., CommandContext] = _make_context  # Typer sees to the types of what it gives

    @wraps(command)
    def whole(*args: OwnParameters.args, **typed: OwnParameters.kwargs) -> None:
        run = begin(**{each.name: typed.pop(each.name) for each in options})
        command(run, *args, **typed)

    parameters = (*own, *options)
    whole.__dict__["__signature__"] = Signature(parameters)
    whole.__annotations__ = {each.name: each.annotation for each in parameters}
    return whole
