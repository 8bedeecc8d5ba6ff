"""One route as a row: method, path, the function that answers, and the document it answers with."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.changes.execution_mode import ExecutionMode

if TYPE_CHECKING:
    from collections.abc import Callable

    from cortexfs.interfaces.rest.answers import Answer
    from cortexfs.session.session import Session

NOWHERE = "/"
"""The working directory of a request: it belongs to no project."""


class Call(NamedTuple):
    """What a route works on: the tree, and how far a change goes."""

    session: Session
    mode: ExecutionMode = ExecutionMode.COMMIT

    @property
    def memory_mode(self) -> ExecutionMode:
        """How far a change of memories goes: they are saved often, and share commits."""
        return self.mode if self.mode.is_dry_run else ExecutionMode.DEFER


class Effect(StrEnum):
    """What a request does to the tree."""

    READ = "read"
    CHANGE = "change"
    """Can be tried with `dry-run`."""
    CHANGE_ATOM = "change-atom"
    """Also takes `If-Match` with the ETag of the atom that its path names."""
    READ_ALL = "read-all"
    """Reads all atoms: requests of the same second share the answer."""
    DELETE_THREAD = "delete-thread"
    """Deletes a private file, outside git: there is no plan."""
    STREAM = "stream"
    """Answers with server-sent events."""


class Endpoint(NamedTuple):
    """A route. The first parameter of `run` is a `Call`; the others are those of the request."""

    method: str
    path: str
    run: Callable[..., Answer]
    answer: object
    """The type of the document."""
    effect: Effect = Effect.READ
    status: int = 200

    @property
    def is_original(self) -> bool:
        """Whether it is a route of the original, with its errors."""
        return not self.path.startswith("/api/v1/")
