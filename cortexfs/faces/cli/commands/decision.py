"""`cortexfs decision`."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, Annotated

import typer

from cortexfs.core.saying import counted
from cortexfs.faces.cli import complete, composing, voice
from cortexfs.faces.cli.composing import BodyFile, Edit, Evidence, Links, Summary, Tags, Words
from cortexfs.faces.cli.options import DryRun, Json, NoCommit, Project, Quiet, Ref, Root
from cortexfs.faces.cli.voice import Voice

if TYPE_CHECKING:
    from cortexfs.verbs.decision import Settled, Told

app = typer.Typer(rich_markup_mode=None, add_completion=False, no_args_is_help=True)

System = Annotated[bool, typer.Option("--system", help="Of the whole tree, of no project.")]
Reason = Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why, in a line.")]


@app.callback()
def decision() -> None:
    """Why things are as they are: new, list, show, accept, reject, supersede."""


@app.command()
def new(
    project: Project = None,
    system: System = False,
    summary: Summary = "",
    tag: Tags = None,
    context: Annotated[str, typer.Option(help="What forces a choice.")] = "",
    alternative: Annotated[Words, typer.Option(help="What could be done; repeat it.")] = None,
    decision: Annotated[str, typer.Option(help="What is chosen, and why.")] = "",
    consequence: Annotated[Words, typer.Option(help="What follows; may be repeated.")] = None,
    evidence: Evidence = None,
    link: Links = None,
    body_file: BodyFile = None,
    edit: Edit = False,
    root: Root = None,
    as_json: Json = False,
    quiet: Quiet = False,
    dry_run: DryRun = False,
    no_commit: NoCommit = False,
) -> None:
    """Propose a decision that weighs at least two alternatives.

    It is one of the project that is named, or around; with --system, or without a project, one of
    the whole tree. Prints the ref and the path; `decision accept` settles it.

    Example: cortexfs decision new -s "Dates in UTC" --alternative UTC --alternative "Local time"
    """
    from cortexfs.core.create import Draft
    from cortexfs.verbs.decision import body_of, kind_of_decisions, level, new_decision

    say, cortex = Voice(as_json, quiet), voice.cortex(root)
    given = {"evidence": composing.split(evidence), "links": composing.split(link)}
    draft = Draft(
        kind=kind_of_decisions(cortex),
        project=level(cortex, project, voice.cwd(), system=system),
        summary=summary,
        tags=composing.split(tag),
        fields={key: refs for key, refs in given.items() if refs},
    )
    weighed, follows = alternative or [], consequence or []
    composed = body_of(cortex, draft, (context, decision), weighed, follows)
    said = bool(context or decision or weighed or follows)
    draft = composing.with_body(draft, composed, body_file, said=said)
    with composing.edited(draft) if edit else nullcontext(draft) as whole:
        made = new_decision(
            cortex, whole, voice.sources(cortex), dry_run=dry_run, commit=not no_commit
        )
    composing.tell(say, made)


@app.command("list")
def list_all(
    project: Project = None,
    system: System = False,
    status: Annotated[str | None, typer.Option(help="Only with this status.")] = None,
    root: Root = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """List the decisions of all levels, in the order in which they were made.

    Example: cortexfs decision list -p lighthouse
    """
    from cortexfs.faces.documents import atom
    from cortexfs.verbs.decision import list_decisions

    say, cortex = Voice(as_json, quiet), voice.cortex(root)
    found = list_decisions(cortex, project, status, system=system)
    say.document(decisions=[atom(entry) for entry in found])
    composing.table(say, found)


@app.command()
def show(
    ref: Ref,
    track: Annotated[bool, typer.Option("--track/--no-track", help="Count it as a look.")] = True,
    root: Root = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Show a decision, what it weighs, and whether it says what was accepted.

    Example: cortexfs decision show lighthouse/DR-0002 --no-track
    """
    from cortexfs.faces.documents import told
    from cortexfs.verbs.decision import show_decision

    say, cortex = Voice(as_json, quiet), voice.cortex(root)
    found = show_decision(cortex, ref, voice.cwd(), voice.sources(cortex), track=track)
    say.document(**told(found))
    composing.show(say, found.shown, _around(found))


@app.command()
def accept(
    ref: Ref,
    reason: Reason = "",
    root: Root = None,
    as_json: Json = False,
    quiet: Quiet = False,
    dry_run: DryRun = False,
    no_commit: NoCommit = False,
) -> None:
    """Accept a decision: it weighs two alternatives, and is not edited any more.

    Example: cortexfs decision accept lighthouse/DR-0002
    """
    from cortexfs.verbs.decision import settle

    say, cortex = Voice(as_json, quiet), voice.cortex(root)
    keeping = {"dry_run": dry_run, "commit": not no_commit}
    _tell(say, settle(cortex, ref, "accepted", voice.cwd(), reason=reason, **keeping))


@app.command()
def reject(
    ref: Ref,
    reason: Reason = "",
    root: Root = None,
    as_json: Json = False,
    quiet: Quiet = False,
    dry_run: DryRun = False,
    no_commit: NoCommit = False,
) -> None:
    """Reject a decision that was proposed; it stays, so that nobody proposes it unawares.

    Example: cortexfs decision reject DR-0003 --reason "Nobody needs it"
    """
    from cortexfs.verbs.decision import settle

    say, cortex = Voice(as_json, quiet), voice.cortex(root)
    keeping = {"dry_run": dry_run, "commit": not no_commit}
    _tell(say, settle(cortex, ref, "rejected", voice.cwd(), reason=reason, **keeping))


@app.command()
def supersede(
    ref: Ref,
    by: Annotated[
        str,
        typer.Option("--by", metavar="REF", help="The later one.", autocompletion=complete.refs),
    ],
    reason: Reason = "",
    root: Root = None,
    as_json: Json = False,
    quiet: Quiet = False,
    dry_run: DryRun = False,
    no_commit: NoCommit = False,
) -> None:
    """Put a later decision in the place of another: it is accepted thereby, and links back.

    Example: cortexfs decision supersede lighthouse/DR-0001 --by lighthouse/DR-0002
    """
    from cortexfs.verbs.decision import supersede as carry_out

    say, cortex = Voice(as_json, quiet), voice.cortex(root)
    keeping = {"dry_run": dry_run, "commit": not no_commit}
    _tell(say, carry_out(cortex, ref, by, voice.cwd(), reason=reason, **keeping))


def _around(found: Told) -> list[str]:
    """Say what stands around a decision: what it weighs, and whether it says what was accepted."""
    lines = [f"{found.shown.path}, weighs {counted(len(found.alternatives), 'alternative')}"]
    if held := found.held:
        now = f"changed since, at line {held.line}" if held.line else "not changed since"
        made = held.made
        lines.append(f"accepted by {made.commit[:10]} {made.when[:10]} {made.subject}: {now}")
    return lines


def _tell(say: Voice, done: Settled) -> None:
    for path in done.own_changes:
        say.talk(f"{path}: your own changes to it come into the commit")
    if done.outcome is None:
        say.plan(done.plan)
        return
    from cortexfs.faces.documents import settled

    say.outcome(done.outcome)
    commit = voice.last_commit(done.outcome) if done.touches else None
    say.document(**settled(done), commit=commit)
    if done.touches:
        say.table(("Ref", "What"), [(touch.ref, touch.what) for touch in done.touches])
    else:
        say.lines(f"{done.ref} is {done.status} already")
