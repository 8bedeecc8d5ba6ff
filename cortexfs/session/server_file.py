"""The private file in which a server says where it listens, so that `cortexfs ui` finds it.

The file is only a hint: a server is believed after it has proved that it has the tree's token.
"""

from __future__ import annotations

import json
import os
from contextlib import contextmanager, suppress
from ipaddress import ip_address
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.tree_paths import LOCAL_FOLDER
from cortexfs.errors import CortexError
from cortexfs.tree import atomic_files
from cortexfs.tree.private_files import write_private_file
from cortexfs.tree.safe_open import open_folder

if TYPE_CHECKING:
    from collections.abc import Iterator

SERVER_FILE = "server.json"
MAX_FILE_BYTES = 500
MAX_PORT = 65_535


class ServerPlace(NamedTuple):
    """An address of this machine, and a port."""

    host: str
    port: int


@contextmanager
def announce_server(root: str, place: ServerPlace) -> Iterator[None]:
    """Say where a server listens until the end of the block, unless nothing can be written.

    Of several servers of a tree the last one is found.
    """
    own = json.dumps({"pid": os.getpid(), **place._asdict()}).encode()
    with suppress(OSError, CortexError):
        write_private_file(root, SERVER_FILE, own)
    try:
        yield
    finally:
        with suppress(OSError, CortexError), open_folder(root, LOCAL_FOLDER) as at:
            if atomic_files.read_file_bytes(at, SERVER_FILE, MAX_FILE_BYTES) == own:
                os.unlink(SERVER_FILE, dir_fd=at)


def find_announced_server(root: str) -> ServerPlace | None:
    """Return where the last server says that it listens, running or not; None if none says it."""
    try:
        with open_folder(root, LOCAL_FOLDER) as at:
            content = atomic_files.read_file_bytes(at, SERVER_FILE, MAX_FILE_BYTES)
        document = json.loads(content)
        place = ServerPlace(str(document["host"]), document["port"])
        is_ours = type(place.port) is int and 0 < place.port <= MAX_PORT
        return place if is_ours and ip_address(place.host).is_loopback else None
    except (OSError, CortexError, ValueError, LookupError, TypeError, RecursionError):
        return None
