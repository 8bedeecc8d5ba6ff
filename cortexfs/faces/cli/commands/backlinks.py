"""`cortexfs backlinks`."""

from __future__ import annotations

import typer

from cortexfs.faces.cli import voice
from cortexfs.faces.cli.options import Ref
from cortexfs.faces.cli.running import Run, reading

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@reading
def backlinks(run: Run, ref: Ref) -> None:
    """List the atoms that name an atom, and how.

    Example: cortexfs backlinks driftwood/K-005
    """
    from cortexfs.faces.tied import backlinks as document
    from cortexfs.verbs.graph import backlinks as look

    found = look(run.cortex(), ref, voice.cwd())
    run.say.document(**document(found))
    rows = (
        (tie.source, ", ".join(tie.kinds), str(tie.line), node.status, node.summary)
        for tie in found.ties
        if (node := found.nodes[tie.source])
    )
    run.say.table(("Ref", "How", "Line", "Status", "Summary"), rows)
    if not found.ties:
        run.say.none("no atom names it")
