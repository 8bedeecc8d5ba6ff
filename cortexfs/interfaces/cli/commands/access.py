"""`cortexfs access`."""

from __future__ import annotations

from cortexfs.interfaces.cli.command_context import (
    CommandContext,
    change_command,
    make_group,
    read_command,
)
from cortexfs.interfaces.cli.options import (
    KindFilter,
    Limit,
    Project,
    ProjectFilter,
    Since,
    StatusFilter,
    TagFilter,
    Until,
)

app = make_group("Show which atoms were read: log, top, rotate.")


@app.command()
@read_command
def log(
    run: CommandContext,
    project: ProjectFilter = None,
    kind: KindFilter = None,
    status: StatusFilter = None,
    tag: TagFilter = None,
    since: Since = "",
    until: Until = "",
    limit: Limit = 20,
) -> None:
    """Show the latest access events, newest first.

    Example: cortexfs access log -n 5
    """
    from cortexfs.interfaces.json.atoms import to_access_event_json
    from cortexfs.operations.access import list_access_events
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
    found = list_access_events(session, limit, only)
    run.output.print_document(**{"access-events": [to_access_event_json(each) for each in found]})
    rows = ((s.event.ts, s.event.tool, f"{s.project}/{s.event.file}") for s in found)
    run.output.print_table(("When", "Tool", "File"), rows)


@app.command()
@read_command
def top(
    run: CommandContext,
    project: ProjectFilter = None,
    kind: KindFilter = None,
    status: StatusFilter = None,
    tag: TagFilter = None,
    limit: Limit = 10,
) -> None:
    """Show the most read atoms.

    Example: cortexfs access top -n 3
    """
    from cortexfs.interfaces.json.atoms import to_atom_json
    from cortexfs.operations.access import list_most_read as most_read
    from cortexfs.operations.shared.filters import parse_filters

    session = run.open_session()
    only = parse_filters(session, kinds=kind, projects=project, statuses=status, tags=tag)
    found = most_read(session, limit, only)
    run.output.print_document(atoms=[to_atom_json(entry) for entry in found])
    rows = (
        (str(e.reads.read_count), e.atom.ref, e.reads.last_read[:10], e.atom.text_field("summary"))
        for e in found
    )
    run.output.print_table(("Refs", "Ref", "Last ref", "Summary"), rows)


@app.command()
@change_command
def rotate(run: CommandContext, project: Project = None) -> None:
    """Move past months of the access logs into files of their own; they still count.

    Example: cortexfs access rotate --dry-run
    """
    from cortexfs.operations.access import rotate_access_logs as carry_out

    plan, outcome = carry_out(run.open_session(), project, mode=run.mode)
    written = [write.path for write in plan.writes]
    if run.output.print_result(plan, outcome, {"rotated": written}):
        run.output.print_lines(*written or ["nothing to rotate: no past month in the logs"])
