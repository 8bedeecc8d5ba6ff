"""Who sent a request: the user of the connection's other end, if it is on this machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_TABLES = ("/proc/self/net/tcp", "/proc/self/net/tcp6")
"""Linux's tables of connections: `number: local remote state tx:rx tr:when retransmits uid …`."""
_LOCAL, _REMOTE, _USER = 1, 2, 7
_LOOPBACK_ENDS = ("0100007F", "01000000")
"""The ends of 127.0.0.1, also mapped into IPv6, and of ::1, as the tables have them."""


def find_client_user(client_port: int, server_port: int) -> int | None:
    """Return the user id of a loopback connection to a port; None if the system does not tell."""
    ports = (f"{client_port:04X}", f"{server_port:04X}")
    for row in _iter_connections(f":{ports[0]} "):
        (address, _, port), (_, _, remote) = (row[at].rpartition(":") for at in (_LOCAL, _REMOTE))
        if (port, remote) == ports and address.endswith(_LOOPBACK_ENDS):
            return int(row[_USER])
    return None


def _iter_connections(port: str) -> Iterator[list[str]]:
    """Yield the rows with a port, of thousands."""
    for table in _TABLES:
        try:
            with open(table, encoding="ascii") as lines:
                next(lines, "")  # the names of the columns
                yield from (line.split() for line in lines if port in line)
        except OSError:
            continue
