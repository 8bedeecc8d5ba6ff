"""`cortexfs story recall`; `cortexfs story` has it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cortexfs.core.text.plural import format_count
from cortexfs.interfaces.cli.command_context import CommandContext, read_command
from cortexfs.interfaces.cli.options import Project

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cortexfs.core.stories.message import Message
    from cortexfs.core.stories.recall.recall import RecalledMemory

MAX_LINE = 160
"""Characters that are shown of a message; `--json` has all."""


@read_command
def recall(
    run: CommandContext,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the story.")],
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="TEXT…", help="A question, or `-`: read the last messages from stdin."
        ),
    ],
    project: Project = None,
    limit: Annotated[
        int, typer.Option("--limit", "-n", min=0, max=100, help="Maximum number of memories.")
    ] = 0,
    visible: Annotated[
        int, typer.Option(min=0, help="Number of last messages that are not recalled.")
    ] = 0,
    explain: Annotated[bool, typer.Option("--explain", help="Show each part of a score.")] = False,
    no_reads: Annotated[
        bool, typer.Option("--no-reads", help="Do not count what is recalled as read.")
    ] = False,
) -> None:
    """Recall what of a story matters for a question, or for what was said last.

    On stdin, messages are lines of `Name: text`, oldest first. Those at the end of the story are
    not recalled: whoever asks has them. Each memory that is shown counts as read.

    Example: cortexfs story recall road "What did Kael promise?" -p driftwood --explain
    """
    from cortexfs.interfaces.json.story_recall import to_recall_json
    from cortexfs.operations.stories.recall_story import RecallQuery, recall_story

    session, within = run.open_project(project)
    query = RecallQuery(read_messages(words), 0, limit, not no_reads, visible)
    found = recall_story(session, within, name, query)
    run.output.print_document(recall=to_recall_json(found))
    for memory in found.memories:
        run.output.print_long_text(_format_memory(memory, explain=explain))
    if not found.memories:
        run.output.exit_empty("nothing to recall")


def read_messages(words: list[str]) -> tuple[Message, ...]:
    """Return a typed question as a message, or the messages that stdin has."""
    from cortexfs.core.stories.message import Message
    from cortexfs.interfaces.cli.governance_commands import read_body_file

    if words != ["-"]:
        return (Message("", "", "", "user", " ".join(words)),)
    from cortexfs.core.stories.transcripts.text_lines import parse_plain

    text = read_body_file("-")
    conversations = parse_plain(text, [])
    said = [message for conversation in conversations for message in conversation.messages]
    return tuple(said) or (Message("", "", "", "user", text),)


def _format_memory(memory: RecalledMemory, *, explain: bool) -> Iterator[str]:
    core = ", core" if memory.is_core else ""
    ago = format_count(memory.distance, "message")
    span = f"messages {memory.first} to {memory.last}, {ago} ago"
    yield f"{memory.ref}  {memory.score:.4f}  {span}{core}"
    for message in memory.excerpt:
        yield f"    {_format_line(message.speaker, message.text)}"
    if explain:
        yield f"    {_format_parts(memory.parts)}"


def _format_line(speaker: str, text: str) -> str:
    from cortexfs.core.text.sanitize import truncate_line

    return truncate_line(f"{speaker}: {text}" if speaker else text, MAX_LINE)


def _format_parts(parts: Iterable[tuple[str, float]]) -> str:
    return " + ".join(f"{name} {value:.4f}" for name, value in parts)
