"""`cortexfs ps`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cortexfs.interfaces.cli.command_context import CommandContext, read_command

if TYPE_CHECKING:
    from cortexfs.core.process_events.agent_process import AgentProcess

app = typer.Typer(rich_markup_mode=None, add_completion=False)

_ID_CHARS = 12
_TEXT_CHARS = 60
_HEADS = ("Id", "Type", "Project", "Since", "Last sign of life", "State", "Text")


@app.command()
@read_command
def ps(
    run: CommandContext,
    show_all: Annotated[
        bool, typer.Option("--all", "-a", help="Include what ended or was lost in the last week.")
    ] = False,
) -> None:
    """Show what runs: sessions of agents, sub-agents, background tasks.

    Example: cortexfs ps --all
    """
    from cortexfs.core.text.plural import format_count
    from cortexfs.interfaces.json.processes import to_process_json
    from cortexfs.operations.list_processes import count_unlogged_events, list_processes

    session = run.open_session()
    found = list_processes(session, show_all=show_all)
    run.output.print_document(processes=[to_process_json(each) for each in found])
    run.output.print_table(_HEADS, map(_make_row, found))
    if not found:
        run.output.print_message("nothing is running")
    if unlogged := count_unlogged_events(session):
        count = format_count(unlogged, "event")
        run.output.print_message(f"today's event log is full: {count} not logged")


def _make_row(process: AgentProcess) -> tuple[str, ...]:
    from cortexfs.core.text.sanitize import truncate_line

    state = f"{process.state}, flagged" if process.flagged else str(process.state)
    return (
        process.id[:_ID_CHARS],
        str(process.type),
        process.project,
        f"{process.started[:19]}Z",
        f"{process.last_seen[:19]}Z",
        state,
        truncate_line(process.text, _TEXT_CHARS),
    )
