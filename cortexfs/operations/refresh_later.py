"""Start the process that refreshes the bulletin after a quiet time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.errors import OutsideTree
from cortexfs.operations.drain_command import DRAIN_SCRIPT, drain_command

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cortexfs.session.session import Session


def refresh_later(session: Session, environ: Mapping[str, str]) -> bool:
    """Start the background drain if this process has changed the tree; return whether it did.

    The drain also renders the bulletin. One waits for each tree, however often this is called.
    """
    if not (session.reader.has_changed and session.tree.spool.has_change_mark()):
        return False
    try:
        command = drain_command(session, session.tree.package_path(DRAIN_SCRIPT))
        return session.tree.spool.start_drain(command, environ)
    except (OSError, OutsideTree):  # the next change, or the next read, renders it
        return False
