"""`cortexfs tui`."""

from __future__ import annotations

import gc
import os
import sys
from contextlib import closing
from typing import Annotated

import typer

from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.errors import Refused
from cortexfs.interfaces.cli.command_context import CommandContext
from cortexfs.interfaces.cli.console import OutputPrinter
from cortexfs.interfaces.cli.options import Quiet, Root

ESCAPE_DELAY_MS = "25"
"""Milliseconds after which a lone Escape is a key and no beginning of another key."""
HINT = "`cortexfs brief` and `list` print text"
MAX_AGE_S = 1.0
"""Maximum seconds by which a page may be behind a change on disk."""

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
def tui(
    theme: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            envvar="CORTEXFS_THEME",
            help="Colours: auto, dark, light, or a theme of Textual.",
        ),
    ] = "auto",
    root: Root = None,
    quiet: Quiet = False,
) -> None:
    """Open the terminal panel: browse, search and change the tree.

    `?` shows all keys. Each change shows its plan and asks, and `u` takes it back. Without a
    terminal it is refused.

    Example: cortexfs tui --theme light
    """
    _require_terminal_and_library()
    os.environ.setdefault("ESCDELAY", ESCAPE_DELAY_MS)  # Textual reads it when it is imported
    from cortexfs.interfaces.owner_name import find_owner_name
    from cortexfs.interfaces.tui.app import PanelApp
    from cortexfs.interfaces.tui.page import PanelContext
    from cortexfs.interfaces.tui.themes import choose_theme

    gc.enable()  # this process lives long
    run = CommandContext(OutputPrinter(quiet=quiet), root, ExecutionMode.COMMIT)
    with closing(run.open_session()) as session:
        session.reader.progress = None  # its bar would be drawn into the panel
        session.serve_reads(MAX_AGE_S)
        context = PanelContext(session, run.cwd, os.environ, find_owner_name())
        panel = PanelApp(context, choose_theme(theme, os.environ))
        with session.comparisons.watch_events():
            panel.run()
    if panel.crash:
        raise panel.crash


def _require_terminal_and_library() -> None:
    """Raise `Refused` without a terminal, and if the extra is not installed."""
    from cortexfs.operations.shared.extras import require_extra

    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise Refused("the panel needs a terminal", hint=HINT)
    if os.environ.get("TERM") == "dumb":
        raise Refused("this terminal cannot move its cursor (TERM is `dumb`)", hint=HINT)
    require_extra("tui")
