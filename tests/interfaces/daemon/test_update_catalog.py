from __future__ import annotations

from typing import TYPE_CHECKING

from test_daemon import write_atom

from cortexfs.interfaces.cli.process_context import read_clock
from cortexfs.interfaces.daemon.update_catalog import update_catalog
from cortexfs.session.session import Session

if TYPE_CHECKING:
    from place import Place


def test_what_another_job_has_ingested_is_still_to_be_indexed(sample: Place) -> None:
    sample.ok("index", "regen", "--all")
    session = Session.open(str(sample.root), read_clock)
    assert not update_catalog(session, None).has_pending_work
    write_atom(sample, 701)
    while session.refresh():  # as reads of other jobs do, until the stamp is old enough
        pass
    update = update_catalog(session, None)
    assert (update.changed_paths, update.has_pending_work) == ([], True)
    session.close()
