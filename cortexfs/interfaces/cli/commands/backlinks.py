"""`cortexfs backlinks`."""

from __future__ import annotations

import typer

from cortexfs.interfaces.cli import console
from cortexfs.interfaces.cli.command_context import CommandContext, read_command
from cortexfs.interfaces.cli.options import (
    KindFilter,
    ProjectFilter,
    Ref,
    Since,
    StatusFilter,
    TagFilter,
    Until,
)

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@read_command
def backlinks(
    run: CommandContext,
    ref: Ref,
    project: ProjectFilter = None,
    kind: KindFilter = None,
    status: StatusFilter = None,
    tag: TagFilter = None,
    since: Since = "",
    until: Until = "",
) -> None:
    """List the atoms that link to an atom, and where.

    Example: cortexfs backlinks driftwood/K-005
    """
    from cortexfs.interfaces.json.graph import to_backlinks_json as document
    from cortexfs.operations.explore_links import backlinks as look
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
    found = look(session, ref, console.working_directory(), only)
    run.output.print_document(**document(found))
    rows = (
        (tie.source, ", ".join(tie.kinds), str(tie.line), node.status, node.summary)
        for tie in found.links
        if (node := found.nodes[tie.source])
    )
    run.output.print_table(("Ref", "How", "Line", "Status", "Summary"), rows)
    if not found.links:
        run.output.exit_empty("no atom links to it")
