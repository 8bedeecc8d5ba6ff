"""Run commands in forks of a process that has already imported cortexfs.

A command is still a process of its own, with its arguments, environment, working directory,
streams and exit code; what it saves is the start of an interpreter and the imports.
As a program, this file is the process that forks: `command_server.py SOCKET`.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import pkgutil
import select
import selectors
import socket
import subprocess
import sys
import threading
import time
from importlib import import_module
from typing import NamedTuple, NoReturn

_IDLE: list[Server] = []
"""The servers that wait for a command; there are as many as commands have run at once."""
_LENGTH = 8
_CHUNK = 1 << 16


class Server(NamedTuple):
    """A process that forks for each command, and the connection to it."""

    process: subprocess.Popen[bytes]
    connection: socket.socket


def run_forked(
    words: tuple[str, ...], cwd: str, environment: dict[str, str], stdin: str = ""
) -> subprocess.CompletedProcess[str]:
    """Run `cortexfs WORDS` as `subprocess.run` does with captured output."""
    (command_in, feed), (out, command_out), (err, command_err) = (os.pipe() for _ in range(3))
    streams = [command_in, command_out, command_err]
    running = start_forked(words, cwd, environment, streams)
    for stream in streams:
        os.close(stream)
    stdout, stderr = _communicate(feed, stdin.encode(), [out, err])
    return subprocess.CompletedProcess(words, wait_for(running), stdout.decode(), stderr.decode())


def start_forked(
    words: tuple[str, ...], cwd: str, environment: dict[str, str], streams: list[int]
) -> Server:
    """Start `cortexfs WORDS` with three open files as its streams."""
    server = _IDLE.pop() if _IDLE else _start_server()
    request = json.dumps([words, cwd, environment]).encode()
    socket.send_fds(server.connection, [len(request).to_bytes(_LENGTH)], streams)
    server.connection.sendall(request)
    return server


def wait_for(server: Server) -> int:
    """Wait until a started command has ended; return its exit code."""
    code = int.from_bytes(_receive(server.connection, _LENGTH), signed=True)
    _IDLE.append(server)
    return code


def _start_server() -> Server:
    ours, theirs = socket.socketpair()
    with theirs:
        argv = [sys.executable, __file__, str(theirs.fileno())]
        server = Server(subprocess.Popen(argv, pass_fds=[theirs.fileno()], cwd="/"), ours)
    atexit.register(_stop_server, server)
    return server


def _stop_server(server: Server) -> None:
    server.connection.close()
    server.process.wait()


def _communicate(feed: int, text: bytes, outputs: list[int]) -> list[bytes]:
    """Write the input, and read the outputs to their ends."""
    texts = dict.fromkeys(outputs, b"")
    with selectors.DefaultSelector() as selector:
        selector.register(feed, selectors.EVENT_WRITE)
        for output in outputs:
            selector.register(output, selectors.EVENT_READ)
        while selector.get_map():
            for key, _ in selector.select():
                if key.fd == feed:
                    rest = text = _write_some(feed, text)
                else:
                    rest = os.read(key.fd, _CHUNK)
                    texts[key.fd] += rest
                if not rest:
                    selector.unregister(key.fd)
                    os.close(key.fd)
    return list(texts.values())


def _write_some(feed: int, text: bytes) -> bytes:
    """Write as much as a pipe takes without waiting; return the rest."""
    try:
        return text[os.write(feed, text[: select.PIPE_BUF]) :]
    except BrokenPipeError:
        return b""


def _receive(connection: socket.socket, count: int) -> bytes:
    received = b""
    while len(received) < count:
        chunk = connection.recv(count - len(received))
        if not chunk:
            raise EOFError
        received += chunk
    return received


def _import_all() -> None:
    package = import_module("cortexfs")
    for module in pkgutil.walk_packages(package.__path__, "cortexfs."):
        import_module(module.name)
    gc.collect()
    gc.freeze()  # else a collection in a fork would copy the memory of all modules


def _serve(connection: socket.socket) -> None:
    """Fork for each command; return in a fork, and when the tests have ended."""
    while True:
        length, streams, _, _ = socket.recv_fds(connection, _LENGTH, 3)
        if not length:
            sys.exit()
        request = _receive(connection, int.from_bytes(length))
        child = os.fork()
        if not child:
            connection.close()
            _set_up_process(request, streams)
            return
        for stream in streams:
            os.close(stream)
        _, status = os.waitpid(child, 0)
        code = os.waitstatus_to_exitcode(status)
        connection.sendall(code.to_bytes(_LENGTH, signed=True))


def _set_up_process(request: bytes, streams: list[int]) -> None:
    """Set the arguments, environment, working directory and streams of a command."""
    words, cwd, environment = json.loads(request)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    sys.stdin = open(0, encoding="utf-8")  # noqa: SIM115 - open to the end
    sys.stdout = open(1, "w", encoding="utf-8")  # noqa: SIM115
    sys.stderr = open(2, "w", 1, encoding="utf-8", errors="backslashreplace")  # noqa: SIM115
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(environment)
    time.tzset()
    sys.argv = ["cortexfs", *words]
    sys.path[0] = cwd


def _run_command() -> NoReturn:
    """Run the command, and end as an interpreter does, but without freeing every object."""
    code: object = 0
    try:
        import_module("cortexfs.__main__").run()
    except SystemExit as ended:
        code = ended.code
    except BaseException:  # noqa: BLE001 - whatever an interpreter reports
        sys.excepthook(*sys.exc_info())
        code = 1
    threading._shutdown()
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code if isinstance(code, int) else 0)


if __name__ == "__main__":
    _import_all()
    _serve(socket.socket(fileno=int(sys.argv[1])))
    _run_command()
