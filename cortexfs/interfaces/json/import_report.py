"""The result of an import as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.text.sanitize import redact_secrets

if TYPE_CHECKING:
    from cortexfs.core.importing.import_report import StatusMapping
    from cortexfs.core.importing.note_folder import SkippedNote
    from cortexfs.interfaces.json.documents import stores as documents
    from cortexfs.operations.import_notes import ImportOutcome


def to_import_json(done: ImportOutcome, *, dry_run: bool) -> documents.NoteImportFields:
    """Return the result for each note, the skipped notes, and the links left unchanged."""
    report = done.report
    return {
        "source": report.source,
        "project": report.project,
        "new-project": done.is_new_project,
        "dry-run": dry_run,
        "notes": [
            {
                "note": note.path,
                "result": note.result,
                "ref": note.ref,
                "path": note.atom_path,
                "kind": note.kind,
                "summary": note.summary,
            }
            for note in report.notes
        ],
        "skipped": list(map(_to_skipped_json, report.skipped)),
        "warnings": list(map(_to_skipped_json, report.warnings)),
        "unresolved": [
            {"note": each.path, "line": each.line, "target": each.target}
            for each in report.unresolved
        ],
        "statuses": list(map(_to_status_json, report.statuses)),
        "links": report.link_count,
        "attachments": report.attachment_count,
    }


def _to_status_json(mapping: StatusMapping) -> documents.MappedStatusDocument:
    document: documents.MappedStatusDocument = {
        "from": mapping.original,
        "notes": mapping.note_count,
    }
    return {**document, "to": mapping.status} if mapping.status else document


def _to_skipped_json(note: SkippedNote) -> documents.SkippedNoteDocument:
    document: documents.SkippedNoteDocument = {
        "note": redact_secrets(note.path),
        "code": note.code,
        "message": note.message,
    }
    return {**document, "line": note.line} if note.line else document
