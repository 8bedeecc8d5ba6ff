"""`cortexfs brief`."""

from __future__ import annotations

from typing import Annotated

import typer

from cortexfs.interfaces.cli.command_context import CommandContext, read_command
from cortexfs.interfaces.cli.options import Project

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@read_command
def brief(
    run: CommandContext,
    project: Project = None,
    budget: Annotated[
        int | None,
        typer.Option(metavar="TOKENS", help="Maximum number of tokens (default: 500 words)."),
    ] = None,
) -> None:
    """Show what a session should know at its start: state, blockers, knowledge.

    Without --project it is about the project of the working directory, or the whole tree.

    Example: cortexfs brief -p driftwood
    """
    from cortexfs.interfaces.json.bulletin import to_brief_json
    from cortexfs.operations.brief import brief as make_brief
    from cortexfs.operations.shared.resolve_names import find_current_project

    session = run.open_session()
    found = make_brief(session, project or find_current_project(session, run.cwd) or "", budget)
    run.output.print_document(brief=to_brief_json(found))
    run.output.print_text(found.text)
    if budget is not None:
        run.output.print_message(f"{found.bulletin.length} {found.budget.unit}")
