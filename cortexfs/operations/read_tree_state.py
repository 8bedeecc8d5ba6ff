"""Read what tells whether anything has changed: in the tree, and in what agents do."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.session.daemon_files import read_stored_state
from cortexfs.session.injection_files import stamp_given_texts
from cortexfs.session.process_event_log import stamp_process_events

if TYPE_CHECKING:
    from cortexfs.session.session import Session


class ActivityState(NamedTuple):
    """Texts that are other ones after agents were given something, and after something ran."""

    given: str
    work: str


def read_tree_state(session: Session) -> str:
    """Return a text that is another one after every change of a file, and after each commit."""
    records = session.list_commits().records
    last = records[0].commit.commit if records else ""
    with session.read() as view:
        return f"{last[:12]}.{view.digest_files()}"


def read_activity_state(session: Session) -> ActivityState:
    """Return the state of what hooks, agents and the daemon did."""
    daemon = read_stored_state(session.tree.root)
    jobs = daemon.jobs if daemon else ()
    runs = (f"{each.name}.{each.record.runs}.{each.is_running:d}" for each in jobs)
    work = ".".join((stamp_process_events(session.tree), *runs))
    return ActivityState(stamp_given_texts(session.tree), work)
