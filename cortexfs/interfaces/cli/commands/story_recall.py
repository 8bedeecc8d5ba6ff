"""`cortexfs story recall` and `story render`; `cortexfs story` has them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cortexfs.core.settings.story_settings import Formatter
from cortexfs.core.text.plural import format_count
from cortexfs.interfaces.cli.command_context import CommandContext, read_command
from cortexfs.interfaces.cli.commands.story_files import StoryName
from cortexfs.interfaces.cli.options import Project

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cortexfs.core.stories.message import Message
    from cortexfs.core.stories.recall.recall import RecalledMemory

MAX_BUDGET = 100_000
MAX_LINE = 160
"""Characters that are shown of a message; `--json` has all."""


Asked = Annotated[
    list[str],
    typer.Argument(metavar="TEXT…", help="A question, or `-`: read the last messages from stdin."),
]
Limit = Annotated[
    int,
    typer.Option(
        "--limit",
        "-n",
        metavar="N",
        min=0,
        max=100,
        help="Maximum number of memories (0: by the settings).",
    ),
]
Visible = Annotated[int, typer.Option(min=0, help="Number of last messages that are not recalled.")]
Explained = Annotated[bool, typer.Option("--explain", help="Show each part of a score.")]
NoReads = Annotated[bool, typer.Option("--no-reads", help="Do not count what is recalled as read.")]
TemplateFile = Annotated[
    str, typer.Argument(metavar="FILE", help="Template; `-` reads it from stdin.")
]
Question = Annotated[
    str, typer.Option("--for", metavar="TEXT", help="Question (default: the last messages).")
]
ChosenFormat = Annotated[
    Formatter | None,
    typer.Option("--format", metavar="FORMAT", help="Format (default: of the settings)."),
]
Budget = Annotated[
    int,
    typer.Option(
        metavar="N",
        min=0,
        max=MAX_BUDGET,
        help="Maximum number of tokens of all macros (0: by the settings).",
    ),
]


@read_command
def recall(
    run: CommandContext,
    name: StoryName,
    words: Asked,
    project: Project = None,
    limit: Limit = 0,
    visible: Visible = 0,
    explain: Explained = False,
    no_reads: NoReads = False,
) -> None:
    """Recall what matters for a question or for the last messages.

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


@read_command
def render(
    run: CommandContext,
    name: StoryName,
    template: TemplateFile,
    question: Question = "",
    project: Project = None,
    formatter: ChosenFormat = None,
    budget: Budget = 0,
    visible: Visible = 0,
) -> None:
    """Expand the macros of a template with what a story recalls.

    Macros are memories, memoriesRaw, memorySalience, entities, entityFacts::NAME, relationships,
    arc, characterColors, entityCount and cortexActive, in double braces; others stay as they are.
    Formats are shadow, attributed, clinical and minimal. Nothing of this counts as read.

    Example: cortexfs story render road preset.txt -p driftwood --format clinical
    """
    from cortexfs.core.stories.message import Message
    from cortexfs.interfaces.cli.governance_commands import read_body_file
    from cortexfs.interfaces.json.story_recall import to_recall_json
    from cortexfs.operations.stories.recall_story import RecallQuery
    from cortexfs.operations.stories.render_story_template import render_story_template

    session, within = run.open_project(project)
    said = (Message("", "", "", "user", question),) if question else ()
    query = RecallQuery(said, budget, 0, False, visible)  # noqa: FBT003 - reads
    text = read_body_file(template)
    done = render_story_template(session, within, name, text, query, formatter)
    run.output.print_document(rendered={"text": done.text, "recall": to_recall_json(done.recall)})
    run.output.print_text(done.text)


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
    from cortexfs.core.stories.colours.coloured_text import remove_colour_tags
    from cortexfs.core.text.sanitize import truncate_line

    plain = remove_colour_tags(text)
    return truncate_line(f"{speaker}: {plain}" if speaker else plain, MAX_LINE)


def _format_parts(parts: Iterable[tuple[str, float]]) -> str:
    return " + ".join(f"{name} {value:.4f}" for name, value in parts)
