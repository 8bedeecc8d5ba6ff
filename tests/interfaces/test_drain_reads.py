"""A server logs reads and prepares what sessions get by itself: it starts no process."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from cortexfs.core.governance.project_status import StatusUpdate
from cortexfs.interfaces.drain_reads import drain_reads
from cortexfs.operations.refresh_later import refresh_later
from cortexfs.operations.status_md import set_status
from cortexfs.session.session import Session

if TYPE_CHECKING:
    from place import Place


def test_a_change_is_in_the_bulletin_after_the_next_round(sample: Place) -> None:
    session = Session.open(str(sample.root), lambda: datetime(2026, 5, 6, tzinfo=UTC))
    page = sample.root / "BULLETIN.md"
    drain_reads(session)
    assert not page.exists(), "nothing has changed"
    set_status(session, "driftwood", StatusUpdate(next=("Look at the pump",)))
    drain_reads(session)
    assert "Look at the pump" in page.read_text()
    assert (sample.root / ".cortexfs/injection/prompt-terms").exists()
    before = page.stat()
    drain_reads(session)
    assert page.stat() == before


def test_a_process_that_changed_nothing_starts_no_other(sample: Place) -> None:
    session = Session.open(str(sample.root), lambda: datetime(2026, 5, 6, tzinfo=UTC))
    session.tree.spool.add_change_mark()
    assert not refresh_later(session, {})
    set_status(session, "driftwood", StatusUpdate(next=("Look at the pump",)))
    assert not refresh_later(session, {"CORTEXFS_DRAIN_QUIET": "off"})
