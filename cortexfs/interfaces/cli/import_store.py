"""The part of `cortexfs import` for stores of other programs: JSON and not Markdown."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from cortexfs.interfaces.json import plans

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cortexfs.core.stores.stored_values import BrokenEntry, StoreFormat
    from cortexfs.interfaces.cli.command_context import CommandContext
    from cortexfs.interfaces.cli.console import OutputPrinter
    from cortexfs.operations.shared.plan_store_import import StoreImport

MAX_SHOWN = 20
"""Maximum number of lines of each type; `--json` prints all."""


def is_store_path(path: str, form: StoreFormat | None) -> bool:
    """Return whether a path is a store, by its suffix or because a format is named."""
    from cortexfs.core.stores.parse_store import STORE_SUFFIXES

    return form is not None or path.lower().endswith(STORE_SUFFIXES)


def import_store_file(
    run: CommandContext, path: str, form: StoreFormat | None, project: str | None
) -> None:
    """Import a store, and print what became of each entry."""
    done = _import(run, path, form, project)
    run.output.print_outcome(done.outcome)
    _print_result(run.output, done)
    if not (done.entries or done.broken):
        run.output.exit_empty("the store is empty")


def _import(
    run: CommandContext, path: str, form: StoreFormat | None, project: str | None
) -> StoreImport:
    from cortexfs.core.stores.parse_store import StoreJson
    from cortexfs.operations.import_document import ImportRequest, import_document
    from cortexfs.session.read_store_file import read_store_file

    session, file = run.open_session(), StoreJson(read_store_file(path))
    wanted, default = _normalize_project(project), _find_default_project(run)
    request = ImportRequest(os.path.basename(path), form, wanted, default)
    return import_document(session, file, request, mode=run.mode)


def _normalize_project(name: str | None) -> str:
    """Return a named project; raises `Refused` if the name is not valid."""
    from cortexfs.core.atoms.tree_paths import is_project_name
    from cortexfs.errors import Refused

    if name and not is_project_name(name):
        raise Refused(f"`{name}` is not the name of a project", hint="write it in lower case")
    return name or ""


def _find_default_project(run: CommandContext) -> str:
    """Return the current project, or the only one, or the one for entries without a project."""
    from cortexfs.core.memory.memory_text import DEFAULT_PROJECT
    from cortexfs.errors import CortexError

    try:
        return run.open_project(None)[1]
    except CortexError:
        return DEFAULT_PROJECT


def _print_result(output: OutputPrinter, done: StoreImport) -> None:
    from cortexfs.interfaces.json.stores import to_store_import_json

    dry_run = done.outcome is None
    commit = plans.last_commit_id(done.outcome) if done.plan.writes else None
    output.print_document(imported=to_store_import_json(done, dry_run=dry_run), commit=commit)
    rows = [(each.source, each.ref, each.summary) for each in done.entries if each.write]
    output.print_table(("Entry", "Atom", "Summary"), rows)
    for line in format_messages(done):
        output.print_message(line)
    output.print_message(format_counts(done, "entry", dry_run=dry_run))


def format_messages(done: StoreImport) -> list[str]:
    """Return messages about skipped entries, and about memories edited on both sides."""
    from cortexfs.core.stores.plan_memories import ImportResult

    edited = [
        f"changed on both sides: {each.source}: {each.ref} was edited too"
        for each in done.entries
        if each.result is ImportResult.CONFLICT
    ]
    return [*format_skipped(done.broken), *_limit_lines(edited)]


def format_skipped(entries: Iterable[BrokenEntry]) -> list[str]:
    """Return messages about entries that could not be read."""
    return _limit_lines([f"skipped: {each.place}: {each.message}" for each in entries])


def _limit_lines(lines: list[str]) -> list[str]:
    rest = len(lines) - MAX_SHOWN
    more = [f"and {rest} more; --json lists all"] if rest > 0 else []
    return [*lines[:MAX_SHOWN], *more]


def format_counts(done: StoreImport, noun: str, *, dry_run: bool) -> str:
    """Return one line with the number of entries for each result."""
    from cortexfs.core.stores.plan_memories import ImportResult
    from cortexfs.core.text.plural import format_count

    counts = dict.fromkeys(ImportResult, 0)
    for entry in done.entries:
        counts[entry.result] += 1
    imported = counts.pop(ImportResult.IMPORTED)
    parts = [f"{format_count(imported, noun)} imported from {done.source}"]
    parts += [f"{n} {result.replace('-', ' ')}" for result, n in counts.items() if n]
    parts += [f"{format_count(len(done.broken), noun)} skipped"] if done.broken else []
    return ("dry run: " if dry_run else "") + ", ".join(parts)
