"""`cortexfs scan`."""

from __future__ import annotations

from typing import Annotated

import typer

from cortexfs.interfaces.cli.command_context import Run, changing, group, reading
from cortexfs.interfaces.cli.governance_text import rewrite
from cortexfs.interfaces.cli.options import TextFile

app = group("Reports of looking around: new, list.")


@app.command()
@changing
def new(
    run: Run,
    scope: Annotated[str, typer.Option(help="What was looked at.")] = "",
    body_file: TextFile = None,
) -> None:
    """Write today's report, in $EDITOR or from a file; a second one goes below the first.

    Example: cortexfs scan new --scope driftwood --body-file projects/driftwood/STATUS.md
    """
    from cortexfs.operations.scan import new_scan

    session = run.session()
    rewrite(run.say, body_file, "", lambda text, _: new_scan(session, scope, text, mode=run.mode))


@app.command("list")
@reading
def list_all(run: Run) -> None:
    """List the reports, the latest first: day, what was looked at.

    Example: cortexfs scan list
    """
    from cortexfs.operations.scan import list_scans

    found = list_scans(run.session())
    documents = [
        {"date": one.day, "path": one.path, **({"scope": one.scope} if one.scope else {})}
        for one in found
    ]
    run.say.document(scans=documents)
    run.say.table(("Date", "Scope"), [(one.day, one.scope) for one in found])
