"""`cortexfs list`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cortexfs.core.text.nearest_names import nearest_names
from cortexfs.errors import Usage
from cortexfs.interfaces.cli import console
from cortexfs.interfaces.cli.command_context import CommandContext, read_command
from cortexfs.interfaces.cli.options import (
    KindArgument,
    KindFilter,
    ProjectFilter,
    Since,
    StatusFilter,
    TagFilter,
    Until,
)

if TYPE_CHECKING:
    from cortexfs.core.indexes.index_entry import IndexEntry
    from cortexfs.operations.list_atoms import SortKey

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command("list")
@read_command
def list_atoms(
    run: CommandContext,
    kind: KindArgument = None,
    kinds: KindFilter = None,
    project: ProjectFilter = None,
    status: StatusFilter = None,
    tag: TagFilter = None,
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
    from cortexfs.interfaces.json.atoms import to_atom_json
    from cortexfs.operations.list_atoms import AtomSelection, count_unreadable
    from cortexfs.operations.list_atoms import list_atoms as choose
    from cortexfs.operations.shared.filters import parse_filters

    if no_pager:
        console.disable_pager()
    order, backwards = _parse_sort_key(sort)
    session = run.open_session()
    only = parse_filters(
        session,
        kinds=[*(kinds or ()), *([kind] if kind else ())],
        projects=project,
        statuses=status,
        tags=tag,
        since=since,
        until=until,
    )
    chosen = choose(session, AtomSelection(only, hot, cold), order, reverse=backwards != reverse)[
        :limit
    ]
    with session.view_without_refresh() as view:
        passed_over = count_unreadable(view)
    run.output.print_document(
        atoms=[to_atom_json(entry) for entry in chosen], unreadable=passed_over or None
    )
    run.output.print_table(("Ref", "Date", "Refs", "Status", "Summary"), map(_make_row, chosen))
    run.output.print_unreadable_count(passed_over)
    if not chosen:
        run.output.exit_empty("no matches")


def _parse_sort_key(text: str) -> tuple[SortKey, bool]:
    """Return the sort key, and whether a minus before it reverses the order."""
    from cortexfs.operations.list_atoms import SortKey

    name = text.removeprefix("-")
    if name not in list(SortKey):
        close = nearest_names(name, list(SortKey))
        hint = f"did you mean `{close[0]}`?" if close else f"one of: {', '.join(SortKey)}"
        raise Usage(f"cannot sort by `{name}`", hint=hint)
    return SortKey(name), name != text


def _make_row(entry: IndexEntry) -> tuple[str, ...]:
    atom, refs = entry.atom, str(entry.reads.read_count)
    return (
        atom.ref,
        atom.text_field("date"),
        refs,
        entry.status.display_text,
        atom.text_field("summary"),
    )
