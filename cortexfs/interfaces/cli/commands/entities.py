"""`cortexfs entities`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cortexfs.interfaces.cli.command_context import CommandContext, read_command
from cortexfs.interfaces.cli.options import (
    KindFilter,
    Limit,
    ProjectFilter,
    Since,
    StatusFilter,
    TagFilter,
    Until,
)

if TYPE_CHECKING:
    from cortexfs.core.find.atom_filter import AtomFilter
    from cortexfs.session.session import Session

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@read_command
def entities(
    run: CommandContext,
    name: Annotated[str, typer.Argument(help="List the atoms that mention this.")] = "",
    sort: Annotated[
        str,
        typer.Option(
            "--sort",
            metavar="SORT",
            help="Sort of entity: file, url, package, symbol, endpoint, variable or version.",
        ),
    ] = "",
    project: ProjectFilter = None,
    kind: KindFilter = None,
    status: StatusFilter = None,
    tag: TagFilter = None,
    since: Since = "",
    until: Until = "",
    limit: Limit = 50,
) -> None:
    """List the files, URLs and packages that atoms mention, or who does.

    Example: cortexfs entities src/pack.rs
    """
    from cortexfs.operations.shared.filters import parse_filters

    session = run.open_session()
    only = parse_filters(
        session,
        kinds=kind,
        projects=project,
        statuses=status,
        tags=tag,
        since=since,
        until=until,
    )
    if name:
        _print_mentions(run, session, name, sort, only)
    else:
        _print_entities(run, session, sort, only, limit)


def _print_entities(
    run: CommandContext, session: Session, sort: str, only: AtomFilter, limit: int
) -> None:
    from cortexfs.interfaces.json.graph import to_entity_json
    from cortexfs.operations.entities import entities as look

    found = look(session, sort, only, limit)
    run.output.print_document(entities=[to_entity_json(each) for each in found])
    run.output.print_table(
        ("Sort", "Name", "Atoms"), ((each.sort, each.name, str(each.atoms)) for each in found)
    )
    if not found:
        run.output.exit_empty("no matches")


def _print_mentions(
    run: CommandContext, session: Session, name: str, sort: str, only: AtomFilter
) -> None:
    from cortexfs.interfaces.json.graph import to_mention_json
    from cortexfs.operations.entities import find_mentions as look

    found = look(session, name, sort, only)
    run.output.print_document(mentions=[to_mention_json(each) for each in found])
    run.output.print_table(
        ("Ref", "Line", "Sort", "Name", "Summary"),
        ((each.ref, str(each.line), each.sort, each.name, each.summary) for each in found),
    )
    if not found:
        run.output.exit_empty("no atom mentions it")
