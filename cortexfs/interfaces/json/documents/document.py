"""What every document has."""

from __future__ import annotations

from typing import NotRequired

from typing_extensions import TypedDict


class Document(TypedDict):
    """A document; `format` is the version of its shape."""

    format: int


class ChangeDocument(Document):
    """What was changed; `commit` is the id of the commit that has it, absent if there is none.

    `uncommitted` is what the server says in its place: why what was written is not committed.
    """

    commit: NotRequired[str]
    uncommitted: NotRequired[str]
