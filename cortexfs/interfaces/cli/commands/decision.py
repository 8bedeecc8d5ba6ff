"""`cortexfs decision`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cortexfs.core.text.plural import counted
from cortexfs.interfaces.cli import completion, console, prompts
from cortexfs.interfaces.cli.command_context import Run, changing, group, reading
from cortexfs.interfaces.cli.options import (
    BodyFile,
    Edit,
    Evidence,
    InProjects,
    Links,
    Project,
    Reason,
    Ref,
    Since,
    Summary,
    Tags,
    Track,
    Until,
    WithStatus,
    WithTags,
    Words,
)

if TYPE_CHECKING:
    from cortexfs.interfaces.cli.console import Voice
    from cortexfs.operations.decision import Settled, Told

app = group("Manage decisions: new, list, show, accept, reject, supersede.")

System = Annotated[
    bool, typer.Option("--system", help="Decision of the whole tree, of no project.")
]


@app.command()
@changing
def new(
    run: Run,
    project: Project = None,
    system: System = False,
    summary: Summary = "",
    tag: Tags = None,
    context: Annotated[
        str, typer.Option(metavar="TEXT", help="Reason why a choice is needed.")
    ] = "",
    alternative: Annotated[
        Words, typer.Option(metavar="TEXT", help="Alternative; give at least two.")
    ] = None,
    decision: Annotated[
        str, typer.Option(metavar="TEXT", help="Choice, and the reason for it.")
    ] = "",
    consequence: Annotated[
        Words, typer.Option(metavar="TEXT", help="Consequence; may be repeated.")
    ] = None,
    evidence: Evidence = None,
    link: Links = None,
    body_file: BodyFile = None,
    edit: Edit = False,
) -> None:
    """Propose a decision with at least two alternatives.

    It belongs to --project, or to the project of the working directory; with --system, or
    without a project, to the whole tree. Prints the ref and the path.

    Example: cortexfs decision new -s "Dates in UTC" --alternative UTC --alternative "Local time"
    """
    from cortexfs.core.atoms.create_atom import Draft
    from cortexfs.operations.decision import body_of, kind_of_decisions, level, new_decision

    session = run.session()
    draft = Draft(
        kind=kind_of_decisions(session),
        project=level(session, project, console.cwd(), system=system),
        summary=summary,
        tags=prompts.split(tag),
        fields=prompts.refs(evidence=evidence, links=link),
    )
    weighed, follows = alternative or [], consequence or []
    composed = body_of(session, draft, (context, decision), weighed, follows)
    said = bool(context or decision or weighed or follows)
    draft = prompts.with_body(draft, composed, body_file, said=said)
    prompts.make(run, session, new_decision, draft, edit=edit)


@app.command("list")
@reading
def list_all(
    run: Run,
    project: InProjects = None,
    system: System = False,
    status: WithStatus = None,
    tag: WithTags = None,
    since: Since = "",
    until: Until = "",
) -> None:
    """List the decisions of the tree and of its projects, by id.

    Example: cortexfs decision list -p lighthouse
    """
    from cortexfs.interfaces.json.atoms import atom
    from cortexfs.operations.decision import list_decisions
    from cortexfs.operations.shared.filters import parse_filters

    session = run.session()
    only = parse_filters(
        session, projects=project, statuses=status, tags=tag, since=since, until=until
    )
    found = list_decisions(session, only, system=system)
    run.say.document(decisions=[atom(entry) for entry in found])
    prompts.table(run.say, found)


@app.command()
@reading
def show(run: Run, ref: Ref, track: Track = True) -> None:
    """Show a decision, its alternatives, and whether it was edited after it was accepted.

    Example: cortexfs decision show lighthouse/DR-0002 --no-track
    """
    from cortexfs.interfaces.json.atoms import shown_decision
    from cortexfs.operations.decision import show_decision

    session = run.session()
    found = show_decision(session, ref, console.cwd(), console.sources(session), track=track)
    run.say.document(**shown_decision(found))
    prompts.show(run.say, found.shown, _around(found))


@app.command()
@changing
def accept(run: Run, ref: Ref, reason: Reason = "") -> None:
    """Accept a decision with at least two alternatives; after that it is not edited.

    Example: cortexfs decision accept lighthouse/DR-0002
    """
    _settle(run, ref, "accepted", reason)


@app.command()
@changing
def reject(run: Run, ref: Ref, reason: Reason = "") -> None:
    """Reject a proposed decision; it stays in the tree as a record.

    Example: cortexfs decision reject DR-0003 --reason "Nobody needs it"
    """
    _settle(run, ref, "rejected", reason)


@app.command()
@changing
def supersede(
    run: Run,
    ref: Ref,
    by: Annotated[
        str,
        typer.Option(
            "--by", metavar="REF", help="Ref of the later decision.", autocompletion=completion.refs
        ),
    ],
    reason: Reason = "",
) -> None:
    """Supersede a decision by a later one, which is accepted and links back.

    Example: cortexfs decision supersede lighthouse/DR-0001 --by lighthouse/DR-0002
    """
    from cortexfs.operations.decision import supersede as carry_out

    done = carry_out(run.session(), ref, by, console.cwd(), reason=reason, mode=run.mode)
    _tell(run.say, done)


def _around(found: Told) -> list[str]:
    """Say what stands around a decision: what it weighs, and whether it says what was accepted."""
    lines = [f"{found.shown.path}, weighs {counted(len(found.alternatives), 'alternative')}"]
    if held := found.held:
        now = f"changed since, at line {held.line}" if held.line else "not changed since"
        made = held.made
        lines.append(f"accepted by {made.commit[:10]} {made.when[:10]} {made.subject}: {now}")
    return lines


def _settle(run: Run, ref: str, word: str, reason: str) -> None:
    from cortexfs.operations.decision import settle

    done = settle(run.session(), ref, word, console.cwd(), reason=reason, mode=run.mode)
    _tell(run.say, done)


def _tell(say: Voice, done: Settled) -> None:
    from cortexfs.interfaces.json.changes import settled

    for path in done.own_changes:
        say.talk(f"{path}: your own changes to it come into the commit")
    if not say.done(done.plan, done.outcome, settled(done), changed=bool(done.touches)):
        return
    if done.touches:
        say.table(("Ref", "What"), [(touch.ref, touch.what) for touch in done.touches])
    else:
        say.lines(f"{done.ref} is {done.status} already")
