"""Open the socket of a server: an address of this machine, or a socket file."""

from __future__ import annotations

import errno
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
MAX_PATH_BYTES = 103
"""Bytes of a path that every system accepts as an address."""
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

    A socket file of ours that nobody listens at is replaced. Raises `Refused` for any other file,
    and for a place where there can be no private socket.
    """
    _require_private_place(path)
    _remove_unused(path)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    before = os.umask(0o177)
    try:
        listener.bind(path)
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        if error.errno == errno.EADDRINUSE:
            raise _make_taken_error(path) from None
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


def _require_private_place(path: str) -> None:
    """Refuse a path that is too long, and one that another user could take from its server."""
    if len(os.fsencode(path)) > MAX_PATH_BYTES:
        raise Refused(
            f"the path of a socket has at most {MAX_PATH_BYTES} bytes",
            hint="name a shorter path, or one relative to the current folder",
        )
    folder = os.path.dirname(path) or "."
    mode = os.stat(folder).st_mode
    if mode & stat.S_IWOTH and not mode & stat.S_ISVTX:
        raise Refused(
            f"other users can replace files in {folder}", hint="name a path in a folder of yours"
        )


def _remove_unused(path: str) -> None:
    """Remove the socket file of a server of ours that has ended."""
    with suppress(FileNotFoundError):
        status = os.lstat(path)
        if not stat.S_ISSOCK(status.st_mode):
            raise Refused(f"{path} is not a socket", hint="name another path")
        if status.st_uid != os.geteuid():
            raise Refused(f"{path} belongs to another user", hint="name another path")
        if not _is_unused(path) or not os.path.samestat(status, os.lstat(path)):
            raise _make_taken_error(path)
        os.unlink(path)


def _is_unused(path: str) -> bool:
    """Return whether nobody listens at a socket file; one who takes no connection listens too."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(0)
        try:
            probe.connect(path)
        except ConnectionRefusedError:
            return True
        except FileNotFoundError:
            raise
        except OSError:
            return False
    return False


def _make_taken_error(path: str) -> Refused:
    return Refused(f"a program listens at {path}", hint="stop it, or name another path")
