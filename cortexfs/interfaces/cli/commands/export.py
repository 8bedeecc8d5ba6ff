"""`cortexfs export`."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from cortexfs.core.find.atom_filter import split_values
from cortexfs.core.text.plural import format_count
from cortexfs.interfaces.cli.command_context import CommandContext, read_command
from cortexfs.interfaces.cli.options import ProjectFilter
from cortexfs.operations.export_memories import ExportFormat

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@read_command
def export(
    run: CommandContext,
    file: Annotated[
        str | None, typer.Argument(metavar="[FILE]", help="File to write (default: stdout).")
    ] = None,
    form: Annotated[
        ExportFormat, typer.Option("--format", help="Format of the export.")
    ] = ExportFormat.CORTEXFS,
    project: ProjectFilter = None,
    include_personal: Annotated[
        bool, typer.Option("--include-personal", help="Include personal memories.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")] = False,
) -> None:
    """Export memories as one JSON document.

    Exports observations, sessions and prompts with all fields, and the logged reads of each;
    `cortexfs import` makes an equal tree of them. With --format engram, the document is one that
    engram and Cortex import.

    Example: cortexfs export --project driftwood
    """
    from cortexfs.core.stores.indented_json import iter_indented_lines
    from cortexfs.interfaces.cli.import_store import format_skipped
    from cortexfs.interfaces.json.stores import to_skipped_json
    from cortexfs.operations.export_memories import export_memories
    from cortexfs.operations.write_export import write_export

    session, chosen = run.open_projects(split_values(project or ()))
    done = export_memories(session, chosen, form, include_personal=include_personal)
    if file is None:
        run.output.print_document(**done.document)
        run.output.print_long_text(iter_indented_lines(done.document))
    else:
        path = os.path.join(run.cwd, os.path.expanduser(file))
        write_export(path, iter_indented_lines(done.document), overwrite=force)
        skipped = to_skipped_json(done.unreadable)
        exported = {"path": path, "format": form, "atoms": done.atom_count, "skipped": skipped}
        run.output.print_document(exported=exported)
    for line in format_skipped(done.unreadable):
        run.output.print_message(line)
    run.output.print_message(f"{format_count(done.atom_count, 'atom')} exported")
