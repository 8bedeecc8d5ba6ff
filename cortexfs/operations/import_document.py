"""Import a JSON document: our own export, or the store of another program."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.memory.memory_text import DEFAULT_PROJECT
from cortexfs.core.stores.export_document import ExportDocument
from cortexfs.core.stores.parse_store import parse_any_store
from cortexfs.errors import Usage
from cortexfs.operations.import_export import import_export
from cortexfs.operations.import_store import import_store

if TYPE_CHECKING:
    from cortexfs.core.stores.parse_store import StoreJson
    from cortexfs.core.stores.stored_values import StoreFormat
    from cortexfs.operations.shared.plan_store_import import StoreImport
    from cortexfs.session.session import Session


class ImportRequest(NamedTuple):
    """What an import names as its source, its format (None: recognized), and its project.

    Without a project each entry keeps its own, and those without one get the default.
    """

    source: str
    form: StoreFormat | None = None
    project: str = ""
    default_project: str = DEFAULT_PROJECT


def import_document(
    session: Session,
    file: StoreJson,
    request: ImportRequest,
    *,
    mode: ExecutionMode = ExecutionMode.COMMIT,
) -> StoreImport:
    """Import each memory once, in one commit.

    Raises `Refused` if the document is no store, and `Usage` for a project of our own export.
    """
    source, form, project, default = request
    contents = parse_any_store(file, form, session.settings.memory.learning_headings)
    if not isinstance(contents, ExportDocument):
        return import_store(session, contents, source, project, default, mode=mode)
    if project:
        raise Usage("an export of cortexfs names the project of each memory itself")
    return import_export(session, contents, source, mode=mode)
