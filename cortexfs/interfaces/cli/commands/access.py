"""`cortexfs access`."""

from __future__ import annotations

from cortexfs.interfaces.cli.command_context import Run, changing, group, reading
from cortexfs.interfaces.cli.options import Limit, Project

app = group("What was looked at: log, top, rotate.")


@app.command()
@reading
def log(run: Run, project: Project = None, limit: Limit = 20) -> None:
    """Show the latest looks, newest first.

    Example: cortexfs access log -n 5
    """
    from cortexfs.interfaces.json_documents import seen
    from cortexfs.operations.access import latest

    found = latest(run.session(), project, limit)
    run.say.document(looks=[seen(each) for each in found])
    rows = ((s.look.ts, s.look.tool, f"{s.project}/{s.look.file}") for s in found)
    run.say.table(("When", "Tool", "What"), rows)


@app.command()
@reading
def top(run: Run, project: Project = None, limit: Limit = 10) -> None:
    """Show the most read atoms.

    Example: cortexfs access top -n 3
    """
    from cortexfs.interfaces.json_documents import atom
    from cortexfs.operations.access import top as most_read

    found = most_read(run.session(), project, limit)
    run.say.document(atoms=[atom(entry) for entry in found])
    rows = (
        (str(e.total.refs), e.atom.ref, e.total.last[:10], e.atom.text("summary")) for e in found
    )
    run.say.table(("Refs", "Ref", "Last ref", "Summary"), rows)


@app.command()
@changing
def rotate(run: Run, project: Project = None) -> None:
    """Move past months of the logs into files of their own; they go on counting.

    Example: cortexfs access rotate --dry-run
    """
    from cortexfs.operations.access import rotate as carry_out

    plan, outcome = carry_out(run.session(), project, mode=run.mode)
    written = [write.path for write in plan.writes]
    if run.say.done(plan, outcome, {"rotated": written}):
        run.say.lines(*written or ["no month is over"])
