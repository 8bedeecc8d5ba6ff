"""`cortexfs event`."""

from __future__ import annotations

from typing import Annotated

import typer

from cortexfs.interfaces.cli.command_context import CommandContext, read_command

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@read_command
def event(
    run: CommandContext,
    type_: Annotated[str, typer.Argument(metavar="TYPE", help="What happened.")],
    session: Annotated[str, typer.Option(metavar="ID", help="Id of the session.")] = "",
    agent: Annotated[str, typer.Option(metavar="ID", help="Id of the sub-agent or task.")] = "",
    text: Annotated[str, typer.Option(metavar="TEXT", help="Prompt, command or status.")] = "",
    project: Annotated[
        str,
        typer.Option("--project", "-p", metavar="NAME", help="Project (default: of this folder)."),
    ] = "",
    client: Annotated[str, typer.Option(metavar="NAME", help="Name of the program.")] = "",
) -> None:
    """Record what an agent does, as the hook of a client does.

    With --session, TYPE is session-started, session-ended, prompt, turn-ended,
    tool-failed, file-edited or compacted. With --agent, it is agent-started, agent-ended,
    task-started, task-status or task-ended.

    Example: cortexfs event task-started --agent build-1 --text "make all"
    """
    import os

    from cortexfs.operations.record_event import EventFields, record_event

    fields = EventFields(type_, session, agent, text, project, client)
    record_event(run.open_session(), fields, run.cwd, os.environ)
    recorded = {"event": type_, "session": session, "agent": agent}
    run.output.print_document(recorded={key: value for key, value in recorded.items() if value})
