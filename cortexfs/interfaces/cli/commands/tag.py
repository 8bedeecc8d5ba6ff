"""`cortexfs tag`."""

from __future__ import annotations

from typing import Annotated

import typer

from cortexfs.core.text.plural import counted
from cortexfs.interfaces.cli import completion
from cortexfs.interfaces.cli.command_context import Run, changing, group, reading
from cortexfs.interfaces.cli.options import InProjects, OfKinds, WithStatus

app = group("Manage tags: list, rename.")


@app.command("list")
@reading
def list_all(
    run: Run,
    project: InProjects = None,
    kind: OfKinds = None,
    status: WithStatus = None,
    limit: Annotated[
        int | None, typer.Option("--limit", "-n", min=1, help="Maximum number of results.")
    ] = None,
) -> None:
    """List the tags with their numbers of atoms and their projects, most used first.

    Example: cortexfs tag list -p driftwood -n 5
    """
    from cortexfs.operations.shared.filters import parse_filters
    from cortexfs.operations.tag import list_tags

    session = run.session()
    only = parse_filters(session, projects=project, kinds=kind, statuses=status)
    found = list_tags(session, only)[:limit]
    documents = [
        {"tag": each.tag, "atoms": each.atoms, "projects": each.projects} for each in found
    ]
    run.say.document(tags=documents)
    rows = ((each.tag, str(each.atoms), ", ".join(each.projects)) for each in found)
    run.say.table(("Tag", "Atoms", "Projects"), rows)
    if not found:
        run.say.none("no tags")


@app.command()
@changing
def rename(
    run: Run,
    old: Annotated[
        str, typer.Argument(metavar="OLD", help="Present tag.", autocompletion=completion.tags)
    ],
    new: Annotated[
        str, typer.Argument(metavar="NEW", help="New tag.", autocompletion=completion.tags)
    ],
    project: InProjects = None,
) -> None:
    """Rename a tag in every atom, in one commit; if NEW exists, the two are merged.

    Example: cortexfs tag rename residuals residual --dry-run
    """
    from cortexfs.operations.shared.filters import parse_filters
    from cortexfs.operations.tag import rename as carry_out

    session = run.session()
    only = parse_filters(session, projects=project)
    done = carry_out(session, old, new, only, mode=run.mode)
    for path in done.own_changes:
        run.say.talk(f"{path}: your uncommitted changes are included in the commit")
    renamed = {"old": old, "new": new, "paths": done.paths}
    if run.say.done(done.plan, done.outcome, {"renamed": renamed}):
        run.say.lines(f"{old} renamed to {new} in {counted(len(done.paths), 'atom')}")
