"""The state of the daemon."""

from __future__ import annotations

from typing import NotRequired

from typing_extensions import TypedDict

from cortexfs.interfaces.json.documents.document import Document

JobDocument = TypedDict(
    "JobDocument",
    {
        "name": str,
        "running": bool,
        "last-run": NotRequired[str],
        "last-success": NotRequired[str],
        "seconds": float,
        "next-run": NotRequired[str],
        "runs": int,
        "failures": int,
        "failures-in-a-row": int,
        "breaker-open-until": NotRequired[str],
        "error": NotRequired[str],
    },
)


class WarmUpDocument(TypedDict):
    """How far the preparation of sessions is."""

    state: str
    error: NotRequired[str]


DaemonFields = TypedDict(
    "DaemonFields",
    {
        "running": bool,
        "answered": bool,
        "pid": NotRequired[int],
        "since": NotRequired[str],
        "warm-up": WarmUpDocument,
        "ready-for-work": bool,
        "not-ready": NotRequired[str],
        "last-bulletin": NotRequired[str],
        "cold-dispatches": int,
        "watched-files": int,
        "watch": NotRequired[str],
        "watch-problem": NotRequired[str],
        "backlog": int,
        "jobs": list[JobDocument],
    },
)


class DaemonDocument(Document):
    """What the daemon of the tree does; times are ISO 8601 in UTC, absent if never."""

    daemon: DaemonFields
