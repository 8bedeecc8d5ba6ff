"""`cortexfs embed`."""

from __future__ import annotations

import sys

import typer

from cortexfs.interfaces.cli.command_context import CommandContext, read_command

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@read_command
def embed(run: CommandContext) -> None:
    """Embed changed atoms, so that `find` also ranks by similarity.

    Needs the extra `vectors`. `find` starts the same work in the background.

    Example: cortexfs embed
    """
    from cortexfs.operations.embed import embed as embed_atoms

    progress = None
    if sys.stderr.isatty():
        from cortexfs.interfaces.cli.progress import make_progress_bar

        progress = make_progress_bar("embedding")
    done = embed_atoms(run.open_session(), progress)
    run.output.print_document(
        embedded={"new": done.new_count, "done": done.embedded.done, "atoms": done.embedded.total}
    )
    run.output.print_text(f"{done.embedded}, {done.new_count:,} of them now")
