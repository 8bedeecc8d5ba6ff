"""`cortexfs entities`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cortexfs.interfaces.cli.command_context import CommandContext, filter_command
from cortexfs.interfaces.cli.options import Limit

if TYPE_CHECKING:
    from cortexfs.core.find.atom_filter import AtomFilter
    from cortexfs.session.session import Session

app = typer.Typer(rich_markup_mode=None, add_completion=False)

DEFAULT_LIMIT = 50
"""Number of results without --limit."""


@app.command()
@filter_command()
def entities(
    run: CommandContext,
    name: Annotated[
        str, typer.Argument(metavar="[NAME]", help="Name of an entity, or a part of it.")
    ] = "",
    sort: Annotated[
        str,
        typer.Option(
            "--sort",
            metavar="TYPE",
            help="Type of entity: file, url, package, symbol, endpoint, variable, version, flag, "
            "table or error.",
        ),
    ] = "",
    limit: Limit = DEFAULT_LIMIT,
) -> None:
    """List the files, URLs and packages that atoms mention.

    With NAME, lists the atoms that mention it.

    Example: cortexfs entities src/pack.rs
    """
    session, only = run.open_filtered()
    if name:
        _print_mentions(run, session, name, sort, only)
    else:
        _print_entities(run, session, sort, only, limit)


def _print_entities(
    run: CommandContext, session: Session, sort: str, only: AtomFilter, limit: int
) -> None:
    from cortexfs.interfaces.json.graph import to_entity_json
    from cortexfs.operations.entities import entities as count_entities

    found = count_entities(session, sort, only, limit)
    run.output.print_document(entities=[to_entity_json(each) for each in found])
    run.output.print_table(
        ("Type", "Name", "Atoms"), ((each.sort, each.name, str(each.atoms)) for each in found)
    )
    if not found:
        run.output.exit_empty("no matches")
    run.output.print_limit_note(len(found), limit, DEFAULT_LIMIT)


def _print_mentions(
    run: CommandContext, session: Session, name: str, sort: str, only: AtomFilter
) -> None:
    from cortexfs.interfaces.json.graph import to_mention_json
    from cortexfs.operations.entities import find_mentions

    found = find_mentions(session, name, sort, only)
    run.output.print_document(mentions=[to_mention_json(each) for each in found])
    run.output.print_table(
        ("Ref", "Line", "Type", "Name", "Summary"),
        ((each.ref, str(each.line), each.sort, each.name, each.summary) for each in found),
    )
    if not found:
        run.output.exit_empty("no atom mentions it")
