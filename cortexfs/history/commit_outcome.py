"""The result of a commit: one was made, or none, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.errors import HistoryFailed

if TYPE_CHECKING:
    from collections.abc import Sequence

_MAX_NAMED_PATHS = 3
"""Maximum number of paths named in a message; further ones are counted."""


class CommitMade(NamedTuple):
    """A commit was made.

    `pending_paths` have an entry in the user's index that could not be updated, because another
    program held the index's lock: they show as staged until a later commit updates them.
    """

    id: str
    pending_paths: tuple[str, ...] = ()


class CommitSkipped(NamedTuple):
    """No commit was made, and why; `can_retry` if the same commit may succeed later."""

    reason: str
    can_retry: bool = False


def uncommitted_error(paths: Sequence[str], error: HistoryFailed) -> HistoryFailed:
    """Return the error for files that are written but that git could not commit."""
    more = f" and {len(paths) - _MAX_NAMED_PATHS} more" if len(paths) > _MAX_NAMED_PATHS else ""
    named = ", ".join(f"{path!a}"[1:-1] for path in paths[:_MAX_NAMED_PATHS])
    return HistoryFailed(
        f"written, not committed: {named}{more}: {error}",
        hint=f"{error.hint or 'see `cortexfs doctor`'}; the next command then commits it",
    )
