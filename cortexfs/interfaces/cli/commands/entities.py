"""`cortexfs entities`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cortexfs.interfaces.cli.command_context import Run, reading
from cortexfs.interfaces.cli.options import (
    InProjects,
    Limit,
    OfKinds,
    Since,
    Until,
    WithStatus,
    WithTags,
)

if TYPE_CHECKING:
    from cortexfs.core.find.filters import Only
    from cortexfs.session.session import Session

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@reading
def entities(
    run: Run,
    name: Annotated[str, typer.Argument(help="List the atoms that mention this.")] = "",
    sort: Annotated[
        str,
        typer.Option(
            "--sort",
            metavar="SORT",
            help="Sort of entity: file, url, package, symbol, endpoint, variable or version.",
        ),
    ] = "",
    project: InProjects = None,
    kind: OfKinds = None,
    status: WithStatus = None,
    tag: WithTags = None,
    since: Since = "",
    until: Until = "",
    limit: Limit = 50,
) -> None:
    """List the files, URLs and packages that atoms mention, or who does.

    Example: cortexfs entities src/pack.rs
    """
    from cortexfs.operations.shared.filters import parse_filters

    session = run.session()
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
        _mentions(run, session, name, sort, only)
    else:
        _named(run, session, sort, only, limit)


def _named(run: Run, session: Session, sort: str, only: Only, limit: int) -> None:
    from cortexfs.interfaces.json.graph import entity
    from cortexfs.operations.entities import entities as look

    found = look(session, sort, only, limit)
    run.say.document(entities=[entity(each) for each in found])
    run.say.table(
        ("Sort", "Name", "Atoms"), ((each.sort, each.name, str(each.atoms)) for each in found)
    )
    if not found:
        run.say.none("no matches")


def _mentions(run: Run, session: Session, name: str, sort: str, only: Only) -> None:
    from cortexfs.interfaces.json.graph import mention
    from cortexfs.operations.entities import mentions as look

    found = look(session, name, sort, only)
    run.say.document(mentions=[mention(each) for each in found])
    run.say.table(
        ("Ref", "Line", "Sort", "Name", "Summary"),
        ((each.ref, str(each.line), each.sort, each.name, each.summary) for each in found),
    )
    if not found:
        run.say.none("no atom mentions it")
