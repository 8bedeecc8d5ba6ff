"""`cortexfs story`."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated

import typer

from cortexfs.core.stories.transcripts.transcript import TranscriptFormat
from cortexfs.core.text.plural import format_count
from cortexfs.interfaces.cli.command_context import (
    CommandContext,
    change_command,
    make_group,
    read_command,
    report_command,
)
from cortexfs.interfaces.cli.commands import (
    story_correct,
    story_explain,
    story_files,
    story_rebuild,
    story_serve,
)
from cortexfs.interfaces.cli.commands.story_files import StoryName
from cortexfs.interfaces.cli.commands.story_recall import recall, render
from cortexfs.interfaces.cli.options import Project
from cortexfs.interfaces.cli.progress import make_session_progress
from cortexfs.interfaces.json import plans

if TYPE_CHECKING:
    from cortexfs.interfaces.cli.console import OutputPrinter
    from cortexfs.operations.stories.import_transcript import TranscriptFile, TranscriptImport

app = make_group("Manage the chats of a project: import, append, show, recall and others.")

MAX_SHOWN = 20
"""Maximum number of refused lines that are printed; `--json` has all."""


@app.command("import")
@report_command
def import_chat(
    run: CommandContext,
    path: Annotated[
        str, typer.Argument(metavar="FILE", help="Transcript; `-` reads it from stdin.")
    ],
    project: Project = None,
    name: Annotated[
        str, typer.Option("--name", metavar="NAME", help="Name of the story (default: its title).")
    ] = "",
    form: Annotated[
        TranscriptFormat | None,
        typer.Option("--format", metavar="FORMAT", help="Format (default: recognized)."),
    ] = None,
) -> None:
    """Import a chat, as a record and as chunks that can be found.

    Formats are sillytavern, chatgpt, claude, claude-code, discord, whatsapp, plain (lines of
    `Name: text`), and record, that of the tree itself. A second import changes only what differs.

    Example: cortexfs story import chat.jsonl -p driftwood --name road --dry-run
    """
    from cortexfs.operations.stories.import_transcript import import_transcript

    file = _read_transcript(run, path, form)
    session, within = run.open_project(project)
    progress = make_session_progress(session, "making chunks")
    done = import_transcript(session, within, file, name, progress=progress, mode=run.mode)
    for story in done.stories:
        run.output.print_outcome(story.outcome)
    _print_import(run.output, done)
    if not done.stories:
        run.output.exit_empty("the file has no messages")


@app.command()
@change_command
def append(
    run: CommandContext,
    name: StoryName,
    speaker: Annotated[
        str, typer.Option("--speaker", metavar="NAME", help="Name of the one who says it.")
    ],
    project: Project = None,
    role: Annotated[
        str, typer.Option(metavar="ROLE", help="user, assistant or system (default: by the name).")
    ] = "",
) -> None:
    """Add a message, read from stdin, at the end of a story.

    A new name begins a story.

    Example: cortexfs story append road --speaker Melina -p driftwood
    """
    from cortexfs.core.stories.message import Message
    from cortexfs.interfaces.cli.governance_commands import read_body_file
    from cortexfs.interfaces.json.stories import to_appended_json
    from cortexfs.operations.stories.append_message import append_message

    session, within = run.open_project(project)
    said = Message("", "", speaker, role, read_body_file("-"))
    done = append_message(session, within, name, said, mode=run.mode)
    if run.dry_run:
        run.output.print_plan(done.plan)
        return
    run.output.print_outcome(done.outcome)
    commit = plans.last_commit_id(done.outcome)
    run.output.print_document(appended=to_appended_json(name, done), commit=commit)
    run.output.print_text(f"{name}\t{done.number}\t{done.chunk_path}")


@app.command("list")
@read_command
def list_all(run: CommandContext, project: Project = None) -> None:
    """List the stories of a project.

    Example: cortexfs story list -p driftwood
    """
    from cortexfs.interfaces.json.stories import to_story_json
    from cortexfs.operations.stories.list_stories import list_stories

    found = list_stories(*run.open_project(project))
    run.output.print_document(stories=list(map(to_story_json, found)))
    rows = [(one.name, str(one.messages), str(one.chunks), one.last_time) for one in found]
    run.output.print_table(("Story", "Messages", "Chunks", "Last message"), rows)
    for one in found:
        if one.outdated:
            chunks = format_count(one.outdated, "chunk")
            run.output.print_message(
                f"{one.name}: {chunks} made with other settings; run "
                f"`cortexfs story rebuild {one.name}`"
            )
        if one.due:
            due = f"{one.due} {'scenes and arcs' if one.due > 1 else 'scene or arc'}"
            run.output.print_message(
                f"{one.name}: {due} to be made; run `cortexfs story rebuild {one.name}`"
            )
        if one.broken:
            lines = format_count(one.broken, "line")
            run.output.print_message(f"{one.name}: {lines} of the record cannot be read")
    if not found:
        run.output.print_message("no stories")


story_files.register_commands(app)
story_correct.register_command(app)
app.command()(recall)
app.command()(render)
story_rebuild.register_commands(app)
story_explain.register_command(app)


def _read_transcript(
    run: CommandContext, path: str, form: TranscriptFormat | None
) -> TranscriptFile:
    from cortexfs.interfaces.cli.governance_commands import read_body_file
    from cortexfs.operations.stories.import_transcript import TranscriptFile
    from cortexfs.session.read_store_file import read_store_file

    if path == "-":
        return TranscriptFile(read_body_file(path, "name a file, which may be larger"), "", form)
    full = os.path.join(run.cwd, os.path.expanduser(path))
    title = os.path.splitext(os.path.basename(path))[0]
    return TranscriptFile(read_store_file(full), title, form)


def _print_import(output: OutputPrinter, done: TranscriptImport) -> None:
    from cortexfs.interfaces.json.stories import to_transcript_json

    commits = [plans.last_commit_id(story.outcome) for story in done.stories]
    commit = next(filter(None, reversed(commits)), None)
    output.print_document(imported=to_transcript_json(done), commit=commit)
    heads = ("Story", "New", "Changed", "Deleted", "Chunks")
    rows = [
        (one.story, *map(str, one.changes[1:4]), str(len(one.files.chunks.writes)))
        for one in done.stories
    ]
    output.print_table(heads, rows)
    for line in done.refused[:MAX_SHOWN]:
        output.print_message(f"line {line.line}: {line.reason}")
    if len(done.refused) > MAX_SHOWN:
        output.print_message(f"and {len(done.refused) - MAX_SHOWN} more; --json lists all")


story_serve.register_command(app)
