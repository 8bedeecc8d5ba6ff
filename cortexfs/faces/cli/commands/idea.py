"""`cortexfs idea`."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Annotated

import typer

from cortexfs.faces.cli import composing, voice
from cortexfs.faces.cli.composing import BodyFile, Edit, Links, Summary, Tags
from cortexfs.faces.cli.options import DryRun, Json, NoCommit, Quiet, Ref, Root
from cortexfs.faces.cli.voice import Voice

app = typer.Typer(rich_markup_mode=None, add_completion=False, no_args_is_help=True)


@app.callback()
def idea() -> None:
    """What could become a project: new, list, show, promote."""


@app.command()
def new(
    summary: Summary = "",
    tag: Tags = None,
    text: Annotated[str, typer.Option("--idea", metavar="TEXT", help="What it is.")] = "",
    why_now: Annotated[str, typer.Option(metavar="TEXT", help="Why it is worth a look.")] = "",
    next_step: Annotated[str, typer.Option(metavar="TEXT", help="What would show it.")] = "",
    link: Links = None,
    body_file: BodyFile = None,
    edit: Edit = False,
    root: Root = None,
    as_json: Json = False,
    quiet: Quiet = False,
    dry_run: DryRun = False,
    no_commit: NoCommit = False,
) -> None:
    """Note an idea. Prints the ref and the path.

    Example: cortexfs idea new -s "Tides as a clock" -t time --next-step "Find a tide table"
    """
    from cortexfs.core.create import Draft
    from cortexfs.verbs.idea import body_of, kind_of_ideas
    from cortexfs.verbs.new import new as make

    say, cortex = Voice(as_json, quiet), voice.cortex(root)
    links = composing.split(link)
    draft = Draft(
        kind=kind_of_ideas(cortex),
        project="",
        summary=summary,
        tags=composing.split(tag),
        fields={"links": links} if links else {},
    )
    said = {"Idea": text, "Why now": why_now, "Next step": next_step}
    composed = body_of(cortex, draft, said)
    draft = composing.with_body(draft, composed, body_file, said=any(said.values()))
    with composing.edited(draft) if edit else nullcontext(draft) as whole:
        made = make(cortex, whole, voice.sources(cortex), dry_run=dry_run, commit=not no_commit)
    composing.tell(say, made)


@app.command("list")
def list_all(
    status: Annotated[str | None, typer.Option(help="Only with this status.")] = None,
    root: Root = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """List the ideas, in the order in which they were noted.

    Example: cortexfs idea list --status active
    """
    from cortexfs.faces.documents import atom
    from cortexfs.verbs.idea import list_ideas

    say = Voice(as_json, quiet)
    found = list_ideas(voice.cortex(root), status)
    say.document(ideas=[atom(entry) for entry in found])
    composing.table(say, found)


@app.command()
def show(
    ref: Ref,
    track: Annotated[bool, typer.Option("--track/--no-track", help="Count it as a look.")] = True,
    root: Root = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Show an idea, who names it, and its past.

    Example: cortexfs idea show IDEA-001 --no-track
    """
    from cortexfs.faces.documents import shown
    from cortexfs.verbs.idea import show_idea

    say, cortex = Voice(as_json, quiet), voice.cortex(root)
    found = show_idea(cortex, ref, voice.cwd(), voice.sources(cortex), track=track)
    say.document(**shown(found))
    composing.show(say, found, [found.path])


@app.command()
def promote(
    ref: Ref,
    name: Annotated[str, typer.Argument(help="The project: a-z, 0-9, `.`, `_` and `-`.")],
    goal: Annotated[str, typer.Option("--goal", help="Its goal; default: the summary.")] = "",
    root: Root = None,
    as_json: Json = False,
    quiet: Quiet = False,
    dry_run: DryRun = False,
    no_commit: NoCommit = False,
) -> None:
    """Make a project of an idea, with links both ways, in one commit.

    Example: cortexfs idea promote IDEA-001 echo --goal "Corrections reach all that cite"
    """
    from cortexfs.verbs.idea import promote as carry_out

    say, cortex = Voice(as_json, quiet), voice.cortex(root)
    keeping = {"dry_run": dry_run, "commit": not no_commit}
    done = carry_out(cortex, ref, name, goal, voice.cwd(), **keeping)
    if done.own_changes:
        say.talk(f"{done.path}: your own changes to it come into the commit")
    if done.outcome is None:
        say.plan(done.plan)
        return
    say.outcome(done.outcome)
    made = {"project": done.project, "path": f"projects/{done.project}"}
    promoted = {"ref": done.ref, "path": done.path}
    say.document(promoted=promoted, created=made, commit=voice.last_commit(done.outcome))
    say.data(f"{done.project}\tprojects/{done.project}")
