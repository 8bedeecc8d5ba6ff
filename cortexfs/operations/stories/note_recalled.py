"""Note that memories were shown to a model, as reads of their files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.operations.spool_read import spool_reads

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cortexfs.session.session import Session


def note_recalled(session: Session, refs: Iterable[str]) -> None:
    """Note a read of each memory; one that has gone meanwhile is left out."""
    with session.read() as view:
        found = filter(None, map(view.queries.find_ref, refs))
        spool_reads(view, [path for _, path in found])
