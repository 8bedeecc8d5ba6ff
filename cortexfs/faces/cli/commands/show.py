"""`cortexfs show`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import typer

from cortexfs.core.clean import one_line
from cortexfs.core.saying import counted
from cortexfs.faces.cli import composing, voice
from cortexfs.faces.cli.options import At, Ref, Track
from cortexfs.faces.cli.running import Run, reading

if TYPE_CHECKING:
    from cortexfs.faces.cli.voice import Voice
    from cortexfs.verbs.show import Shown, ShownThen

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@reading
def show(run: Run, ref: Ref, track: Track = True, at: At = None) -> None:
    """Show an atom, who names it, and its past.

    Example: cortexfs show driftwood/EXP-009 --no-track
    """
    from cortexfs.verbs.show import show as look
    from cortexfs.verbs.show import show_at

    cortex = run.cortex()
    if at:
        _show_then(run.say, show_at(cortex, ref, voice.cwd(), at))
    else:
        _show(run.say, look(cortex, ref, voice.cwd(), voice.sources(cortex), track=track))


def _show(say: Voice, found: Shown) -> None:
    """Show an atom: rendered on a terminal, as it stands elsewhere."""
    from cortexfs.faces.documents import shown

    say.document(**shown(found))
    around = [f"{found.path}, {_looks(found)}"]
    if sys.stdout.isatty() and not say.as_json:
        from cortexfs.faces.cli.rich_atom import show as show_rich

        show_rich(found, composing.surroundings(found, around))
    else:
        composing.show(say, found, around)


def _show_then(say: Voice, found: ShownThen) -> None:
    """Show an atom as it was; nothing stands around it but where and when."""
    from cortexfs.faces.documents import then

    say.document(**then(found))
    at = found.at
    about = f"{found.path}, as of {at.commit[:10]} {at.when[:10]} {at.subject}"
    say.data("\n".join([found.text.rstrip("\n"), "", one_line(about)]))


def _looks(found: Shown) -> str:
    """Say how often an atom was looked at, and when last."""
    total = found.entry.total if found.entry else None
    if not (total and total.refs):
        return "never looked at"
    return f"{counted(total.refs, 'look')}, the last {total.last or 'unknown'}"
