"""`cortexfs show`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from cortexfs.core.clean import one_line
from cortexfs.core.saying import counted
from cortexfs.faces.cli import voice
from cortexfs.faces.cli.options import At, Json, Quiet, Ref, Root
from cortexfs.faces.cli.voice import Voice

if TYPE_CHECKING:
    from cortexfs.verbs.show import Shown, ShownThen

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
def show(
    ref: Ref,
    track: Annotated[bool, typer.Option("--track/--no-track", help="Count it as a look.")] = True,
    at: At = None,
    root: Root = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Show an atom, who names it, and its past.

    Example: cortexfs show driftwood/EXP-009 --no-track
    """
    from cortexfs.faces.documents import shown
    from cortexfs.verbs.show import show as look
    from cortexfs.verbs.show import show_at

    say = Voice(as_json, quiet)
    cortex = voice.cortex(root)
    if at:
        _show_then(say, show_at(cortex, ref, voice.cwd(), at))
        return
    found = look(cortex, ref, voice.cwd(), voice.sources(cortex), track=track)
    say.document(**shown(found))
    if sys.stdout.isatty() and not as_json:
        from cortexfs.faces.cli.rich_atom import show as show_rich

        show_rich(found, _around(found))
    else:
        say.data("\n".join([found.text.rstrip("\n"), "", *_around(found)]))


def _show_then(say: Voice, found: ShownThen) -> None:
    """Show an atom as it was; nothing stands around it but where and when."""
    from cortexfs.faces.documents import then

    say.document(**then(found))
    at = found.at
    about = f"{found.path}, as of {at.commit[:10]} {at.when[:10]} {at.subject}"
    say.data("\n".join([found.text.rstrip("\n"), "", one_line(about)]))


def _around(found: Shown) -> list[str]:
    """Say what stands around an atom: where it is, its refs, who names it, its past."""
    total = found.entry.total if found.entry else None
    looks = "never looked at"
    if total and total.refs:
        looks = f"{counted(total.refs, 'look')}, the last {total.last or 'unknown'}"
    lines = [f"{found.path}, {looks}"]
    if found.backlinks:
        lines.append(f"named by {', '.join(found.backlinks)}")
    lines += [f"line {flaw.line}: {flaw.message}" for flaw in found.changed]
    lines += [f"{past.commit[:10]} {past.when[:10]} {past.subject}" for past in found.past]
    return [one_line(line) for line in lines]
