"""Read what tells whether any file of the tree has changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cortexfs.session.session import Session


def read_files_state(session: Session) -> str:
    """Return a text that is another one after every change of a file; commits change nothing."""
    with session.read() as view:
        return view.browse.digest_files()
