"""`cortexfs list`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cortexfs.core.text.nearest_names import nearest_names
from cortexfs.errors import Usage
from cortexfs.interfaces.cli import process_context
from cortexfs.interfaces.cli.command_context import CommandContext, filter_command
from cortexfs.interfaces.cli.options import KindArgument

if TYPE_CHECKING:
    from cortexfs.core.find.atom_criteria import SortKey
    from cortexfs.core.indexes.atom_with_reads import AtomWithReads

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command("list")
@filter_command()
def list_atoms(
    run: CommandContext,
    kind_argument: KindArgument = None,
    hot: Annotated[
        bool, typer.Option("--hot", help="Show only current atoms with 5 reads or more.")
    ] = False,
    cold: Annotated[
        bool,
        typer.Option("--cold", help="Show only current atoms without reads, over 14 days old."),
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
        int | None,
        typer.Option("--limit", "-n", metavar="N", min=1, help="Maximum number of results."),
    ] = None,
    no_pager: Annotated[bool, typer.Option("--no-pager", help="Print without the pager.")] = False,
) -> None:
    """List atoms, most read first.

    Example: cortexfs list experiment --hot --sort date
    """
    from cortexfs.core.find.atom_criteria import AtomCriteria
    from cortexfs.interfaces.json.atoms import to_atom_json
    from cortexfs.operations.list_atoms import count_unreadable
    from cortexfs.operations.list_atoms import list_atoms as select_atoms

    if no_pager:
        process_context.disable_pager()
    order, is_reversed = _parse_sort_key(sort)
    session, only = run.open_filtered(*([kind_argument] if kind_argument else []))
    chosen = select_atoms(
        session,
        AtomCriteria(only, hot, cold),
        order,
        reverse=is_reversed != reverse,
        limit=limit,
    )
    with session.view_without_refresh() as view:
        unreadable = count_unreadable(view)
    run.output.print_document(atoms=map(to_atom_json, chosen), unreadable=unreadable or None)
    run.output.print_table(("Ref", "Date", "Refs", "Status", "Summary"), map(_make_row, chosen))
    run.output.print_unreadable_count(unreadable)
    if not chosen:
        run.output.exit_empty("no matches")


def _parse_sort_key(text: str) -> tuple[SortKey, bool]:
    """Return the sort key, and whether a minus before it reverses the order."""
    from cortexfs.core.find.atom_criteria import SortKey

    name = text.removeprefix("-")
    if name not in list(SortKey):
        close = nearest_names(name, list(SortKey))
        hint = f"did you mean `{close[0]}`?" if close else f"one of: {', '.join(SortKey)}"
        raise Usage(f"cannot sort by `{name}`", hint=hint)
    return SortKey(name), name != text


def _make_row(entry: AtomWithReads) -> tuple[str, ...]:
    atom, refs = entry.atom, str(entry.reads.read_count)
    return (
        atom.ref,
        atom.text_field("date"),
        refs,
        entry.status.display_text,
        atom.text_field("summary"),
    )
