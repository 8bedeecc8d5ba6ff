"""Read what tells whether anything in the tree has changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cortexfs.session.session import Session


def read_tree_state(session: Session) -> str:
    """Return a text that is another one after every change of a file, and after each commit."""
    records = session.list_commits().records
    last = records[0].commit.commit if records else ""
    with session.read() as view:
        return f"{last[:12]}.{view.browse.digest_files()}"
