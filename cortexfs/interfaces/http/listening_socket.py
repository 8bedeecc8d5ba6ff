"""Open the socket of a server: an address of this machine, or a socket file."""

from __future__ import annotations

import os
import socket
import stat
from contextlib import suppress
from ipaddress import ip_address

from cortexfs.errors import Refused

DEFAULT_HOST = "127.0.0.1"
"""The address of a server without another."""
MAX_PORT = 65_535
BACKLOG = 128
"""Maximum number of connections that wait to be accepted."""
FILE_PORT = 0
"""What stands for the port of a socket file."""


def open_listener(host: str, port: int) -> socket.socket:
    """Return a listening socket; raises `Refused` for the address that stands for every one.

    Its connections send each part of an answer at once: the head and the body are two, and the
    second would wait for 40 ms until the client has confirmed the first. Raises `OSError` if the
    port is in use.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.create_server((host, port), family=family, backlog=BACKLOG)
    try:
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        _refuse_every_address(listener.getsockname()[0])
    except Refused:
        listener.close()
        raise
    return listener


def open_file_listener(path: str) -> socket.socket:
    """Return a socket that listens at a path, which only its owner can use.

    A socket file that nobody listens at is replaced. Raises `Refused` for any other file.
    """
    _remove_unused(path)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    before = os.umask(0o177)
    try:
        listener.bind(path)
        listener.listen(BACKLOG)
    except OSError:
        listener.close()
        raise
    finally:
        os.umask(before)
    return listener


def is_loopback(host: str) -> bool:
    """Return whether only programs of this machine reach an address."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def format_address(host: str, port: int) -> str:
    """Return `127.0.0.1:7438`, or `[::1]:7438`."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def _refuse_every_address(host: str) -> None:
    """Refuse the address that stands for every one, which `0` and `[::0]` name too."""
    if ip_address(host).is_unspecified:
        raise Refused(
            "a server on every address accepts any Host header", hint="name one address of yours"
        )


def _remove_unused(path: str) -> None:
    """Remove the socket file of a server that has ended."""
    with suppress(FileNotFoundError):
        if not stat.S_ISSOCK(os.lstat(path).st_mode):
            raise Refused(f"{path} is not a socket", hint="name another path")
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
            try:
                probe.connect(path)
            except ConnectionRefusedError:
                os.unlink(path)
                return
        raise Refused(f"a server listens at {path}", hint="stop it, or name another path")
