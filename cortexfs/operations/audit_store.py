"""Audit the memories of another program: a store in JSON, or a folder of Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.audit.audit_memory_index import audit_memory_index
from cortexfs.core.audit.audit_rules import AuditFinding, make_report
from cortexfs.core.audit.audit_texts import AuditedText, audit_texts
from cortexfs.core.bridge.parse_client_memories import INDEX_NAME
from cortexfs.core.frontmatter.atom_text import split_front_and_body
from cortexfs.core.importing.note_folder import NoteFolder
from cortexfs.core.stores.export_document import ExportDocument
from cortexfs.core.stores.stored_values import StoreContents

if TYPE_CHECKING:
    from cortexfs.core.audit.audit_rules import AuditReport


def audit_store(store: StoreContents | NoteFolder | ExportDocument) -> AuditReport:
    """Return the findings about the memories of a store, a folder of Markdown, or our own export.

    Memories of one project, or in one folder, are compared with each other.
    """
    match store:
        case StoreContents():
            return _audit_contents(store)
        case NoteFolder():
            return _audit_folder(store)
        case ExportDocument():
            return _audit_export(store)


def _audit_contents(contents: StoreContents) -> AuditReport:
    texts = [
        AuditedText(memory.origin, memory.title, memory.content, memory.project)
        for memory in contents.memories
        if not memory.deleted_at
    ]
    broken = (AuditFinding("unreadable", each.place, each.message) for each in contents.broken)
    return make_report(len(texts) + len(contents.broken), [*audit_texts(texts), *broken])


def _audit_folder(folder: NoteFolder) -> AuditReport:
    paths = {file.path for file in folder.files}
    findings = [AuditFinding("unreadable", each.path, each.message) for each in folder.skipped]
    texts = []
    for file in folder.files:
        if file.path.rpartition("/")[2] == INDEX_NAME:
            findings += audit_memory_index(file.path, file.text, paths)
        texts.append(AuditedText(file.path, "", file.text, file.path.rpartition("/")[0]))
    return make_report(len(texts), [*findings, *audit_texts(texts)])


def _audit_export(document: ExportDocument) -> AuditReport:
    texts = [
        AuditedText(file.path, "", split_front_and_body(file.text)[1]) for file in document.files
    ]
    broken = [AuditFinding("unreadable", each.place, each.message) for each in document.broken]
    return make_report(len(texts) + len(broken), [*audit_texts(texts), *broken])
