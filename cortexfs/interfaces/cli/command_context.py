"""One run of a command: the context of every command, built from its options."""

from __future__ import annotations

from functools import wraps
from inspect import Signature, signature
from typing import TYPE_CHECKING, Concatenate, NamedTuple, ParamSpec

import typer

from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.interfaces.cli import process_context
from cortexfs.interfaces.cli.console import OutputPrinter
from cortexfs.interfaces.cli.options import (
    DryRun,
    DryRunReport,
    Json,
    KindFilter,
    NoCommit,
    ProjectFilter,
    Quiet,
    Root,
    Since,
    StatusFilter,
    TagFilter,
    Until,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from inspect import Parameter

    from cortexfs.core.find.atom_filter import AtomFilter
    from cortexfs.session.session import Session

    OwnParameters = ParamSpec("OwnParameters")
    Command = Callable[Concatenate["CommandContext", OwnParameters], None]


class FilterOptions(NamedTuple):
    """The filter options of a command, as typed."""

    projects: Sequence[str] = ()
    kinds: Sequence[str] = ()
    statuses: Sequence[str] = ()
    tags: Sequence[str] = ()
    since: str = ""
    until: str = ""


class CommandContext(NamedTuple):
    """One run of a command: its output, its tree, its write mode and its filter options."""

    output: OutputPrinter
    root: str | None
    mode: ExecutionMode
    filters: FilterOptions = FilterOptions()

    @property
    def cwd(self) -> str:
        """The working directory."""
        return process_context.working_directory()

    @property
    def dry_run(self) -> bool:
        """Whether nothing may be written."""
        return self.mode.is_dry_run

    def open_session(self) -> Session:
        """Open the tree of this command."""
        return process_context.open_session(self.root)

    def open_filtered(self, *more_kinds: str) -> tuple[Session, AtomFilter]:
        """Open the tree, and parse the filter options; `more_kinds` adds to --kind."""
        from cortexfs.operations.shared.filters import parse_filters

        session, typed = self.open_session(), self.filters
        return session, parse_filters(
            session,
            kinds=[*typed.kinds, *more_kinds],
            projects=typed.projects,
            statuses=typed.statuses,
            tags=typed.tags,
            since=typed.since,
            until=typed.until,
        )

    def open_project(self, project: str | None) -> tuple[Session, str]:
        """Open the tree, and return the project: the named, the current, or the only one."""
        from cortexfs.operations.shared.resolve_names import resolve_project

        session = self.open_session()
        return session, resolve_project(session, project, self.cwd)

    def open_projects(self, projects: Sequence[str] | None) -> tuple[Session, list[str] | None]:
        """Open the tree, and check that these projects exist; None means all."""
        from cortexfs.operations.shared.resolve_names import require_project

        session = self.open_session()
        return session, [require_project(session, name) for name in projects or ()] or None

    def open_scope(self, project: str | None) -> tuple[Session, list[str]]:
        """Open the tree, and return the projects: the named one, the current one, or all."""
        from cortexfs.operations.shared.resolve_names import resolve_scope

        session = self.open_session()
        return session, resolve_scope(session, project, self.cwd)


def read_command(command: Command[OwnParameters]) -> Callable[..., None]:
    """Return a command for a function that reads: adds --root, --json and --quiet."""
    return _add_options(_READ_OPTIONS, command)


def filter_command(
    *filters: str,
) -> Callable[[Command[OwnParameters]], Callable[..., None]]:
    """Return a decorator like `read_command` that also adds filter options; all, if none is named.

    `CommandContext.open_filtered` parses them.
    """
    chosen = [each for each in _FILTER_OPTIONS if not filters or each.name in filters]
    return lambda command: _add_options((*chosen, *_READ_OPTIONS), command)


def dry_run_command(command: Command[OwnParameters]) -> Callable[..., None]:
    """Return a command for a function that can preview its changes: adds --dry-run."""
    return _add_options(_CHANGE_OPTIONS[:-1], command)


def change_command(command: Command[OwnParameters]) -> Callable[..., None]:
    """Return a command for a function that changes the tree: adds --dry-run and --no-commit."""
    return _add_options(_CHANGE_OPTIONS, command)


def report_command(command: Command[OwnParameters]) -> Callable[..., None]:
    """Return such a command whose --dry-run prints its report, and no diff."""
    options = (
        each.replace(annotation=DryRunReport) if each.name == "dry_run" else each
        for each in _CHANGE_OPTIONS
    )
    return _add_options(tuple(options), command)


def make_group(help_text: str) -> typer.Typer:
    """Return a command with subcommands; `help_text` is its help."""
    app = typer.Typer(
        rich_markup_mode=None, add_completion=False, no_args_is_help=True, help=help_text
    )
    app.callback()(lambda: None)  # without it, a group of one command would be that command
    return app


def _make_context(
    root: Root = None,
    as_json: Json = False,
    quiet: Quiet = False,
    dry_run: DryRun = False,
    no_commit: NoCommit = False,
    **filters: object,
) -> CommandContext:
    mode = ExecutionMode.WRITE if no_commit else ExecutionMode.COMMIT
    if dry_run:
        mode = ExecutionMode.DRY_RUN_WRITE if no_commit else ExecutionMode.DRY_RUN
    make_filters: Callable[..., FilterOptions] = _make_filter_options
    return CommandContext(OutputPrinter(as_json, quiet), root, mode, make_filters(**filters))


def _make_filter_options(
    project: ProjectFilter = None,
    kind: KindFilter = None,
    status: StatusFilter = None,
    tag: TagFilter = None,
    since: Since = "",
    until: Until = "",
) -> FilterOptions:
    return FilterOptions(project or (), kind or (), status or (), tag or (), since, until)


_CHANGE_OPTIONS = tuple(signature(_make_context, eval_str=True).parameters.values())[:-1]
_READ_OPTIONS = _CHANGE_OPTIONS[:3]
_FILTER_OPTIONS = tuple(signature(_make_filter_options, eval_str=True).parameters.values())


def _add_options(
    options: tuple[Parameter, ...], command: Command[OwnParameters]
) -> Callable[..., None]:
    """Return a function for Typer with the command's own parameters, then the shared options."""
    _, *own = signature(command, eval_str=True).parameters.values()
    make_context: Callable[..., CommandContext] = _make_context  # Typer checks the types

    @wraps(command)
    def run_command(*args: OwnParameters.args, **typed: OwnParameters.kwargs) -> None:
        run = make_context(**{each.name: typed.pop(each.name) for each in options})
        command(run, *args, **typed)

    parameters = (*own, *options)
    run_command.__dict__["__signature__"] = Signature(parameters)
    run_command.__annotations__ = {each.name: each.annotation for each in parameters}
    return run_command
