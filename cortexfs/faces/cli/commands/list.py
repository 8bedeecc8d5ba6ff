"""`cortexfs list`."""

from __future__ import annotations

from typing import Annotated

import typer

from cortexfs.faces.cli import voice
from cortexfs.faces.cli.options import AnyKind, Json, Project, Quiet, Root
from cortexfs.faces.cli.voice import Voice

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command("list")
def list_atoms(
    kind: AnyKind = None,
    project: Project = None,
    status: Annotated[str | None, typer.Option(help="Only with this status.")] = None,
    tag: Annotated[str | None, typer.Option("--tag", "-t", help="Only with this tag.")] = None,
    since: Annotated[str | None, typer.Option(metavar="DATE", help="Only from then on.")] = None,
    hot: Annotated[bool, typer.Option("--hot", help="Only those with 5 refs or more.")] = False,
    cold: Annotated[bool, typer.Option("--cold", help="Only old ones without refs.")] = False,
    root: Root = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """List atoms, most read first.

    Example: cortexfs list experiment --hot
    """
    from cortexfs.faces.documents import atom
    from cortexfs.verbs.list_atoms import Choice
    from cortexfs.verbs.list_atoms import list_atoms as choose

    say = Voice(as_json, quiet)
    choice = Choice(
        kind=kind, project=project, status=status, tag=tag, since=since, hot=hot, cold=cold
    )
    chosen = choose(voice.cortex(root), choice)
    say.document(atoms=[atom(entry) for entry in chosen])
    rows = (
        (
            entry.atom.ref,
            entry.atom.text("date"),
            str(entry.total.refs),
            entry.status.shown,
            entry.atom.text("summary"),
        )
        for entry in chosen
    )
    say.table(("Ref", "Date", "Refs", "Status", "Summary"), rows)
    if not chosen:
        say.talk("no atom is like that")
        raise typer.Exit(1)
