"""Who sent a request: the user of the connection's other end, if it is on this machine."""

from __future__ import annotations

import socket
import struct
import sys
from contextlib import closing, suppress
from ipaddress import IPv4Address, ip_address
from itertools import chain
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from ipaddress import IPv6Address

_TABLES = ("/proc/self/net/tcp", "/proc/self/net/tcp6")
"""Linux's tables of connections.

Columns: `number: local remote state tx:rx tr:when retransmits uid timeout inode …`.
"""
_LOCAL, _REMOTE, _USER, _INODE = 1, 2, 7, 9
_MAPPED = b"\0" * 10 + b"\xff" * 2
"""What precedes an address of IPv4 in one of IPv6."""
_SOCK_DIAG, _BY_FAMILY, _ANY = 4, 20, 0xFFFFFFFF
_ANY_SOCKET = struct.pack("=III", 0, _ANY, _ANY)
"""Of any interface, with any cookie."""
_HEAD_BYTES, _USER_OFFSET = 16, 64
"""Of a message, and of the user id in what follows; the number of the socket is behind it."""
UNKNOWN_USER = -1
"""In place of a user id: the system lists connections, and not the other end of this one."""


def find_client_user(client: tuple[str, int], server_port: int) -> int | None:
    """Return the user id of a client's end of a connection to a port.

    Returns `UNKNOWN_USER` for a client that is on another machine or has closed its end, and None
    if the system does not tell whose connections are.
    """
    with suppress(OSError):  # a system, or a sandbox, without such questions
        user = _ask_kernel(client, server_port)
        if user is not None:
            return user
    return _search_tables(client, server_port)


def _ask_kernel(client: tuple[str, int], server_port: int) -> int | None:
    """Return the user id of a connection from a loopback address to the usual one; None if none.

    To ask Linux for one connection (`sock_diag(7)`) takes 0.1 ms; to read its tables, 10.
    """
    address = _parse_address(client[0])
    if sys.platform != "linux" or not address.is_loopback:
        return None
    is_four = isinstance(address, IPv4Address)
    family, server = (2, IPv4Address("127.0.0.1")) if is_four else (10, address)
    ends = struct.pack("!HH16s16s", client[1], server_port, address.packed, server.packed)
    wanted = struct.pack("=BBxxI48s", family, socket.IPPROTO_TCP, _ANY, ends + _ANY_SOCKET)
    question = struct.pack("=IHHII", _HEAD_BYTES + len(wanted), _BY_FAMILY, 1, 0, 0) + wanted
    with closing(socket.socket(socket.AF_NETLINK, socket.SOCK_DGRAM, _SOCK_DIAG)) as kernel:
        kernel.settimeout(1)
        kernel.sendto(question, (0, 0))
        answer = kernel.recv(4096)
    if int.from_bytes(answer[4:6], sys.byteorder) != _BY_FAMILY:
        return None
    user, inode = struct.unpack_from("=II", answer, _HEAD_BYTES + _USER_OFFSET)
    return int(user) if inode else UNKNOWN_USER


def _search_tables(client: tuple[str, int], server_port: int) -> int | None:
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
    address = _parse_address(host)
    is_four = isinstance(address, IPv4Address)
    packed = [address.packed, _MAPPED + address.packed] if is_four else [address.packed]
    return ["".join(f"{word:08X}" for (word,) in struct.iter_unpack("=I", each)) for each in packed]


def _parse_address(host: str) -> IPv4Address | IPv6Address:
    """Return an address without its zone; of IPv4 if it is one that IPv6 writes in its way."""
    address = ip_address(host.partition("%")[0])
    return address if isinstance(address, IPv4Address) else address.ipv4_mapped or address


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
