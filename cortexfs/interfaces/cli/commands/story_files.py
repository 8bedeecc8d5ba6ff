"""`cortexfs story show`, `colours`, `rename`, `rm`: what concerns one story as a whole."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cortexfs.core.text.plural import format_count
from cortexfs.interfaces.cli.command_context import CommandContext, change_command, read_command
from cortexfs.interfaces.cli.options import Project

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cortexfs.core.stories.chat_record import RecordedMessage

StoryName = Annotated[str, typer.Argument(metavar="NAME", help="Name of the story.")]


@read_command
def show(
    run: CommandContext,
    name: StoryName,
    project: Project = None,
    last: Annotated[
        int, typer.Option("-n", "--last", metavar="N", min=0, help="Only the last N messages.")
    ] = 0,
    first: Annotated[
        int, typer.Option("--from", metavar="N", min=0, help="Number of the first message.")
    ] = 0,
    until: Annotated[
        int, typer.Option("--to", metavar="N", min=0, help="Number of the last message.")
    ] = 0,
) -> None:
    """Show what was said in a story, message by message.

    Each message begins with its number, who says it, and when; tags of colours are left out.
    Exit code 1 if there is none.

    Example: cortexfs story show road -n 10 -p driftwood
    """
    from cortexfs.interfaces.json.stories import to_message_json
    from cortexfs.operations.stories.show_story import MessageRange, show_story

    session, within = run.open_project(project)
    found = show_story(session, within, name, MessageRange(first, until, last))
    messages = list(map(to_message_json, found.messages))
    run.output.print_document(story=name, total=found.total, messages=messages)
    if not found.messages:
        run.output.exit_empty("no messages")
    if not run.output.as_json:
        run.output.page_text("\n".join(_iter_lines(found.messages)) + "\n")


@read_command
def colours(
    run: CommandContext,
    name: Annotated[
        str, typer.Argument(metavar="[NAME]", help="Only the characters of this story.")
    ] = "",
    project: Project = None,
) -> None:
    """List the colours of what characters say, think and narrate.

    They are read from the tags of a chat, and stand in the file of each entity, where you may
    correct them. What is less sure than 0.5 is not written into prompts.

    Example: cortexfs story colours -p driftwood
    """
    from cortexfs.interfaces.json.stories import to_colour_json
    from cortexfs.operations.stories.list_colours import list_colours

    found = list_colours(*run.open_project(project), name)
    run.output.print_document(colours=list(map(to_colour_json, found)))
    heads = ("Ref", "Name", "Usage", "Colour", "Confidence")
    rows = [
        (one.ref, one.name, one.colour.usage, one.colour.colour, f"{one.colour.confidence:.2f}")
        for one in found
    ]
    run.output.print_table(heads, rows)
    if not found:
        run.output.print_message("no colours")


@change_command
def rename(
    run: CommandContext,
    name: StoryName,
    new: Annotated[str, typer.Argument(metavar="NEW", help="New name of the story.")],
    project: Project = None,
) -> None:
    """Give a story another name. `cortexfs undo` takes it back.

    Example: cortexfs story rename road north-road -p driftwood
    """
    from cortexfs.interfaces.json.stories import to_renamed_story_json
    from cortexfs.operations.stories.rename_story import rename_story

    session, within = run.open_project(project)
    done = rename_story(session, within, name, new, mode=run.mode)
    document = {"renamed": to_renamed_story_json(done)}
    if run.output.print_result(done.plan, done.outcome, document):
        files = format_count(len(done.changed_paths), "file")
        run.output.print_message(f"renamed `{name}` to `{new}`; {files} changed")


@change_command
def rm(run: CommandContext, name: StoryName, project: Project = None) -> None:
    """Remove a story, and everything that only it has.

    That is its record, its chunks, scenes and arcs, and entities that no other story has. An
    entity that you have edited stays. `cortexfs undo` brings all back.

    Example: cortexfs story rm road -p driftwood --dry-run
    """
    from cortexfs.interfaces.json.stories import to_removed_story_json
    from cortexfs.operations.stories.remove_story import remove_story

    session, within = run.open_project(project)
    done = remove_story(session, within, name, mode=run.mode)
    document = {"removed": to_removed_story_json(done)}
    if run.output.print_result(done.plan, done.outcome, document):
        files = format_count(len(done.atoms), "file")
        gone = format_count(len(done.entities), "entity")
        run.output.print_message(
            f"removed `{name}`: {files}, {gone}; `cortexfs undo` brings it back"
        )


def register_commands(app: typer.Typer) -> None:
    """Add these commands to `cortexfs story`."""
    for command in (show, colours, rename, rm):
        app.command()(command)


def _iter_lines(messages: tuple[RecordedMessage, ...]) -> Iterator[str]:
    """Yield the lines of messages, as they may be shown in a terminal."""
    from cortexfs.core.stories.colours.coloured_text import remove_colour_tags
    from cortexfs.core.text.sanitize import strip_unprintable, to_one_line

    for place, entry in enumerate(messages):
        message = entry.message
        if place:
            yield ""
        when = f", {message.time}" if message.time else ""
        yield to_one_line(f"#{entry.number} {message.speaker or message.role}{when}")
        text = strip_unprintable(remove_colour_tags(message.text))
        yield from (f"    {line}".rstrip() for line in text.split("\n"))
