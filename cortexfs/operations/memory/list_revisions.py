"""The earlier texts of a memory, from git."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.changes.plan import HOUSEKEEPING_MESSAGES
from cortexfs.operations.shared.load_memories import resolve_memory
from cortexfs.operations.shared.resolve_revision import require_repository

if TYPE_CHECKING:
    from cortexfs.session.annotation_types import CommitSummary
    from cortexfs.session.session import Session


class MemoryRevision(NamedTuple):
    """The whole text of a memory after a commit."""

    commit: CommitSummary
    text: str


def list_revisions(session: Session, typed: str, limit: int = 20) -> list[MemoryRevision]:
    """Return the texts that a memory had, latest first.

    A text that was saved a moment ago may wait for its commit. Raises `NoSuchAtom`, and
    `HistoryFailed` if git cannot be read.
    """
    history = require_repository(session)
    with session.read() as view:
        path = resolve_memory(view, typed).path
    records = history.list_file_commits(path, limit, HOUSEKEEPING_MESSAGES)
    named = [(record.commit, new) for record in records for _, new in record.paths[:1]]
    contents = history.read_contents([(commit.commit, new) for commit, new in named])
    return [
        MemoryRevision(commit, content.decode(errors="replace"))
        for (commit, _), content in zip(named, contents, strict=True)
        if content is not None
    ]
