"""`cortexfs idea`."""

from __future__ import annotations

from typing import Annotated

import typer

from cortexfs.interfaces.cli import atom_input_and_output, process_context
from cortexfs.interfaces.cli.ask_fields import ask_summary
from cortexfs.interfaces.cli.command_context import (
    CommandContext,
    change_command,
    filter_command,
    make_group,
    read_command,
)
from cortexfs.interfaces.cli.options import (
    BodyFile,
    Edit,
    Links,
    Ref,
    Summary,
    Tags,
    Track,
)

app = make_group("Manage ideas: new, list, show, promote.")


@app.command()
@change_command
def new(
    run: CommandContext,
    words: Annotated[
        str,
        typer.Argument(metavar="[TEXT]", help="Idea; the first sentence becomes the summary."),
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
    from cortexfs.core.atoms.create_atom import AtomDraft
    from cortexfs.operations.idea import idea_kind, render_idea_body, split_idea_text

    session = run.open_session()
    summary, text = split_idea_text(words, summary, text)
    draft = AtomDraft(
        kind=idea_kind(session),
        project="",
        summary=summary,
        tags=atom_input_and_output.split_words(tag),
        fields=atom_input_and_output.parse_ref_fields(links=link),
    )
    draft = ask_summary(draft)
    sections = {"Idea": text, "Why now": why_now, "Next step": next_step}
    composed = render_idea_body(session, draft, sections)
    draft = atom_input_and_output.set_body(
        draft, composed, body_file, has_sections=any(sections.values())
    )
    atom_input_and_output.create_atom(run, session, draft, edit=edit)


@app.command("list")
@filter_command("status", "tag", "since", "until")
def list_all(
    run: CommandContext,
) -> None:
    """List the ideas by id.

    Example: cortexfs idea list --status active
    """
    from cortexfs.interfaces.json.atoms import to_atom_json
    from cortexfs.operations.idea import list_ideas

    session, only = run.open_filtered()
    found = list_ideas(session, only)
    run.output.print_document(ideas=[to_atom_json(entry) for entry in found])
    atom_input_and_output.print_atom_table(run.output, found)


@app.command()
@read_command
def show(run: CommandContext, ref: Ref, track: Track = True) -> None:
    """Show an idea with its backlinks and history.

    Example: cortexfs idea show IDEA-001 --no-track
    """
    from cortexfs.interfaces.json.atoms import to_shown_atom_json
    from cortexfs.operations.idea import show_idea

    session = run.open_session()
    found = show_idea(
        session,
        ref,
        run.cwd,
        process_context.find_sources(session),
        track=track,
    )
    run.output.print_document(**to_shown_atom_json(found))
    atom_input_and_output.print_atom(run.output, found, [found.path])


@app.command()
@change_command
def promote(
    run: CommandContext,
    ref: Ref,
    name: Annotated[str, typer.Argument(help="Name of the project: a-z, 0-9, `.`, `_`, `-`.")],
    goal: Annotated[
        str, typer.Option("--goal", metavar="TEXT", help="Goal (default: the summary).")
    ] = "",
) -> None:
    """Create a project from an idea.

    One commit also links the two.

    Example: cortexfs idea promote IDEA-001 echo --goal "Corrections reach all that cite"
    """
    from cortexfs.operations.idea import promote_idea

    done = promote_idea(run.open_session(), ref, name, goal, run.cwd, mode=run.mode)
    run.output.print_own_changes([done.path] if done.own_changes else [])
    created = {"project": done.project, "path": f"projects/{done.project}"}
    document = {"promoted": {"ref": done.ref, "path": done.path}, "created": created}
    if run.output.print_result(done.plan, done.outcome, document):
        run.output.print_text(f"{done.project}\tprojects/{done.project}")
