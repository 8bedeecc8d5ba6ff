"""What goes in and out of a tree as a whole, as JSON: imports and audits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.text.sanitize import redact_secrets

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cortexfs.core.audit.audit_rules import AuditReport
    from cortexfs.core.stores.stored_values import BrokenEntry
    from cortexfs.interfaces.json.documents import stores as documents
    from cortexfs.operations.shared.plan_store_import import StoreImport


def to_store_import_json(done: StoreImport, *, dry_run: bool) -> documents.StoreImportFields:
    """Return the result for each entry, and the entries that could not be imported."""
    return {
        "source": done.source,
        "store": done.format,
        "dry-run": dry_run,
        "entries": [
            {
                "origin": redact_secrets(entry.source),
                "result": entry.result,
                "ref": entry.ref,
                "path": entry.path,
                "summary": redact_secrets(entry.summary),
            }
            for entry in done.entries
        ],
        "skipped": to_skipped_json(done.broken),
    }


def to_skipped_json(entries: Iterable[BrokenEntry]) -> list[documents.SkippedEntryDocument]:
    """Return the entries that could not be read, with the reason, without secrets."""
    return [
        {"entry": redact_secrets(each.place), "message": redact_secrets(each.message)}
        for each in entries
    ]


def to_audit_json(report: AuditReport, path: str = "") -> documents.AuditFields:
    """Return the findings of an audit, without secrets; `path` is that of a store."""
    document: documents.AuditFields = {
        "examined": report.examined,
        "counts": report.counts,
        "findings": [
            {
                "rule": each.rule,
                "place": redact_secrets(each.place),
                "message": redact_secrets(each.message),
            }
            for each in report.findings
        ],
    }
    return {**document, "path": path} if path else document
