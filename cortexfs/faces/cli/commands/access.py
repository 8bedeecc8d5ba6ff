"""`cortexfs access`."""

from __future__ import annotations

import typer

from cortexfs.faces.cli import voice
from cortexfs.faces.cli.options import DryRun, Json, Limit, NoCommit, Project, Quiet, Root
from cortexfs.faces.cli.voice import Voice

app = typer.Typer(rich_markup_mode=None, add_completion=False, no_args_is_help=True)


@app.callback()
def access() -> None:
    """What was looked at: log, top, rotate."""


@app.command()
def log(
    project: Project = None,
    limit: Limit = 20,
    root: Root = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Show the latest looks, newest first.

    Example: cortexfs access log -n 5
    """
    from cortexfs.faces.documents import seen
    from cortexfs.verbs.access import latest

    say = Voice(as_json, quiet)
    found = latest(voice.cortex(root), project, limit)
    say.document(looks=[seen(each) for each in found])
    rows = ((s.look.ts, s.look.tool, f"{s.project}/{s.look.file}") for s in found)
    say.table(("When", "Tool", "What"), rows)


@app.command()
def top(
    project: Project = None,
    limit: Limit = 10,
    root: Root = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Show the most read atoms.

    Example: cortexfs access top -n 3
    """
    from cortexfs.faces.documents import atom
    from cortexfs.verbs.access import top as most_read

    say = Voice(as_json, quiet)
    found = most_read(voice.cortex(root), project, limit)
    say.document(atoms=[atom(entry) for entry in found])
    rows = (
        (str(e.total.refs), e.atom.ref, e.total.last[:10], e.atom.text("summary")) for e in found
    )
    say.table(("Refs", "Ref", "Last ref", "Summary"), rows)


@app.command()
def rotate(
    project: Project = None,
    root: Root = None,
    as_json: Json = False,
    quiet: Quiet = False,
    dry_run: DryRun = False,
    no_commit: NoCommit = False,
) -> None:
    """Move past months of the logs into files of their own; they go on counting.

    Example: cortexfs access rotate --dry-run
    """
    from cortexfs.verbs.access import rotate as carry_out

    say = Voice(as_json, quiet)
    plan, outcome = carry_out(voice.cortex(root), project, dry_run=dry_run, commit=not no_commit)
    if outcome is None:
        say.plan(plan)
        return
    say.outcome(outcome)
    written = [write.path for write in plan.writes]
    say.document(rotated=written, commit=voice.last_commit(outcome))
    say.lines(*written or ["no month is over"])
