"""`cortexfs path`."""

from __future__ import annotations

import typer

from cortexfs.interfaces.cli import console
from cortexfs.interfaces.cli.command_context import Run, reading
from cortexfs.interfaces.cli.options import Ref

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@reading
def path(run: Run, one: Ref, other: Ref) -> None:
    """Show the shortest chain of links from one atom to another.

    Example: cortexfs path driftwood/K-005 lighthouse/EXP-009
    """
    from cortexfs.core.graph.draw import how
    from cortexfs.interfaces.json.graph import chain as document
    from cortexfs.operations.graph import path as walk

    found = walk(run.session(), one, other, console.cwd())
    run.say.document(**document(found))
    ties = {(tie.source, tie.target): tie for tie in found.ties}
    rows = (
        (ref, how(before, ref, ties), node.status, node.summary)
        for before, ref in zip(found.refs[:1] + found.refs, found.refs, strict=False)
        if (node := found.nodes[ref])
    )
    run.say.table(("Ref", "How", "Status", "Summary"), rows)
    if not found.refs:
        run.say.none("no links connect them")
