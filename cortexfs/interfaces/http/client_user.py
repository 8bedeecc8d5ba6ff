"""Who sent a request: the user of the connection's other end, if it is on this machine."""

from __future__ import annotations

import struct
from ipaddress import IPv4Address, ip_address
from itertools import chain
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_TABLES = ("/proc/self/net/tcp", "/proc/self/net/tcp6")
"""Linux's tables of connections.

Columns: `number: local remote state tx:rx tr:when retransmits uid timeout inode …`.
"""
_LOCAL, _REMOTE, _USER, _INODE = 1, 2, 7, 9
_MAPPED = b"\0" * 10 + b"\xff" * 2
"""What precedes an address of IPv4 in one of IPv6."""
UNKNOWN_USER = -1
"""In place of a user id: the system lists connections, and not the other end of this one."""


def find_client_user(client: tuple[str, int], server_port: int) -> int | None:
    """Return the user id of a client's end of a connection to a port.

    Returns `UNKNOWN_USER` for a client that is on another machine or has closed its end, and None
    if the system does not tell whose connections are.
    """
    host, port = client
    ends = {f"{address}:{port:04X}" for address in _list_written_forms(host)}
    is_listed = False
    for row in _iter_connections(f":{port:04X} "):
        if not row:
            is_listed = True
        elif row[_LOCAL] in ends and row[_REMOTE].endswith(f":{server_port:04X}"):
            return int(row[_USER]) if row[_INODE] != "0" else UNKNOWN_USER
    return UNKNOWN_USER if is_listed else None


def _list_written_forms(host: str) -> list[str]:
    """Return an address as the tables write it: words in the byte order of the machine."""
    address = ip_address(host.partition("%")[0])
    four = address if isinstance(address, IPv4Address) else address.ipv4_mapped
    packed = [four.packed, _MAPPED + four.packed] if four else [address.packed]
    return ["".join(f"{word:08X}" for (word,) in struct.iter_unpack("=I", each)) for each in packed]


def _iter_connections(port: str) -> Iterator[list[str]]:
    """Yield the rows with a port, of thousands; before them an empty one for a table with rows.

    A system that tells nothing may have tables with nothing but the names of their columns.
    """
    for table in _TABLES:
        try:
            with open(table, encoding="ascii") as lines:
                next(lines, "")  # the names of the columns
                if first := next(lines, ""):
                    yield []
                yield from (line.split() for line in chain((first,), lines) if port in line)
        except OSError:
            continue
