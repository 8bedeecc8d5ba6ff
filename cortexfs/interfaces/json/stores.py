"""The result of importing a store as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.text.sanitize import redact_secrets

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cortexfs.core.stores.stored_values import BrokenEntry
    from cortexfs.operations.shared.plan_store_import import StoreImport

Document = dict[str, object]


def to_store_import_json(done: StoreImport, *, dry_run: bool) -> Document:
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


def to_skipped_json(entries: Iterable[BrokenEntry]) -> list[Document]:
    """Return the entries that could not be read, with the reason, without secrets."""
    return [
        {"entry": redact_secrets(each.place), "message": redact_secrets(each.message)}
        for each in entries
    ]
