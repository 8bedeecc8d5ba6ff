"""`cortexfs doctor`."""

from __future__ import annotations

import os

import typer

from cortexfs.faces.cli import voice
from cortexfs.faces.cli.options import Json, Quiet, Root
from cortexfs.faces.cli.voice import Voice

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
def doctor(root: Root = None, as_json: Json = False, quiet: Quiet = False) -> None:
    """Tell what is wired, what is wrong, and what mends it.

    Changes nothing. Exit code 1 where something is wrong.

    Example: cortexfs doctor
    """
    from cortexfs.verbs.doctor import doctor as look

    say = Voice(as_json, quiet)
    facts = look(voice.cortex(root), os.environ)
    said = [{key: value for key, value in fact._asdict().items() if value != ""} for fact in facts]
    say.document(facts=said)
    rows = (("ok" if f.well else "!", f.about, f.found, f.mend) for f in facts)
    say.table(("", "About", "Found", "Mend it with"), rows)
    if not all(fact.well for fact in facts):
        raise typer.Exit(1)
