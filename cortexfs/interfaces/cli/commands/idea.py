"""`cortexfs idea`."""

from __future__ import annotations

from typing import Annotated

import typer

from cortexfs.interfaces.cli import console, prompts
from cortexfs.interfaces.cli.command_context import Run, changing, group, reading
from cortexfs.interfaces.cli.options import (
    BodyFile,
    Edit,
    Links,
    Ref,
    Since,
    Summary,
    Tags,
    Track,
    Until,
    WithStatus,
    WithTags,
)

app = group("Manage ideas: new, list, show, promote.")


@app.command()
@changing
def new(
    run: Run,
    words: Annotated[
        str,
        typer.Argument(metavar="[TEXT]", help="The idea; the first sentence becomes the summary."),
    ] = "",
    summary: Summary = "",
    tag: Tags = None,
    text: Annotated[str, typer.Option("--idea", metavar="TEXT", help="Text of the idea.")] = "",
    why_now: Annotated[str, typer.Option(metavar="TEXT", help="Reason to try it now.")] = "",
    next_step: Annotated[str, typer.Option(metavar="TEXT", help="First step to test it.")] = "",
    link: Links = None,
    body_file: BodyFile = None,
    edit: Edit = False,
) -> None:
    """Create an idea, and print its ref and path.

    Example: cortexfs idea new "Tides as a clock. They keep time to the minute."
    """
    from cortexfs.core.atoms.create_atom import Draft
    from cortexfs.operations.idea import begun, body_of, kind_of_ideas
    from cortexfs.operations.new_atom import new as make

    session = run.session()
    summary, text = begun(words, summary, text)
    draft = Draft(
        kind=kind_of_ideas(session),
        project="",
        summary=summary,
        tags=prompts.split(tag),
        fields=prompts.refs(links=link),
    )
    said = {"Idea": text, "Why now": why_now, "Next step": next_step}
    composed = body_of(session, draft, said)
    draft = prompts.with_body(draft, composed, body_file, said=any(said.values()))
    prompts.make(run, session, make, draft, edit=edit)


@app.command("list")
@reading
def list_all(
    run: Run,
    status: WithStatus = None,
    tag: WithTags = None,
    since: Since = "",
    until: Until = "",
) -> None:
    """List the ideas by id.

    Example: cortexfs idea list --status active
    """
    from cortexfs.interfaces.json.atoms import atom
    from cortexfs.operations.idea import list_ideas
    from cortexfs.operations.shared.filters import parse_filters

    session = run.session()
    only = parse_filters(session, statuses=status, tags=tag, since=since, until=until)
    found = list_ideas(session, only)
    run.say.document(ideas=[atom(entry) for entry in found])
    prompts.table(run.say, found)


@app.command()
@reading
def show(run: Run, ref: Ref, track: Track = True) -> None:
    """Show an idea with its backlinks and history.

    Example: cortexfs idea show IDEA-001 --no-track
    """
    from cortexfs.interfaces.json.atoms import shown_atom
    from cortexfs.operations.idea import show_idea

    session = run.session()
    found = show_idea(session, ref, console.cwd(), console.sources(session), track=track)
    run.say.document(**shown_atom(found))
    prompts.show(run.say, found, [found.path])


@app.command()
@changing
def promote(
    run: Run,
    ref: Ref,
    name: Annotated[str, typer.Argument(help="Name of the project: a-z, 0-9, `.`, `_`, `-`.")],
    goal: Annotated[
        str, typer.Option("--goal", metavar="TEXT", help="Goal (default: the summary).")
    ] = "",
) -> None:
    """Create a project from an idea, with links both ways, in one commit.

    Example: cortexfs idea promote IDEA-001 echo --goal "Corrections reach all that cite"
    """
    from cortexfs.operations.idea import promote as carry_out

    done = carry_out(run.session(), ref, name, goal, console.cwd(), mode=run.mode)
    if done.own_changes:
        run.say.talk(f"{done.path}: your own changes to it come into the commit")
    made = {"project": done.project, "path": f"projects/{done.project}"}
    said = {"promoted": {"ref": done.ref, "path": done.path}, "created": made}
    if run.say.done(done.plan, done.outcome, said):
        run.say.data(f"{done.project}\tprojects/{done.project}")
