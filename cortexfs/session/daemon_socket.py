"""The sockets of a daemon: their addresses, and one request to one of them.

A request is one line; the answer is one line of JSON, and the connection ends.
"""

from __future__ import annotations

import os
import socket
import struct
import time
from contextlib import ExitStack, contextmanager, suppress
from typing import TYPE_CHECKING

from cortexfs.core.atoms.tree_paths import CHANGES_SOCKET, DAEMON_SOCKET
from cortexfs.core.daemon.daemon_state import MAX_STATE_BYTES
from cortexfs.errors import CortexError
from cortexfs.tree.safe_open import open_folder, open_private_folder
from cortexfs.tree.try_lock import try_private_lock

if TYPE_CHECKING:
    from collections.abc import Iterator

CHANGES_LOCK = "changes.lock"
ANSWER_S = 0.1
"""Seconds after which a client does without an answer."""
DESCRIPTORS = "/proc/self/fd"
MAX_ADDRESS_BYTES = 100
"""Bytes of a path that every system accepts as an address."""
LISTEN_BACKLOG = 64
_CREDENTIALS = struct.Struct("3i")


def ask_daemon(root: str, request: str, timeout_s: float = ANSWER_S) -> str:
    """Return the answer of the daemon of a tree; empty if there is none in time."""
    return ask_socket(root, DAEMON_SOCKET, request, timeout_s)


def ask_socket(root: str, name: str, request: str, timeout_s: float = ANSWER_S) -> str:
    """Return the answer at a socket of a tree; empty if there is none in time."""
    deadline = time.monotonic() + timeout_s
    try:
        with (
            open_folder(root, ".cortexfs") as at,
            open_socket_address(root, at, name) as address,
            socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection,
        ):
            connection.settimeout(timeout_s)
            connection.connect(address)
            if not is_same_user(connection):
                return ""
            connection.sendall(f"{request}\n".encode())
            return _receive_line(connection, deadline)
    except (OSError, CortexError):
        return ""


@contextmanager
def open_socket_address(root: str, folder_fd: int, name: str) -> Iterator[str]:
    """Yield an address of the socket that is short enough; raise `OSError` if there is none.

    An address has at most 107 bytes, so that the path of a deep tree is none: there the socket is
    named through the open folder.
    """
    path = os.path.join(root, ".cortexfs", name)
    if os.path.isdir(DESCRIPTORS):
        yield f"{DESCRIPTORS}/{folder_fd}/{name}"
    elif len(os.fsencode(path)) <= MAX_ADDRESS_BYTES:
        yield path
    else:
        raise OSError(None, "the path of the tree is too long for a socket")


def bind_socket(root: str, name: str) -> socket.socket:
    """Return a listening socket of a tree; raise `OSError` where there can be none.

    The caller has the lock for this socket: a socket that is there was left by a dead one. It calls
    this before it starts threads, which the mask for new files would affect.
    """
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    mask = os.umask(0o177)
    try:
        with open_private_folder(root) as at, open_socket_address(root, at, name) as address:
            with suppress(FileNotFoundError):
                os.unlink(name, dir_fd=at)
            listener.bind(address)
        listener.listen(LISTEN_BACKLOG)
    except OSError:
        listener.close()
        raise
    finally:
        os.umask(mask)
    listener.settimeout(0)
    return listener


@contextmanager
def hold_changes_socket(root: str) -> Iterator[socket.socket | None]:
    """Yield a socket on which one process answers what is current; None if another one does."""
    with ExitStack() as stack:
        listener = None
        with suppress(OSError, CortexError):
            if stack.enter_context(try_private_lock(root, CHANGES_LOCK)):
                listener = bind_socket(root, CHANGES_SOCKET)
        yield listener


def is_same_user(connection: socket.socket) -> bool:
    """Return whether the process at the other end has our user; true where nobody can tell."""
    if not hasattr(socket, "SO_PEERCRED"):
        return True  # the folder of the socket admits its owner only
    with suppress(OSError):
        sent = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
        return bool(_CREDENTIALS.unpack(sent)[1] == os.geteuid())
    return False


def _receive_line(connection: socket.socket, deadline: float) -> str:
    """Return one line, its end excluded; empty if it is too long or does not come in time."""
    received = b""
    while not received.endswith(b"\n") and len(received) < MAX_STATE_BYTES:
        remaining = deadline - time.monotonic()
        if remaining <= 0:
            return ""
        connection.settimeout(remaining)
        if not (part := connection.recv(1 << 16)):
            return ""
        received += part
    return received.decode(errors="replace").strip() if received.endswith(b"\n") else ""
