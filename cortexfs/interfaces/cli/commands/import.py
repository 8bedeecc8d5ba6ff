"""`cortexfs import`."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated

import typer

from cortexfs.core.stores.stored_values import StoreFormat
from cortexfs.errors import Usage
from cortexfs.interfaces.cli import completion
from cortexfs.interfaces.cli.command_context import CommandContext, report_command
from cortexfs.interfaces.cli.import_store import import_store_file, is_store_path
from cortexfs.interfaces.cli.options import Project
from cortexfs.interfaces.json import plans

if TYPE_CHECKING:
    from collections.abc import Callable

    from cortexfs.core.atoms.kind import Kind
    from cortexfs.core.importing.import_report import ImportedNote, ImportReport, StatusMapping
    from cortexfs.core.importing.note_folder import NoteFolder
    from cortexfs.interfaces.cli.console import OutputPrinter
    from cortexfs.operations.import_notes import ImportOutcome
    from cortexfs.session.session import Session

app = typer.Typer(rich_markup_mode=None, add_completion=False)

MAX_SHOWN = 20
"""Maximum number of lines of each type; `--json` prints all."""

KindOption = Annotated[
    str | None,
    typer.Option(
        "--kind",
        metavar="KIND",
        help="Kind of every atom (default: chosen for each note).",
        autocompletion=completion.complete_kinds,
    ),
]
SourceNameOption = Annotated[
    str | None,
    typer.Option(
        "--name", metavar="NAME", help="Name of the source (default: name of the folder)."
    ),
]
FormatOption = Annotated[
    StoreFormat | None,
    typer.Option("--format", metavar="FORMAT", help="Format of a store (default: recognized)."),
]


@app.command("import")
@report_command
def import_command(
    run: CommandContext,
    path: Annotated[
        str, typer.Argument(metavar="PATH", help="Folder of Markdown, a single note, or a store.")
    ],
    project: Project = None,
    kind: KindOption = None,
    name: SourceNameOption = None,
    form: FormatOption = None,
) -> None:
    """Import notes from a folder of Markdown, or memories of other programs.

    The folder may be an Obsidian vault, a basic-memory project, a zk notebook, or any folder of
    Markdown; it is not changed. Links between notes become links between atoms. A second import
    imports only new and changed notes. In a tree without projects, a project named after the
    folder is created.

    A file named .json or .jsonl is a store: an export of cortexfs, engram, Cortex, mem0, claude.ai
    or ChatGPT, or the memory.json of the MCP reference server. Its memories become observations.

    Example: cortexfs import ~/vault --dry-run
    """
    full = os.path.join(run.cwd, os.path.expanduser(path))
    if is_store_path(full, form):
        if kind or name:
            raise Usage("--kind and --name are for notes, not for stores")
        import_store_file(run, full, form, project)
        return
    from cortexfs.operations.import_notes import choose_project, import_notes
    from cortexfs.operations.shared.resolve_names import require_kind

    session = run.open_session()
    wanted_kind: Kind | None = require_kind(session, kind) if kind else None
    notes = _read_notes(session, full, name)
    project_name = choose_project(session, notes, project, run.cwd)
    progress = _make_progress("making atoms") if session.reader.progress else None
    done = import_notes(session, notes, project_name, wanted_kind, progress=progress, mode=run.mode)
    run.output.print_outcome(done.outcome)
    _print_result(run.output, done)
    if not (done.report.notes or done.report.skipped):
        run.output.exit_empty("no Markdown notes")


def _read_notes(session: Session, path: str, name: str | None) -> NoteFolder:
    from cortexfs.core.importing.loose_notes import TREE_SOURCE_NAME, is_loose_note
    from cortexfs.session.read_note_folder import read_note_folder

    return read_note_folder(
        path,
        session.tree.root,
        name=_require_source_name(name),
        is_loose=lambda each: is_loose_note(each, session.kinds),
        in_tree=TREE_SOURCE_NAME,
        progress=_make_progress("reading notes") if session.reader.progress else None,
    )


def _require_source_name(name: str | None) -> str:
    """Refuse a name of a source that would be read as a path."""
    from cortexfs.core.text.sanitize import to_one_line

    if name and ("/" in name or name.startswith(".") or to_one_line(name) != name):
        raise Usage(
            "the name of a source cannot contain `/` or begin with a dot",
            hint="for example --name vault",
        )
    return name or ""


def _make_progress(activity: str) -> Callable[[int, int], None]:
    from cortexfs.interfaces.cli.progress import make_progress_bar

    return make_progress_bar(activity)


def _print_result(output: OutputPrinter, done: ImportOutcome) -> None:
    """Print the results: the atoms as data, the rest as messages."""
    from cortexfs.interfaces.json.import_report import to_import_json

    dry_run = done.outcome is None
    commit = plans.last_commit_id(done.outcome) if done.report.writes else None
    output.print_document(imported=to_import_json(done, dry_run=dry_run), commit=commit)
    written = [note for note in done.report.notes if note.write]
    output.print_table(
        ("Note", "Atom", "Summary"),
        [(note.path, note.ref, note.summary) for note in written],
    )
    for line in _format_messages(done.report):
        output.print_message(line)
    output.print_message(_format_counts(done, dry_run=dry_run))


def _format_messages(report: ImportReport) -> list[str]:
    """Return messages about skipped notes, and files that could not be read."""
    from cortexfs.core.importing.import_report import NoteOutcome
    from cortexfs.core.importing.note_folder import REMOVED_CODE

    edited = [note for note in report.notes if note.result is NoteOutcome.CONFLICT]
    links = report.unresolved
    skipped = [each for each in report.skipped if each.code != REMOVED_CODE]
    lines = {
        "skipped": [_format_place(each.path, each.line, each.message) for each in skipped],
        "warning": [_format_place(each.path, each.line, each.message) for each in report.warnings],
        "changed on both sides": [f"{note.path}: {note.ref} was edited too" for note in edited],
        "unresolved link": [_format_place(each.path, each.line, each.target) for each in links],
        "status": list(map(_format_status, report.statuses)),
    }
    shown = [line for word, each in lines.items() for line in _limit_lines(word, each)]
    return [*shown, _format_conflict_hint(edited[0])] if edited else shown


def _format_conflict_hint(note: ImportedNote) -> str:
    ref = note.ref
    return (
        f"to take the note, restore the imported text: `cortexfs log {ref}`,"
        f" `cortexfs restore {ref} --at COMMIT`, and import again"
    )


def _format_status(mapping: StatusMapping) -> str:
    from cortexfs.core.importing.map_status import FAILED_TAG, is_failed

    kept = "has no equivalent: `source-status` keeps it"
    became = f"became `{mapping.status}`" if mapping.status else kept
    if is_failed(mapping.original):
        became += f", with the tag `{FAILED_TAG}`"
    return f"`{mapping.original}` {became} ({mapping.note_count})"


def _format_place(path: str, line: int, message: str) -> str:
    return f"{path}:{line}: {message}" if line else f"{path}: {message}"


def _limit_lines(label: str, lines: list[str]) -> list[str]:
    more = [f"{label}: and {len(lines) - MAX_SHOWN} more; --json lists all"]
    return [f"{label}: {line}" for line in lines[:MAX_SHOWN]] + (
        more if len(lines) > MAX_SHOWN else []
    )


def _format_counts(done: ImportOutcome, *, dry_run: bool) -> str:
    """Return one line with the number of notes for each result."""
    from cortexfs.core.importing.import_report import NoteOutcome
    from cortexfs.core.importing.note_folder import REMOVED_CODE
    from cortexfs.core.text.plural import format_count

    report = done.report
    numbers = {result: report.count_notes(result) for result in NoteOutcome}
    new = (
        f" into the new project {report.project}"
        if done.is_new_project
        else f" into {report.project}"
    )
    parts = [f"{format_count(numbers[NoteOutcome.IMPORTED], 'note')} imported{new}"]
    parts += [
        f"{numbers[result]} {result.replace('-', ' ')}"
        for result in (NoteOutcome.UPDATED, NoteOutcome.UNCHANGED, NoteOutcome.CONFLICT)
        if numbers[result]
    ]
    removed_count = sum(each.code == REMOVED_CODE for each in report.skipped)
    rest = [
        (removed_count, "note", "removed here"),
        (len(report.skipped) - removed_count, "file", "skipped"),
        (report.link_count, "link", "resolved"),
        (len(report.unresolved), "link", "unresolved"),
        (report.attachment_count, "attachment", "not imported"),
    ]
    parts += [f"{format_count(number, noun)} {result}" for number, noun, result in rest if number]
    return f"{'dry run: ' if dry_run else ''}{', '.join(parts)}"
