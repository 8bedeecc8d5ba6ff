"""The result of a commit: one was made, or none, and why."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.errors import CatalogBusy, CatalogFailed, HistoryFailed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cortexfs.errors import CortexError

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


def uncommitted_error(paths: Sequence[str], error: CortexError) -> HistoryFailed:
    """Return the error for files that are written, and that something keeps from their commit."""
    more = f" and {len(paths) - _MAX_NAMED_PATHS} more" if len(paths) > _MAX_NAMED_PATHS else ""
    named = ", ".join(f"{path!a}"[1:-1] for path in paths[:_MAX_NAMED_PATHS])
    return HistoryFailed(
        f"written, not committed: {named}{more}: {error}",
        hint=f"{error.hint or 'see `cortexfs doctor`'}; the next command then commits it",
    )


@contextmanager
def name_written(paths: Sequence[str]) -> Iterator[None]:
    """Let an error of the catalog say that these files are written, so that nobody repeats them."""
    try:
        yield
    except (CatalogBusy, CatalogFailed) as error:
        raise uncommitted_error(paths, error) from None
