"""`cortexfs list`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cortexfs.core.text.nearest_names import nearest_names
from cortexfs.errors import Usage
from cortexfs.interfaces.cli import console
from cortexfs.interfaces.cli.command_context import Run, reading
from cortexfs.interfaces.cli.options import (
    AnyKind,
    InProjects,
    OfKinds,
    Since,
    Until,
    WithStatus,
    WithTags,
)

if TYPE_CHECKING:
    from cortexfs.core.indexes.index_entry import Entry
    from cortexfs.operations.list_atoms import Sort

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command("list")
@reading
def list_atoms(
    run: Run,
    kind: AnyKind = None,
    kinds: OfKinds = None,
    project: InProjects = None,
    status: WithStatus = None,
    tag: WithTags = None,
    since: Since = "",
    until: Until = "",
    hot: Annotated[
        bool, typer.Option("--hot", help="Show only atoms with 5 reads or more.")
    ] = False,
    cold: Annotated[
        bool, typer.Option("--cold", help="Show only old atoms without reads.")
    ] = False,
    sort: Annotated[
        str,
        typer.Option(
            "--sort",
            metavar="KEY",
            help="Sort by reads, date, id, status or title; `-KEY` reverses.",
        ),
    ] = "reads",
    reverse: Annotated[bool, typer.Option("--reverse", help="Reverse the order.")] = False,
    limit: Annotated[
        int | None, typer.Option("--limit", "-n", min=1, help="Maximum number of results.")
    ] = None,
    no_pager: Annotated[bool, typer.Option("--no-pager", help="Print without the pager.")] = False,
) -> None:
    """List atoms, most read first.

    Example: cortexfs list experiment --hot --sort date
    """
    from cortexfs.interfaces.json.atoms import atom
    from cortexfs.operations.list_atoms import Choice, unreadable
    from cortexfs.operations.list_atoms import list_atoms as choose
    from cortexfs.operations.shared.filters import parse_filters

    if no_pager:
        console.without_pager()
    order, backwards = _order(sort)
    session = run.session()
    only = parse_filters(
        session,
        kinds=[*(kinds or ()), *([kind] if kind else ())],
        projects=project,
        statuses=status,
        tags=tag,
        since=since,
        until=until,
    )
    chosen = choose(session, Choice(only, hot, cold), order, reverse=backwards != reverse)[:limit]
    with session.view() as view:
        passed_over = unreadable(view)
    run.say.document(atoms=[atom(entry) for entry in chosen], unreadable=passed_over or None)
    run.say.table(("Ref", "Date", "Refs", "Status", "Summary"), map(_row, chosen))
    run.say.unreadable(passed_over)
    if not chosen:
        run.say.none("no matches")


def _order(text: str) -> tuple[Sort, bool]:
    """Return the key to sort by, and whether a minus before it reverses the order."""
    from cortexfs.operations.list_atoms import Sort

    name = text.removeprefix("-")
    if name not in list(Sort):
        close = nearest_names(name, list(Sort))
        hint = f"did you mean `{close[0]}`?" if close else f"one of: {', '.join(Sort)}"
        raise Usage(f"cannot sort by `{name}`", hint=hint)
    return Sort(name), name != text


def _row(entry: Entry) -> tuple[str, ...]:
    atom, refs = entry.atom, str(entry.total.refs)
    return atom.ref, atom.text("date"), refs, entry.status.shown, atom.text("summary")
