"""`cortexfs show`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import typer

from cortexfs.core.text.plural import counted
from cortexfs.core.text.sanitize import one_line
from cortexfs.interfaces.cli import console, prompts
from cortexfs.interfaces.cli.command_context import Run, reading
from cortexfs.interfaces.cli.options import At, Ref, Track

if TYPE_CHECKING:
    from cortexfs.interfaces.cli.console import Voice
    from cortexfs.operations.show import Shown, ShownThen

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@reading
def show(run: Run, ref: Ref, track: Track = True, at: At = None) -> None:
    """Show an atom with its backlinks and history.

    Example: cortexfs show driftwood/EXP-009 --no-track
    """
    from cortexfs.operations.show import show as look
    from cortexfs.operations.show import show_at

    session = run.session()
    if at:
        _show_then(run.say, show_at(session, ref, console.cwd(), at))
    else:
        _show(run.say, look(session, ref, console.cwd(), console.sources(session), track=track))


def _show(say: Voice, found: Shown) -> None:
    """Print an atom: rendered on a terminal, as it is elsewhere."""
    from cortexfs.interfaces.json.atoms import shown_atom

    say.document(**shown_atom(found))
    around = [f"{found.path}, {_looks(found)}"]
    if sys.stdout.isatty() and not say.as_json:
        from cortexfs.interfaces.cli.rich_atom import render

        say.paged(render(found.text, prompts.surroundings(found, around)))
    else:
        prompts.show(say, found, around)


def _show_then(say: Voice, found: ShownThen) -> None:
    """Print an atom as it was, with its path and commit."""
    from cortexfs.interfaces.json.atoms import shown_revision

    say.document(**shown_revision(found))
    at = found.at
    about = f"{found.path}, as of {at.commit[:10]} {at.when[:10]} {at.subject}"
    say.data("\n".join([found.text.rstrip("\n"), "", one_line(about)]))


def _looks(found: Shown) -> str:
    """Return how often an atom was read, and when last."""
    total = found.entry.total if found.entry else None
    if not (total and total.refs):
        return "no reads"
    return f"{counted(total.refs, 'read')}, last {total.last or 'unknown'}"
