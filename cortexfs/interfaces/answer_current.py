"""Know by events what has changed, and answer other processes whether the catalog is current.

The answer to one question does not wait for another thing that this process does: it comes from a
thread and a socket of its own.
"""

from __future__ import annotations

from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from cortexfs.errors import CortexError
from cortexfs.interfaces.socket_server import SocketServer
from cortexfs.session.daemon_socket import hold_changes_socket
from cortexfs.session.watched_catalog import CURRENT_REQUEST

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cortexfs.session.session import Session


@contextmanager
def watch_and_answer(session: Session, on_unknown: Callable[[], object]) -> Iterator[None]:
    """Watch the tree of a session, and answer, unless another process does.

    `on_unknown` is called after a question to which the answer is unknown: a scan may be needed.
    """

    def answer(request: str) -> str:
        if request != CURRENT_REQUEST:
            return "unknown\n"
        with suppress(CortexError, OSError):
            if current := session.comparisons.describe_current_catalog():
                return f"{current}\n"
        on_unknown()
        return "unknown\n"

    with session.comparisons.watch_events(), hold_changes_socket(session.tree.root) as listener:
        if listener is None:
            yield
            return
        server = SocketServer(listener, answer)
        server.start()
        try:
            yield
        finally:
            server.close()
