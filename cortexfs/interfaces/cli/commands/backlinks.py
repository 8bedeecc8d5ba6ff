"""`cortexfs backlinks`."""

from __future__ import annotations

import typer

from cortexfs.interfaces.cli import console
from cortexfs.interfaces.cli.command_context import Run, reading
from cortexfs.interfaces.cli.options import Ref

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@reading
def backlinks(run: Run, ref: Ref) -> None:
    """List the atoms that name an atom, and how.

    Example: cortexfs backlinks driftwood/K-005
    """
    from cortexfs.interfaces.graph_json import backlinks as document
    from cortexfs.operations.graph import backlinks as look

    found = look(run.session(), ref, console.cwd())
    run.say.document(**document(found))
    rows = (
        (tie.source, ", ".join(tie.kinds), str(tie.line), node.status, node.summary)
        for tie in found.ties
        if (node := found.nodes[tie.source])
    )
    run.say.table(("Ref", "How", "Line", "Status", "Summary"), rows)
    if not found.ties:
        run.say.none("no atom names it")
