"""`cortexfs scan`."""

from __future__ import annotations

from typing import Annotated

import typer

from cortexfs.interfaces.cli.command_context import (
    CommandContext,
    change_command,
    make_group,
    read_command,
)
from cortexfs.interfaces.cli.governance_commands import replace_file_text
from cortexfs.interfaces.cli.options import TextFile

app = make_group("Manage scan reports: new, list.")


@app.command()
@change_command
def new(
    run: CommandContext,
    scope: Annotated[str, typer.Option(metavar="TEXT", help="Subject of the report.")] = "",
    body_file: TextFile = None,
) -> None:
    """Write the report of today, in your editor or from a file.

    A second report of the same day is appended to the first.

    Example: cortexfs scan new --scope driftwood --body-file projects/driftwood/STATUS.md
    """
    from cortexfs.operations.scan_reports import new_scan

    session = run.open_session()
    replace_file_text(
        run.output, body_file, "", lambda text, _: new_scan(session, scope, text, mode=run.mode)
    )


@app.command("list")
@read_command
def list_all(run: CommandContext) -> None:
    """List the reports with day and subject, newest first.

    Example: cortexfs scan list
    """
    from cortexfs.interfaces.json.projects import to_scan_report_json
    from cortexfs.operations.scan_reports import list_scans

    found = list_scans(run.open_session())
    run.output.print_document(scans=list(map(to_scan_report_json, found)))
    run.output.print_table(("Date", "Scope"), [(one.day, one.scope) for one in found])
