"""`cortexfs scan`."""

from __future__ import annotations

from typing import Annotated

import typer

from cortexfs.interfaces.cli.command_context import Run, changing, group, reading
from cortexfs.interfaces.cli.governance_text import rewrite
from cortexfs.interfaces.cli.options import TextFile

app = group("Manage scan reports: new, list.")


@app.command()
@changing
def new(
    run: Run,
    scope: Annotated[str, typer.Option(metavar="TEXT", help="Subject of the report.")] = "",
    body_file: TextFile = None,
) -> None:
    """Write the report of today, in $EDITOR or from a file; a second one is appended.

    Example: cortexfs scan new --scope driftwood --body-file projects/driftwood/STATUS.md
    """
    from cortexfs.operations.scan import new_scan

    session = run.session()
    rewrite(run.say, body_file, "", lambda text, _: new_scan(session, scope, text, mode=run.mode))


@app.command("list")
@reading
def list_all(run: Run) -> None:
    """List the reports with day and subject, newest first.

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
