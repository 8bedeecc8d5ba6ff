"""`cortexfs show`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import typer

from cortexfs.core.text.plural import format_count
from cortexfs.core.text.sanitize import to_one_line
from cortexfs.interfaces.cli import atom_input_and_output, process_context
from cortexfs.interfaces.cli.command_context import CommandContext, read_command
from cortexfs.interfaces.cli.options import AtCommit, Ref, Track

if TYPE_CHECKING:
    from cortexfs.interfaces.cli.console import OutputPrinter
    from cortexfs.operations.show import PastAtom, ShownAtom

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@read_command
def show(run: CommandContext, ref: Ref, track: Track = True, at: AtCommit = None) -> None:
    """Show an atom with its backlinks and history.

    Example: cortexfs show driftwood/EXP-009 --no-track
    """
    from cortexfs.operations.show import show as show_atom
    from cortexfs.operations.show import show_at

    session = run.open_session()
    if at:
        _print_past(run.output, show_at(session, ref, run.cwd, at))
    else:
        _print_current(
            run.output,
            show_atom(
                session,
                ref,
                run.cwd,
                process_context.find_sources(session),
                track=track,
            ),
        )


def _print_current(output: OutputPrinter, found: ShownAtom) -> None:
    """Print an atom: rendered on a terminal, unchanged elsewhere."""
    from cortexfs.interfaces.json.atoms import to_shown_atom_json

    output.print_document(**to_shown_atom_json(found))
    around = [f"{found.path}, {_format_reads(found)}"]
    if sys.stdout.isatty() and not output.as_json:
        from cortexfs.interfaces.cli.rich_atom import render_atom

        output.page_text(
            render_atom(found.text, atom_input_and_output.format_atom_context(found, around))
        )
    else:
        atom_input_and_output.print_atom(output, found, around)


def _print_past(output: OutputPrinter, found: PastAtom) -> None:
    """Print an atom at a commit, with its path and the commit."""
    from cortexfs.interfaces.json.atoms import to_revision_json

    output.print_document(**to_revision_json(found))
    at = found.commit
    about = f"{found.path}, as of {at.commit[:10]} {at.when[:10]} {at.subject}"
    output.print_text("\n".join([found.text.rstrip("\n"), "", to_one_line(about)]))


def _format_reads(found: ShownAtom) -> str:
    """Return the read count of an atom, and its last read."""
    total = found.entry.reads if found.entry else None
    if not (total and total.read_count):
        return "no reads"
    return f"{format_count(total.read_count, 'read')}, last {total.last_read or 'unknown'}"
