"""The clients that can be connected to a tree, as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.text.sanitize import redact_secrets

if TYPE_CHECKING:
    from cortexfs.interfaces.json.documents.clients import ClientDocument
    from cortexfs.operations.wiring import ClientWiring


def to_client_json(found: ClientWiring) -> ClientDocument:
    """Return a client; `differs` is whether a setup would change its settings."""
    document: ClientDocument = {
        "name": found.client.name,
        "title": found.client.title,
        "choices": list(found.client.choices),
        "set-up": found.is_set_up,
        "files": list(found.paths),
        "differs": found.differs,
    }
    return {**document, "error": redact_secrets(found.error)} if found.error else document
