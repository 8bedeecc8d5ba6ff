"""`cortexfs backlinks`."""

from __future__ import annotations

import typer

from cortexfs.interfaces.cli import console
from cortexfs.interfaces.cli.command_context import Run, reading
from cortexfs.interfaces.cli.options import (
    InProjects,
    OfKinds,
    Ref,
    Since,
    Until,
    WithStatus,
    WithTags,
)

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@reading
def backlinks(
    run: Run,
    ref: Ref,
    project: InProjects = None,
    kind: OfKinds = None,
    status: WithStatus = None,
    tag: WithTags = None,
    since: Since = "",
    until: Until = "",
) -> None:
    """List the atoms that link to an atom, and where.

    Example: cortexfs backlinks driftwood/K-005
    """
    from cortexfs.interfaces.json.graph import backlinks as document
    from cortexfs.operations.graph import backlinks as look
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
    found = look(session, ref, console.cwd(), only)
    run.say.document(**document(found))
    rows = (
        (tie.source, ", ".join(tie.kinds), str(tie.line), node.status, node.summary)
        for tie in found.ties
        if (node := found.nodes[tie.source])
    )
    run.say.table(("Ref", "How", "Line", "Status", "Summary"), rows)
    if not found.ties:
        run.say.none("no atom links to it")
