"""`cortexfs user`."""

from __future__ import annotations

from typing import Annotated

import typer

from cortexfs.faces.cli import voice
from cortexfs.faces.cli.governing import tell
from cortexfs.faces.cli.options import DryRun, Json, NoCommit, Quiet, Root
from cortexfs.faces.cli.voice import Voice

app = typer.Typer(rich_markup_mode=None, add_completion=False, no_args_is_help=True)


@app.callback()
def user() -> None:
    """How the user likes to work: show, learn."""


@app.command()
def show(root: Root = None, as_json: Json = False, quiet: Quiet = False) -> None:
    """Show USER.md.

    Example: cortexfs user show
    """
    from cortexfs.verbs.user import show_user

    say = Voice(as_json, quiet)
    text, known = show_user(voice.cortex(root))
    documents = [{"about": one.about, "key": one.key, "value": one.value} for one in known]
    say.document(preferences=documents, text=text)
    say.data(text)


@app.command()
def learn(
    key: Annotated[str, typer.Argument(help="What it is about, in a few words.")],
    value: Annotated[str, typer.Argument(help="What is preferred.")],
    about: Annotated[
        str,
        typer.Option(
            "--type",
            help="Identity, Communication, Output style, Technical context or Working style.",
        ),
    ] = "Working style",
    root: Root = None,
    as_json: Json = False,
    quiet: Quiet = False,
    dry_run: DryRun = False,
    no_commit: NoCommit = False,
) -> None:
    """Write a preference down; one of the same key is replaced.

    Example: cortexfs user learn Spelling British --type Communication
    """
    from cortexfs.verbs.user import learn as put

    say, cortex = Voice(as_json, quiet), voice.cortex(root)
    tell(say, put(cortex, key, value, about, dry_run=dry_run, commit=not no_commit))
