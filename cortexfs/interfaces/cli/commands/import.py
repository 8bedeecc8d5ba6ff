"""`cortexfs import`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cortexfs.interfaces.cli import completion, console
from cortexfs.interfaces.cli.command_context import Run, changing
from cortexfs.interfaces.cli.options import Project

if TYPE_CHECKING:
    from collections.abc import Callable

    from cortexfs.core.atoms.kinds import Kind
    from cortexfs.core.importing.report import Report, StatusMapping
    from cortexfs.core.importing.source import NoteFolder
    from cortexfs.interfaces.cli.console import Voice
    from cortexfs.operations.import_notes import Imported
    from cortexfs.session.session import Session

app = typer.Typer(rich_markup_mode=None, add_completion=False)

SHOWN = 20
"""Lines of each sort that are shown; `--json` has all."""

KindOption = Annotated[
    str | None,
    typer.Option(
        "--kind",
        metavar="KIND",
        help="The kind of every atom; default: what fits each note.",
        autocompletion=completion.kinds,
    ),
]
Name = Annotated[
    str | None,
    typer.Option("--name", metavar="NAME", help="Name of the source; default: its folder's."),
]


@app.command("import")
@changing
def import_command(
    run: Run,
    path: Annotated[str, typer.Argument(help="A folder of Markdown, or one file.")],
    project: Project = None,
    kind: KindOption = None,
    name: Name = None,
) -> None:
    """Import notes: an Obsidian vault, a notebook, any folder of Markdown.

    Reads an Obsidian vault, a basic-memory project, a zk notebook, or any folder of Markdown, and
    never changes it. Links between notes become links between atoms. A second import brings in
    only what is new or has changed. Without a project one is made, named after the folder.

    Example: cortexfs import ~/vault --dry-run
    """
    from cortexfs.operations.import_notes import import_notes, project_for
    from cortexfs.operations.shared.resolve_names import kind_named

    session = run.session()
    row: Kind | None = kind_named(session, kind) if kind else None
    notes = _read(session, path, name)
    into = project_for(session, notes, project, console.cwd())
    progress = _bar("making atoms") if session.reader.progress else None
    done = import_notes(session, notes, into, row, progress=progress, mode=run.mode)
    run.say.outcome(done.outcome)
    _print(run.say, done)
    if not (done.report.notes or done.report.skipped):
        run.say.none("there are no Markdown notes")


def _read(session: Session, path: str, name: str | None) -> NoteFolder:
    import os

    from cortexfs.core.importing.loose import SOURCE, is_loose
    from cortexfs.session.note_folder import read_note_folder

    return read_note_folder(
        os.path.join(console.cwd(), os.path.expanduser(path)),
        session.tree.root,
        name=_one_step(name),
        is_loose=lambda each: is_loose(each, session.kinds),
        in_tree=SOURCE,
        progress=_bar("reading notes") if session.reader.progress else None,
    )


def _one_step(name: str | None) -> str:
    """Refuse a name of a source that would read as a path."""
    from cortexfs.core.text.sanitize import one_line
    from cortexfs.errors import Usage

    if name and ("/" in name or name.startswith(".") or one_line(name) != name):
        raise Usage("the name of a source is one word or more, without `/`", hint="--name vault")
    return name or ""


def _bar(doing: str) -> Callable[[int, int], None]:
    from cortexfs.interfaces.cli.progress import bar

    return bar(doing)


def _print(say: Voice, done: Imported) -> None:
    """Print what became of what: the atoms as data, the rest beside it."""
    from cortexfs.interfaces.json.imported import imported

    dry_run = done.outcome is None
    commit = console.last_commit(done.outcome) if done.report.writes else None
    say.document(imported=imported(done, dry_run=dry_run), commit=commit)
    written = [note for note in done.report.notes if note.write]
    say.table(
        ("Note", "Atom", "Summary"),
        [(note.path, note.ref, note.summary) for note in written],
    )
    for line in _said(done.report):
        say.talk(line)
    say.talk(_counts(done, dry_run=dry_run))


def _said(report: Report) -> list[str]:
    """Say what a person should know of: what was left out, and what could not be read."""
    from cortexfs.core.importing.report import Result

    edited = [note for note in report.notes if note.result is Result.CONFLICT]
    links = report.unresolved
    lines = {
        "skipped": [_place(each.path, each.line, each.message) for each in report.skipped],
        "warning": [_place(each.path, each.line, each.message) for each in report.warnings],
        "changed on both sides": [f"{note.path}: {note.ref} was edited too" for note in edited],
        "unresolved link": [_place(each.path, each.line, each.target) for each in links],
        "status": list(map(_status, report.statuses)),
    }
    return [line for word, each in lines.items() for line in _first(word, each)]


def _status(mapping: StatusMapping) -> str:
    became = f"became `{mapping.status}`" if mapping.status else "is kept as `source-status`"
    return f"`{mapping.said}` {became} ({mapping.notes})"


def _place(path: str, line: int, message: str) -> str:
    return f"{path}:{line}: {message}" if line else f"{path}: {message}"


def _first(word: str, lines: list[str]) -> list[str]:
    more = [f"{word}: and {len(lines) - SHOWN} more; --json lists all"]
    return [f"{word}: {line}" for line in lines[:SHOWN]] + (more if len(lines) > SHOWN else [])


def _counts(done: Imported, *, dry_run: bool) -> str:
    """Say in one line how many notes became what."""
    from cortexfs.core.importing.report import Result
    from cortexfs.core.text.plural import counted

    report = done.report
    numbers = {result: report.number(result) for result in Result}
    new = f" into the new project {report.project}" if done.begun else f" into {report.project}"
    parts = [f"{counted(numbers[Result.IMPORTED], 'note')} imported{new}"]
    parts += [
        f"{numbers[result]} {result.replace('-', ' ')}"
        for result in (Result.UPDATED, Result.UNCHANGED, Result.CONFLICT)
        if numbers[result]
    ]
    rest = [
        (len(report.skipped), "file", "skipped"),
        (report.links, "link", "resolved"),
        (len(report.unresolved), "link", "unresolved"),
        (report.attachments, "attachment", "not imported"),
    ]
    parts += [f"{counted(number, noun)} {said}" for number, noun, said in rest if number]
    return f"{'dry run: ' if dry_run else ''}{', '.join(parts)}"
