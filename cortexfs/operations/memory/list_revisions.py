"""The earlier texts of a memory, from git."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.errors import CortexError
from cortexfs.operations.log import list_atom_commits
from cortexfs.operations.shared.load_memories import resolve_memory
from cortexfs.operations.show import show_at

if TYPE_CHECKING:
    from cortexfs.session.annotation_types import CommitSummary
    from cortexfs.session.session import Session


class MemoryRevision(NamedTuple):
    """The whole text of a memory after a commit."""

    commit: CommitSummary
    text: str


def list_revisions(session: Session, typed: str, limit: int = 20) -> list[MemoryRevision]:
    """Return the texts that a memory had, latest first; raises `NoSuchAtom`.

    A text that was saved a moment ago may wait for its commit.
    """
    with session.read() as view:
        ref = resolve_memory(view, typed).ref
    _, entries = list_atom_commits(session, ref, "/", limit)
    found: list[MemoryRevision] = []
    for entry in entries:
        try:
            past = show_at(session, ref, "/", entry.commit.commit)
        except CortexError:  # it was not there under that name
            continue
        found.append(MemoryRevision(entry.commit, past.text))
    return found
