"""The clients that can be connected to a tree."""

from __future__ import annotations

from typing import NotRequired

from typing_extensions import TypedDict

from cortexfs.interfaces.json.documents.document import Document

ClientDocument = TypedDict(
    "ClientDocument",
    {
        "name": str,
        "title": str,
        "choices": list[str],
        "set-up": bool,
        "files": list[str],
        "differs": bool,
        "error": NotRequired[str],
    },
)
"""A client: what can be chosen for it, and the files of its settings."""


class ClientListDocument(Document):
    """The clients that can be set up."""

    clients: list[ClientDocument]
