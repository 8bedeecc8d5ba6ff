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


class TreeState:
    """The state of one tree for any number of threads."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def read(self) -> str:
        """Return a text that is another one after every change of a file, and each commit."""
        return f"{self.read_last_commit()[:12]}.{self.read_files()}"

    def read_last_commit(self) -> str:
        """Return the id of the last commit that was no housekeeping; empty if there is none."""
        records = self._session.list_commits().records
        return records[0].commit.commit if records else ""

    def read_files(self) -> str:
        """Return a text that is another one after every change of a file."""
        with self._session.read() as view:
            return f"{view.describe_contents()}.{view.browse.digest_other_texts()}"


def read_activity_state(session: Session) -> ActivityState:
    """Return the state of what hooks, agents and the daemon did."""
    daemon = read_stored_state(session.tree.root)
    jobs = daemon.jobs if daemon else ()
    runs = (f"{each.name}.{each.record.runs}.{each.is_running:d}" for each in jobs)
    work = ".".join((stamp_process_events(session.tree), *runs))
    return ActivityState(stamp_given_texts(session.tree), work)
