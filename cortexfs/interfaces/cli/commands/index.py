"""`cortexfs index`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cortexfs.core.atoms.tree_paths import has_generated_part
from cortexfs.core.text.plural import format_count
from cortexfs.interfaces.cli.command_context import CommandContext, change_command, make_group
from cortexfs.interfaces.json import plans

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.changes.execution_mode import ExecutionMode
    from cortexfs.core.changes.plan import IndexPlan
    from cortexfs.interfaces.cli.console import OutputPrinter
    from cortexfs.session.session import Session

app = make_group("Update indexes and read counts: regen.")


@app.command()
@change_command
def regen(
    run: CommandContext,
    projects: Annotated[
        list[str] | None,
        typer.Argument(help="Names of projects (default: that of the working directory)."),
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Update every project.")] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; exit with 1 if anything is out of date.")
    ] = False,
) -> None:
    """Update the index.md files, and the read counts in the atoms.

    Also updates the lists in CORTEX.md and OVERVIEW.md. Files that would not change are not
    written.

    Example: cortexfs index regen --all
    """
    output, session = run.output, run.open_session()
    chosen = None if everything else _resolve_projects(session, projects or [], run.cwd)
    if check:
        _check_indexes(output, session, chosen)
    elif run.dry_run:
        from cortexfs.operations.regenerate_indexes import preview_regeneration

        output.print_plan(preview_regeneration(session, chosen))
    else:
        _regenerate(output, session, chosen, run.mode)


def _regenerate(
    output: OutputPrinter, session: Session, chosen: Sequence[str] | None, mode: ExecutionMode
) -> None:
    from cortexfs.operations.regenerate_indexes import regenerate_indexes

    outcome = regenerate_indexes(session, chosen, mode=mode)
    output.print_outcome(outcome)
    lists = [write.path for write in outcome.plan.writes if has_generated_part(write.path)]
    _print_indexes(output, outcome.indexes, lists, commit=plans.last_commit_id(outcome))
    changed = sum(planned.write is not None for planned in outcome.indexes)
    atoms = len(outcome.plan.writes) - len(lists)
    also = [f"read counts of {format_count(atoms, 'atom')}"] if atoms else []
    also += [format_count(len(lists), "list")] if lists else []
    summary = ", and ".join([f"{changed} changed", *also])
    output.print_text(f"{format_count(len(outcome.indexes), 'index')}, {summary}")


def _check_indexes(output: OutputPrinter, session: Session, chosen: Sequence[str] | None) -> None:
    from cortexfs.operations.regenerate_indexes import find_stale_indexes

    planned, lists = find_stale_indexes(session, chosen)
    _print_indexes(output, planned, lists, commit=None)
    stale = [*(index.path for index in planned if index.write), *lists]
    none_stale = f"{format_count(len(planned), 'index')}, all up to date"
    output.print_lines(*[f"out of date: {path}" for path in stale] or [none_stale])
    if stale:
        raise typer.Exit(1)


def _print_indexes(
    output: OutputPrinter, planned: Sequence[IndexPlan], lists: Sequence[str], commit: str | None
) -> None:
    if output.as_json:
        from cortexfs.interfaces.json.tree_state import to_index_json

        indexes = [to_index_json(each) for each in planned]
        output.print_document(indexes=indexes, lists=lists or None, commit=commit)
    for each in planned:
        if each.counts.unreadable:
            output.print_message(
                f"{each.path}: {format_count(each.counts.unreadable, 'file')} could not be read"
            )


def _resolve_projects(session: Session, projects: Sequence[str], cwd: str) -> list[str]:
    from cortexfs.errors import Usage
    from cortexfs.operations.shared.resolve_names import find_current_project, require_project

    if projects:
        return [require_project(session, name) for name in dict.fromkeys(projects)]
    current = find_current_project(session, cwd)
    if current is None:
        raise Usage("no project is given", hint="name one, or add --all")
    return [current]
