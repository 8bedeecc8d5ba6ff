"""`cortexfs path`."""

from __future__ import annotations

import typer

from cortexfs.interfaces.cli.command_context import CommandContext, read_command
from cortexfs.interfaces.cli.options import FromRef, ToRef

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command("path")
@read_command
def show_link_chain(run: CommandContext, start: FromRef, end: ToRef) -> None:
    """Show the shortest chain of links from one atom to another.

    Example: cortexfs path driftwood/K-005 lighthouse/EXP-009
    """
    from cortexfs.core.graph.render_graph import format_link_directions
    from cortexfs.interfaces.json.graph import to_chain_json
    from cortexfs.operations.explore_links import find_path

    found = find_path(run.open_session(), start, end, run.cwd)
    run.output.print_document(**to_chain_json(found))
    links = {(link.source, link.target): link for link in found.links}
    rows = (
        (ref, format_link_directions(before, ref, links), node.status, node.summary)
        for before, ref in zip(found.refs[:1] + found.refs, found.refs, strict=False)
        if (node := found.nodes[ref])
    )
    run.output.print_table(("Ref", "How", "Status", "Summary"), rows)
    if not found.refs:
        run.output.exit_empty("no links connect them")
