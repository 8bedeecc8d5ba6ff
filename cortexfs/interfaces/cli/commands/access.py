"""`cortexfs access`."""

from __future__ import annotations

from cortexfs.interfaces.cli.command_context import (
    CommandContext,
    change_command,
    filter_command,
    make_group,
)
from cortexfs.interfaces.cli.options import Limit, Project

app = make_group("Show which atoms were read: log, top, rotate.")

DEFAULT_EVENT_LIMIT, DEFAULT_ATOM_LIMIT = 20, 10
"""Numbers of results without --limit."""


@app.command()
@filter_command()
def log(run: CommandContext, limit: Limit = DEFAULT_EVENT_LIMIT) -> None:
    """Show the latest access events, newest first.

    Example: cortexfs access log -n 5
    """
    from cortexfs.interfaces.json.atoms import to_access_event_json
    from cortexfs.operations.access_log_reports import list_access_events

    session, only = run.open_filtered()
    found = list_access_events(session, limit, only)
    run.output.print_document(**{"access-events": [to_access_event_json(each) for each in found]})
    rows = ((s.event.ts, s.event.tool, f"{s.project}/{s.event.file}") for s in found)
    run.output.print_table(("When", "Tool", "File"), rows)
    run.output.print_limit_note(len(found), limit, DEFAULT_EVENT_LIMIT)


@app.command("top")
@filter_command("project", "kind", "status", "tag")
def show_most_read(run: CommandContext, limit: Limit = DEFAULT_ATOM_LIMIT) -> None:
    """Show the most read atoms.

    Example: cortexfs access top -n 3
    """
    from cortexfs.interfaces.json.atoms import to_atom_json
    from cortexfs.operations.access_log_reports import list_most_read

    session, only = run.open_filtered()
    found = list_most_read(session, limit, only)
    run.output.print_document(atoms=[to_atom_json(entry) for entry in found])
    rows = (
        (str(e.reads.read_count), e.atom.ref, e.reads.last_read[:10], e.atom.text_field("summary"))
        for e in found
    )
    run.output.print_table(("Refs", "Ref", "Last ref", "Summary"), rows)
    run.output.print_limit_note(len(found), limit, DEFAULT_ATOM_LIMIT)


@app.command()
@change_command
def rotate(run: CommandContext, project: Project = None) -> None:
    """Move past months of the access logs to separate files.

    Reads in these files still count.

    Example: cortexfs access rotate --dry-run
    """
    from cortexfs.operations.access_log_reports import rotate_access_logs

    plan, outcome = rotate_access_logs(run.open_session(), project, mode=run.mode)
    written = [write.path for write in plan.writes]
    if run.output.print_result(plan, outcome, {"rotated": written}):
        run.output.print_lines(*written or ["nothing to rotate: no past month in the logs"])
