"""`cortexfs user`."""

from __future__ import annotations

from typing import Annotated

import typer

from cortexfs.interfaces.cli.command_context import Run, changing, group, reading
from cortexfs.interfaces.cli.governance_text import tell

app = group("Manage what is known about the user: show, learn.")


@app.command()
@reading
def show(run: Run) -> None:
    """Show USER.md.

    Example: cortexfs user show
    """
    from cortexfs.operations.user import show_user

    text, known = show_user(run.session())
    documents = [{"section": one.about, "key": one.key, "value": one.value} for one in known]
    run.say.document(preferences=documents, content=text)
    run.say.data(text)


@app.command()
@changing
def learn(
    run: Run,
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
    """Record a preference; one with the same key is replaced.

    Example: cortexfs user learn Spelling British --type Communication
    """
    from cortexfs.operations.user import learn as put

    tell(run.say, put(run.session(), key, value, about, mode=run.mode))
