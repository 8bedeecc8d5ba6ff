"""`cortexfs access`."""

from __future__ import annotations

from cortexfs.interfaces.cli.command_context import Run, changing, group, reading
from cortexfs.interfaces.cli.options import (
    InProjects,
    Limit,
    OfKinds,
    Project,
    Since,
    Until,
    WithStatus,
    WithTags,
)

app = group("Show which atoms were read: log, top, rotate.")


@app.command()
@reading
def log(
    run: Run,
    project: InProjects = None,
    kind: OfKinds = None,
    status: WithStatus = None,
    tag: WithTags = None,
    since: Since = "",
    until: Until = "",
    limit: Limit = 20,
) -> None:
    """Show the latest access events, newest first.

    Example: cortexfs access log -n 5
    """
    from cortexfs.interfaces.json.atoms import access_event
    from cortexfs.operations.access import latest
    from cortexfs.operations.shared.filters import parse_filters

    session = run.session()
    only = parse_filters(
        session,
        kinds=kind,
        projects=project,
        statuses=status,
        tags=tag,
        since=since,
        until=until,
    )
    found = latest(session, limit, only)
    run.say.document(**{"access-events": [access_event(each) for each in found]})
    rows = ((s.look.ts, s.look.tool, f"{s.project}/{s.look.file}") for s in found)
    run.say.table(("When", "Tool", "File"), rows)


@app.command()
@reading
def top(
    run: Run,
    project: InProjects = None,
    kind: OfKinds = None,
    status: WithStatus = None,
    tag: WithTags = None,
    limit: Limit = 10,
) -> None:
    """Show the most read atoms.

    Example: cortexfs access top -n 3
    """
    from cortexfs.interfaces.json.atoms import atom
    from cortexfs.operations.access import top as most_read
    from cortexfs.operations.shared.filters import parse_filters

    session = run.session()
    only = parse_filters(session, kinds=kind, projects=project, statuses=status, tags=tag)
    found = most_read(session, limit, only)
    run.say.document(atoms=[atom(entry) for entry in found])
    rows = (
        (str(e.total.refs), e.atom.ref, e.total.last[:10], e.atom.text("summary")) for e in found
    )
    run.say.table(("Refs", "Ref", "Last ref", "Summary"), rows)


@app.command()
@changing
def rotate(run: Run, project: Project = None) -> None:
    """Move past months of the access logs into files of their own; they still count.

    Example: cortexfs access rotate --dry-run
    """
    from cortexfs.operations.access import rotate as carry_out

    plan, outcome = carry_out(run.session(), project, mode=run.mode)
    written = [write.path for write in plan.writes]
    if run.say.done(plan, outcome, {"rotated": written}):
        run.say.lines(*written or ["nothing to rotate: no past month in the logs"])
