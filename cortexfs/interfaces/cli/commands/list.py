"""`cortexfs list`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cortexfs.interfaces.cli.command_context import Run, reading
from cortexfs.interfaces.cli.options import AnyKind, AnyStatus, Project

if TYPE_CHECKING:
    from cortexfs.core.indexes.index_entry import Entry

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command("list")
@reading
def list_atoms(
    run: Run,
    kind: AnyKind = None,
    project: Project = None,
    status: AnyStatus = None,
    tag: Annotated[str | None, typer.Option("--tag", "-t", help="Only with this tag.")] = None,
    since: Annotated[str | None, typer.Option(metavar="DATE", help="Only from then on.")] = None,
    hot: Annotated[bool, typer.Option("--hot", help="Only those with 5 refs or more.")] = False,
    cold: Annotated[bool, typer.Option("--cold", help="Only old ones without refs.")] = False,
) -> None:
    """List atoms, most read first.

    Example: cortexfs list experiment --hot
    """
    from cortexfs.interfaces.json_documents import atom
    from cortexfs.operations.list_atoms import Choice, unreadable
    from cortexfs.operations.list_atoms import list_atoms as choose

    choice = Choice(
        kind=kind, project=project, status=status, tag=tag, since=since, hot=hot, cold=cold
    )
    session = run.session()
    chosen = choose(session, choice)
    with session.view() as view:
        passed_over = unreadable(view)
    run.say.document(atoms=[atom(entry) for entry in chosen], unreadable=passed_over or None)
    run.say.table(("Ref", "Date", "Refs", "Status", "Summary"), map(_row, chosen))
    run.say.unreadable(passed_over)
    if not chosen:
        run.say.none("no atom is like that")


def _row(entry: Entry) -> tuple[str, ...]:
    atom, refs = entry.atom, str(entry.total.refs)
    return atom.ref, atom.text("date"), refs, entry.status.shown, atom.text("summary")
