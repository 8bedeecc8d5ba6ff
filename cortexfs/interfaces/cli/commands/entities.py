"""`cortexfs entities`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cortexfs.interfaces.cli.command_context import Run, reading
from cortexfs.interfaces.cli.options import Limit, Project

if TYPE_CHECKING:
    from cortexfs.session.session import Session

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@reading
def entities(
    run: Run,
    name: Annotated[str, typer.Argument(help="Who names this; default: what is named.")] = "",
    sort: Annotated[
        str,
        typer.Option(help="file, url, package, symbol, endpoint, variable or version."),
    ] = "",
    project: Project = None,
    limit: Limit = 50,
) -> None:
    """List what atoms name: files, URLs, packages, symbols; or who names one.

    Example: cortexfs entities src/pack.rs
    """
    session = run.session()
    if name:
        _mentions(run, session, name, sort, project or "")
    else:
        _named(run, session, sort, project or "", limit)


def _named(run: Run, session: Session, sort: str, project: str, limit: int) -> None:
    from cortexfs.operations.entities import entities as look

    found = look(session, sort, project, limit)
    run.say.document(entities=[each._asdict() for each in found])
    run.say.table(
        ("Sort", "Name", "Atoms"), ((each.sort, each.name, str(each.atoms)) for each in found)
    )
    if not found:
        run.say.none("nothing of the kind is named")


def _mentions(run: Run, session: Session, name: str, sort: str, project: str) -> None:
    from cortexfs.operations.entities import mentions as look

    found = look(session, name, sort, project)
    run.say.document(mentions=[each._asdict() for each in found])
    run.say.table(
        ("Ref", "Line", "Sort", "Name", "Summary"),
        ((each.ref, str(each.line), each.sort, each.name, each.summary) for each in found),
    )
    if not found:
        run.say.none("no atom names it")
