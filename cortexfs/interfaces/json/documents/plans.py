"""Plans and refusals."""

from __future__ import annotations

from typing import NotRequired

from typing_extensions import TypedDict

from cortexfs.interfaces.json.documents.document import Document


class PlannedWriteDocument(TypedDict):
    """The unified diff of one file."""

    path: str
    diff: str


class PlanDocument(TypedDict):
    """What would be written, and the message of the commit."""

    summary: str
    writes: list[PlannedWriteDocument]


class PlannedDocument(Document):
    """The answer to a dry run."""

    plan: PlanDocument


class ProblemDocument(TypedDict):
    """Why a request was refused (RFC 9457); `kind` is the stable name of the error."""

    type: str
    title: str
    status: int
    detail: str
    kind: str
    hint: NotRequired[str]


class ErrorDocument(TypedDict):
    """Why a request to a route of the original was refused."""

    error: str
    hint: NotRequired[str]
    kind: NotRequired[str]
