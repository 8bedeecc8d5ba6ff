"""`cortexfs index`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cortexfs.core.atoms.tree_paths import has_generated_part
from cortexfs.core.text.plural import format_count
from cortexfs.interfaces.cli import console
from cortexfs.interfaces.cli.command_context import CommandContext, change_command, make_group

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.changes.plan import IndexPlan, WriteMode
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
        bool, typer.Option("--check", help="Write nothing; exit with 1 if an index is out of date.")
    ] = False,
) -> None:
    """Update the index.md files, and the read counts in the atoms.

    Files that would not change are not written.

    Example: cortexfs index regen --all
    """
    say, session = run.output, run.open_session()
    chosen = None if everything else _resolve_projects(session, projects or [])
    if check:
        _check_indexes(say, session, chosen)
    elif run.dry_run:
        from cortexfs.operations.regenerate_indexes import preview_regeneration

        say.print_plan(preview_regeneration(session, chosen))
    else:
        _regenerate(say, session, chosen, run.mode)


def _regenerate(
    say: OutputPrinter, session: Session, chosen: Sequence[str] | None, mode: WriteMode
) -> None:
    from cortexfs.operations.regenerate_indexes import regenerate_indexes as carry_out

    outcome = carry_out(session, chosen, mode=mode)
    say.print_outcome(outcome)
    lists = [write.path for write in outcome.plan.writes if has_generated_part(write.path)]
    _print_indexes(say, outcome.indexes, lists, commit=console.last_commit_id(outcome))
    changed = sum(planned.write is not None for planned in outcome.indexes)
    atoms = len(outcome.plan.writes) - len(lists)
    also = [f"the refs of {format_count(atoms, 'atom')}"] if atoms else []
    also += [format_count(len(lists), "list")] if lists else []
    said = ", and ".join([f"{changed} changed", *also])
    say.print_text(f"{format_count(len(outcome.indexes), 'index')}, {said}")


def _check_indexes(say: OutputPrinter, session: Session, chosen: Sequence[str] | None) -> None:
    from cortexfs.operations.regenerate_indexes import find_stale_indexes

    planned, lists = find_stale_indexes(session, chosen)
    _print_indexes(say, planned, lists, commit=None)
    stale = [*(index.path for index in planned if index.write), *lists]
    all_well = f"{format_count(len(planned), 'index')}, all up to date"
    say.print_lines(*[f"out of date: {path}" for path in stale] or [all_well])
    if stale:
        raise typer.Exit(1)


def _print_indexes(
    say: OutputPrinter, planned: Sequence[IndexPlan], lists: Sequence[str], commit: str | None
) -> None:
    if say.as_json:
        from cortexfs.interfaces.json.tree_state import to_index_json

        indexes = [to_index_json(each) for each in planned]
        say.print_document(indexes=indexes, lists=lists or None, commit=commit)
    for each in planned:
        if each.counts.unreadable:
            say.print_message(
                f"{each.path}: {format_count(each.counts.unreadable, 'file')} could not be read"
            )


def _resolve_projects(session: Session, projects: Sequence[str]) -> list[str]:
    from cortexfs.errors import Usage
    from cortexfs.operations.shared.resolve_names import find_current_project, require_project

    if projects:
        return [require_project(session, name) for name in dict.fromkeys(projects)]
    here = find_current_project(session, console.working_directory())
    if here is None:
        raise Usage("which project?", hint="name one, or say --all")
    return [here]
