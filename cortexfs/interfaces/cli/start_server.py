"""Open the socket of `cortexfs serve` and `cortexfs ui`, and serve the tree until interrupted."""

from __future__ import annotations

import errno
import gc
import signal
import sys
import threading
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.errors import Refused
from cortexfs.interfaces.http.find_server import FoundServer, find_server
from cortexfs.interfaces.http.listening_socket import (
    DEFAULT_HOST,
    FILE_PORT,
    format_address,
    is_loopback,
    open_file_listener,
    open_listener,
)
from cortexfs.interfaces.http.server_access import make_access
from cortexfs.session.server_file import ServerPlace, announce_server, find_announced_server

if TYPE_CHECKING:
    import socket
    from collections.abc import Iterator

    from cortexfs.interfaces.cli.command_context import CommandContext
    from cortexfs.interfaces.http.run_server import Task
    from cortexfs.interfaces.http.server_access import ServerAccess
    from cortexfs.session.session import Session

DEFAULT_PORT = 7438
SWITCH_S = 0.001
"""Seconds after which a thread that computes lets another one run: the event loop has to wait for
it after each system call."""
MAX_CONNECTIONS = 200
"""Maximum number of open connections."""


class ServerAddress(NamedTuple):
    """Where a server listens, as typed, and the file with its token (empty: that of the tree)."""

    host: str = DEFAULT_HOST
    port: int = DEFAULT_PORT
    socket_path: str = ""
    token_file: str = ""


class OpenServer(NamedTuple):
    """A server that listens and does not answer yet."""

    listener: socket.socket
    access: ServerAccess
    address: str
    """`http://127.0.0.1:7438`, or the path of a socket file."""
    token_path: str


@contextmanager
def open_server(session: Session, wanted: ServerAddress) -> Iterator[OpenServer]:
    """Yield the listening server of a tree; raises `Refused` if there cannot be one."""
    require_token_file(wanted)
    token, token_path = find_token(session, wanted.token_file)
    with listen(wanted, token) as listener, ExitStack() as stack:
        if wanted.socket_path:
            host, port, address = DEFAULT_HOST, FILE_PORT, wanted.socket_path
        else:
            host, port = listener.getsockname()[:2]
            address = f"http://{format_address(host, port)}"
            stack.enter_context(announce_server(session.tree.root, ServerPlace(host, port)))
        yield OpenServer(
            listener, make_access(host, port, token, has_panel=True), address, token_path
        )


def require_token_file(wanted: ServerAddress) -> None:
    """Raise `Refused` for an address that other machines reach, if no file has its token."""
    if not is_loopback(wanted.host) and not wanted.token_file:
        raise Refused(
            f"other machines reach {wanted.host}", hint="name a file with a token: --token-file"
        )


def serve_tree(run: CommandContext, session: Session, server: OpenServer) -> None:
    """Serve a tree until the process is interrupted, and commit what is left."""
    from cortexfs.interfaces.cli.server_routes import make_routes
    from cortexfs.interfaces.drain_reads import drain_reads, drain_reads_regularly
    from cortexfs.interfaces.http.run_server import ServerLimits, run_server
    from cortexfs.interfaces.http.server_app import limit_threads, make_server_app
    from cortexfs.interfaces.release_free_memory import release_free_memory_regularly

    with serve_in_process(run, session):
        made = make_routes(session)
        app = make_server_app(session, server.access, made.routes, made.prepare)
        beside: list[Task] = [
            limit_threads,
            release_free_memory_regularly,
            partial(drain_reads_regularly, session),
            *(partial(_freeze_after, each) for each in made.beside),
        ]
        run_server(app, server.listener, beside, ServerLimits(MAX_CONNECTIONS))
        drain_reads(session)


async def _freeze_after(prepare: Task) -> None:
    """Prepare the server; what exists then stays, and is not searched for garbage any more.

    Each full search for garbage took 50 ms, in which nothing else ran.
    """
    await prepare()
    gc.collect()
    gc.freeze()


@contextmanager
def serve_in_process(run: CommandContext, session: Session) -> Iterator[None]:
    """Prepare this process for a server that lives long; at the end commit what is left."""
    from cortexfs.interfaces.release_free_memory import share_heaps
    from cortexfs.interfaces.serve_session import serve_session

    share_heaps()
    gc.enable()
    sys.setswitchinterval(SWITCH_S)

    def report(error: str) -> None:
        print_if_read(run, f"warning: {error}; trying again")

    with serve_session(session, report), _signals_of_server():
        yield


def print_if_read(run: CommandContext, text: str) -> None:
    """Print a message; a server goes on when nobody reads what it says."""
    with suppress(OSError):
        run.output.print_message(text)


def find_running_server(session: Session, wanted: ServerAddress) -> FoundServer | None:
    """Return the server of this tree that listens already, on this port or on another.

    The token is not sent: the port may be that of another program.
    """
    token, _ = find_token(session, wanted.token_file)
    if found := find_server(wanted.host, wanted.port, token):
        return found
    place = find_announced_server(session.tree.root)
    return find_server(place.host, place.port, token) if place else None


def print_openapi(run: CommandContext) -> None:
    """Print the OpenAPI document of the server, on lines."""
    import json

    from cortexfs.interfaces.rest.rest_app import make_openapi_document

    run.output.print_text(json.dumps(make_openapi_document(), indent=2))


def find_token(session: Session, typed: str) -> tuple[str, str]:
    """Return the token of the server, and the path of its file."""
    from cortexfs.session.access_token import (
        SERVER_TOKEN_FILE,
        read_or_create_token,
        read_token_file,
    )

    if typed:
        return read_token_file(typed), typed
    return read_or_create_token(session.tree, SERVER_TOKEN_FILE)


def listen(wanted: ServerAddress, token: str) -> socket.socket:
    """Return the listening socket; raises `Refused` if the port is in use, and says by whom."""
    if wanted.socket_path:
        return open_file_listener(wanted.socket_path)
    try:
        return open_listener(wanted.host, wanted.port)
    except OSError as error:
        if error.errno != errno.EADDRINUSE:
            raise
    if find_server(wanted.host, wanted.port, token):
        hint = "`cortexfs ui --link` prints a link to it; for a second one name another: --port"
        raise Refused(f"port {wanted.port} is used by this tree's own server", hint=hint)
    raise Refused(f"port {wanted.port} is used by another program", hint="name another: --port")


@contextmanager
def _signals_of_server() -> Iterator[None]:
    """Let the server alone decide when to end: after it, changes are committed undisturbed."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    from cortexfs.interfaces.http.run_server import SignalNote

    note = SignalNote()  # the server ends for it, or has ended already
    before = {each: signal.signal(each, note) for each in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, known in before.items():
            signal.signal(number, known)
