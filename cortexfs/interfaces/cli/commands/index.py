"""`cortexfs index`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cortexfs.core.atoms.tree_paths import is_list
from cortexfs.core.text.plural import counted
from cortexfs.interfaces.cli import console
from cortexfs.interfaces.cli.command_context import Run, changing, group

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.changes.plan import IndexPlan, Mode
    from cortexfs.interfaces.cli.console import Voice
    from cortexfs.session.session import Session

app = group("Update indexes and read counts: regen.")


@app.command()
@changing
def regen(
    run: Run,
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
    say, session = run.say, run.session()
    chosen = None if everything else _chosen(session, projects or [])
    if check:
        _check(say, session, chosen)
    elif run.dry_run:
        from cortexfs.operations.regen import preview

        say.plan(preview(session, chosen))
    else:
        _regen(say, session, chosen, run.mode)


def _regen(say: Voice, session: Session, chosen: Sequence[str] | None, mode: Mode) -> None:
    from cortexfs.operations.regen import regen as carry_out

    outcome = carry_out(session, chosen, mode=mode)
    say.outcome(outcome)
    lists = [write.path for write in outcome.plan.writes if is_list(write.path)]
    _say(say, outcome.indexes, lists, commit=console.last_commit(outcome))
    changed = sum(planned.write is not None for planned in outcome.indexes)
    atoms = len(outcome.plan.writes) - len(lists)
    also = [f"the refs of {counted(atoms, 'atom')}"] if atoms else []
    also += [counted(len(lists), "list")] if lists else []
    said = ", and ".join([f"{changed} changed", *also])
    say.data(f"{counted(len(outcome.indexes), 'index')}, {said}")


def _check(say: Voice, session: Session, chosen: Sequence[str] | None) -> None:
    from cortexfs.operations.regen import stale_indexes

    planned, lists = stale_indexes(session, chosen)
    _say(say, planned, lists, commit=None)
    stale = [*(index.path for index in planned if index.write), *lists]
    all_well = f"{counted(len(planned), 'index')}, all up to date"
    say.lines(*[f"out of date: {path}" for path in stale] or [all_well])
    if stale:
        raise typer.Exit(1)


def _say(
    say: Voice, planned: Sequence[IndexPlan], lists: Sequence[str], commit: str | None
) -> None:
    if say.as_json:
        from cortexfs.interfaces.json.upkeep import index

        indexes = [index(each) for each in planned]
        say.document(indexes=indexes, lists=lists or None, commit=commit)
    for each in planned:
        if each.counts.unreadable:
            say.talk(f"{each.path}: {counted(each.counts.unreadable, 'file')} could not be read")


def _chosen(session: Session, projects: Sequence[str]) -> list[str]:
    from cortexfs.errors import Usage
    from cortexfs.operations.shared.resolve_names import project_here, project_named

    if projects:
        return [project_named(session, name) for name in dict.fromkeys(projects)]
    here = project_here(session, console.cwd())
    if here is None:
        raise Usage("which project?", hint="name one, or say --all")
    return [here]
