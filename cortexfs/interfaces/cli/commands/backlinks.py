"""`cortexfs backlinks`."""

from __future__ import annotations

from typing import Annotated

import typer

from cortexfs.interfaces.cli.command_context import CommandContext, filter_command
from cortexfs.interfaces.cli.options import Ref

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@filter_command()
def backlinks(
    run: CommandContext,
    ref: Ref,
    limit: Annotated[
        int | None,
        typer.Option(
            "--limit", "-n", metavar="N", min=1, help="Maximum number of results (default: all)."
        ),
    ] = None,
) -> None:
    """List the atoms that link to an atom, and where.

    Example: cortexfs backlinks driftwood/K-005
    """
    from cortexfs.interfaces.json.graph import to_backlinks_json
    from cortexfs.operations.explore_links import backlinks as find_backlinks

    session, only = run.open_filtered()
    found = find_backlinks(session, ref, run.cwd, only, limit)
    run.output.print_document(**to_backlinks_json(found))
    rows = (
        (link.source, ", ".join(link.kinds), str(link.line), node.status, node.summary)
        for link in found.links
        if (node := found.nodes[link.source])
    )
    run.output.print_table(("Ref", "How", "Line", "Status", "Summary"), rows)
    if not found.links:
        run.output.exit_empty("no atom links to it")
