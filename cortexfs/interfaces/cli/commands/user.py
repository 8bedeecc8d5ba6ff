"""`cortexfs user`."""

from __future__ import annotations

from typing import Annotated

import typer

from cortexfs.interfaces.cli.command_context import (
    CommandContext,
    change_command,
    make_group,
    read_command,
)
from cortexfs.interfaces.cli.governance_commands import print_governance_change

app = make_group("Manage the preferences of the user: show, learn.")


@app.command()
@read_command
def show(run: CommandContext) -> None:
    """Show USER.md.

    Example: cortexfs user show
    """
    from cortexfs.interfaces.json.projects import to_preference_json
    from cortexfs.operations.user import show_user

    text, known = show_user(run.open_session())
    run.output.print_document(preferences=list(map(to_preference_json, known)), content=text)
    run.output.print_text(text)


@app.command()
@change_command
def learn(
    run: CommandContext,
    key: Annotated[str, typer.Argument(help="Subject, in a few words.")],
    value: Annotated[str, typer.Argument(help="Preference.")],
    about: Annotated[
        str,
        typer.Option(
            "--type",
            help="Section: Identity, Communication, Output style, Technical context, ….",
        ),
    ] = "Working style",
) -> None:
    """Record a preference; it replaces one with the same key.

    Example: cortexfs user learn Spelling British --type Communication
    """
    from cortexfs.operations.user import learn_preference

    print_governance_change(
        run.output, learn_preference(run.open_session(), key, value, about, mode=run.mode)
    )
