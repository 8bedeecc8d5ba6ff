"""`cortexfs embed`."""

from __future__ import annotations

import sys

import typer

from cortexfs.interfaces.cli.command_context import Run, reading

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@reading
def embed(run: Run) -> None:
    """Embed changed atoms, so that `find` also matches by meaning.

    Needs the extra `vectors`. `find` also starts this in the background.

    Example: cortexfs embed
    """
    from cortexfs.operations.embed import embed as carry_out

    progress = None
    if sys.stderr.isatty():
        from cortexfs.interfaces.cli.progress import bar

        progress = bar("embedding")
    done = carry_out(run.session(), progress)
    run.say.document(
        embedded={"new": done.now, "done": done.embedded.done, "atoms": done.embedded.total}
    )
    run.say.data(f"{done.embedded}, {done.now:,} of them now")
