"""Import our own export: an equal tree where there is room, new numbers where there is not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.atoms.kinds import MEMORY_KINDS
from cortexfs.core.atoms.tree_paths import access_log_path, is_access_log_name
from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.changes.plan import Append, attach_outcome
from cortexfs.core.memory.memory_text import DEFAULT_PROJECT
from cortexfs.core.stores.clean_contents import clean_contents
from cortexfs.core.stores.export_document import select_log_lines
from cortexfs.core.stores.plan_export_import import plan_export_import
from cortexfs.core.stores.plan_memories import ImportResult
from cortexfs.operations.shared.memory_files import iter_memory_files
from cortexfs.operations.shared.plan_store_import import plan_entries, plan_store_import

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cortexfs.core.stores.export_document import ExportDocument
    from cortexfs.core.stores.plan_memories import ImportedEntry
    from cortexfs.operations.shared.plan_store_import import StoreImport
    from cortexfs.session.session import Session
    from cortexfs.session.view import View


def import_export(
    session: Session,
    document: ExportDocument,
    source: str,
    *,
    mode: ExecutionMode = ExecutionMode.COMMIT,
) -> StoreImport:
    """Write the files of an export that the tree does not have, and their logged reads.

    A file whose number is taken by another memory gets the next number; of two versions the one
    with the higher revision stays.
    """

    def decide(view: View) -> StoreImport:
        return _decide(view, document, source)

    return attach_outcome(session.execute(decide, mode))


def _decide(view: View, document: ExportDocument, source: str) -> StoreImport:
    kinds = [kind for kind in view.kinds if kind.name in MEMORY_KINDS]
    known = [each for kind in kinds for each in iter_memory_files(view, kind)]
    planned = plan_export_import(document.files, known, view.kinds)
    moved = clean_contents(planned.moved, "", DEFAULT_PROJECT)
    written = [entry.path for entry in planned.entries if entry.write]
    entries = (*planned.entries, *plan_entries(view, moved, written))
    done = plan_store_import(view, source, moved, entries)
    appends = tuple(_plan_reads(view, document, planned.entries))
    broken = (*document.broken, *done.broken)
    return done._replace(broken=broken, plan=done.plan._replace(appends=appends))


def _plan_reads(
    view: View, document: ExportDocument, entries: Sequence[ImportedEntry]
) -> Iterator[Append]:
    """Yield the logged reads of the imported files; a line that a log has is not added again."""
    paths = {entry.path for entry in entries if entry.result is not ImportResult.CONFLICT}
    for project, lines in document.log_lines.items():
        prefix = f"projects/{project}/"
        names = {path.rpartition("/")[2] for path in paths if path.startswith(prefix)}
        present = set(_iter_log_lines(view, project)) if names else set()
        new = [line for line in select_log_lines(lines, names) if line not in present]
        if new:
            yield Append(access_log_path(project), tuple(f"{line}\n" for line in new))


def _iter_log_lines(view: View, project: str) -> Iterator[str]:
    folder = access_log_path(project).rpartition("/")[0]
    for name in view.tree.list_names(folder):
        if is_access_log_name(name):
            yield from (view.tree.read_text_lossy(f"{folder}/{name}") or "").split("\n")
