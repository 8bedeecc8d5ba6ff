"""Run commands in forks of a process that has already imported cortexfs.

A command is still a process of its own, with its arguments, environment, working directory,
streams and exit code; what it saves is the start of an interpreter and the imports.
As a program, this file is the process that forks: `command_server.py SOCKET`. It is started once,
and again with `mcp` for the MCP server; for commands that run at once it forks more servers.
"""

from __future__ import annotations

import atexit
import ctypes
import gc
import json
import os
import pkgutil
import select
import selectors
import shlex
import socket
import subprocess
import sys
import threading
import time
from contextlib import redirect_stderr, redirect_stdout
from ctypes import c_size_t, c_void_p
from functools import cache
from importlib import import_module
from io import StringIO
from tempfile import TemporaryDirectory
from typing import NamedTuple, NoReturn

_IDLE: list[Server] = []
"""The servers that wait for a command; there are as many as commands have run at once."""
_LOCK = threading.Lock()
_ENVIRONMENT = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}
"""The environment before any test has changed it; what is compiled is kept."""
_LENGTH = 8
_CHUNK = 1 << 16
_HUGE = 1 << 21
_MADV_COLLAPSE = 25
_FIRST_COMMANDS = """
init
project new wheel --goal "To spin"
new experiment -p wheel -s "A summary of 3 words" -t codec
new knowledge -p wheel -s "What is known" -t codec --evidence EXP-001
list
find summary
show wheel/EXP-001
check
mark wheel/EXP-001 stale --reason "It is old"
undo
index regen --all
"""
"""Commands that the first process runs on a tree of its own, one a line."""
_MCP = "mcp"
_HEAVY = tuple(f"cortexfs.interfaces.{name}" for name in (_MCP, "http", "rest", "tui", "web"))
"""The packages whose libraries would double the memory of every fork."""


class Server(NamedTuple):
    """The connection to a process that forks for each command, and what only it has imported."""

    connection: socket.socket
    extra: str


def run_forked(
    words: tuple[str, ...],
    cwd: str,
    environment: dict[str, str],
    stdin: str = "",
    before: str = "",
) -> subprocess.CompletedProcess[str]:
    """Run `cortexfs WORDS` as `subprocess.run` does with captured output.

    `before` is Python that its process runs first.
    """
    (command_in, feed), (out, command_out), (err, command_err) = (os.pipe() for _ in range(3))
    streams = [command_in, command_out, command_err]
    running = start_forked(words, cwd, environment, streams, before)
    for stream in streams:
        os.close(stream)
    stdout, stderr = _communicate(feed, memoryview(stdin.encode()), [out, err])
    return subprocess.CompletedProcess(words, wait_for(running), stdout.decode(), stderr.decode())


def start_forked(
    words: tuple[str, ...],
    cwd: str,
    environment: dict[str, str],
    streams: list[int],
    before: str = "",
) -> Server:
    """Start `cortexfs WORDS` with three open files as its streams."""
    extra = _MCP if _MCP in words else ""
    server = _take_idle_server(extra) or _start_server(extra)
    request = json.dumps([words, cwd, environment, before]).encode()
    socket.send_fds(server.connection, [len(request).to_bytes(_LENGTH)], streams)
    server.connection.sendall(request)
    return server


def wait_for(server: Server) -> int:
    """Wait until a started command has ended; return its exit code."""
    code = int.from_bytes(_receive(server.connection, _LENGTH), signed=True)
    with _LOCK:
        _IDLE.append(server)
    return code


def _take_idle_server(extra: str) -> Server | None:
    with _LOCK:
        found = next((server for server in _IDLE if server.extra == extra), None)
        if found:
            _IDLE.remove(found)
        return found


def _start_server(extra: str) -> Server:
    """Have a server forked."""
    ours, theirs = socket.socketpair()
    with theirs, _LOCK:
        socket.send_fds(_start_first_process(extra), [b"+"], [theirs.fileno()])
    atexit.register(ours.close)
    return Server(ours, extra)


@cache
def _start_first_process(extra: str) -> socket.socket:
    """Start the process that all such servers are forked from; return the connection to it."""
    ours, theirs = socket.socketpair()
    with theirs:
        argv = [sys.executable, __file__, str(theirs.fileno()), extra]
        process = subprocess.Popen(argv, pass_fds=[theirs.fileno()], cwd="/", env=_ENVIRONMENT)
    atexit.register(process.wait)
    atexit.register(ours.close)
    return ours


def _communicate(feed: int, text: memoryview, outputs: list[int]) -> list[bytes]:
    """Write the input, and read the outputs to their ends."""
    rest: memoryview | bytes
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


def _write_some(feed: int, text: memoryview) -> memoryview:
    """Write as much as a pipe takes without waiting; return the rest."""
    try:
        return text[os.write(feed, text[: select.PIPE_BUF]) :]
    except BrokenPipeError:
        return text[:0]


def _receive(connection: socket.socket, count: int) -> bytes:
    received = b""
    while len(received) < count:
        chunk = connection.recv(count - len(received))
        if not chunk:
            raise EOFError
        received += chunk
    return received


def _import_all(extra: str) -> None:
    """Import what a command may need, and the MCP server if it is wanted."""
    _build_each_command_once()
    package = import_module("cortexfs")
    for module in pkgutil.walk_packages(package.__path__, "cortexfs."):
        if extra or not module.name.startswith(_HEAVY):
            import_module(module.name)
    _show_all_help()
    if not extra:
        _run_some_commands()
    _compile_patterns()
    gc.collect()
    gc.freeze()  # else a collection in a fork would copy the memory of all modules
    _use_huge_pages()


def _build_each_command_once() -> None:
    """Let forks take the parser of a command from here: it depends on nothing but the code."""
    typer = import_module("typer.main")
    setattr(typer, "get_command", cache(typer.get_command))  # noqa: B010 - for mypy a function


def _show_all_help() -> None:
    """Have each command show its help, so that its parser is built and no annotation evaluated."""
    command = import_module("typer.main").get_command(
        import_module("cortexfs.interfaces.cli.app").app
    )
    names = import_module("cortexfs.interfaces.cli.command_table").COMMANDS
    with redirect_stdout(StringIO()):
        for name in [*names, *names]:  # the second time the interpreter specialises its code
            command([name, "--help"], prog_name="cortexfs", standalone_mode=False)


def _run_some_commands() -> None:
    """Run frequent commands on a tree of their own: a tenth of the time of all forks.

    The interpreter specialises their code, and what they compile and cache is there for each fork.
    """
    command = import_module("typer.main").get_command(
        import_module("cortexfs.interfaces.cli.app").app
    )
    options = import_module("cortexfs.interfaces.cli.process_context").GLOBAL_OPTIONS
    with (
        TemporaryDirectory(prefix="cortexfs-first-") as root,
        redirect_stdout(StringIO()),
        redirect_stderr(StringIO()),
    ):
        os.environ.update(_environment_of_first_commands(root))
        for words in _FIRST_COMMANDS.strip().splitlines():
            typed = ["--root", root, *shlex.split(words)]
            code = command(typed, prog_name="cortexfs", standalone_mode=False)
            assert code in {None, 0, 1}, (words, code)
    vars(options).clear()
    assert threading.active_count() == 1, "a fork would not have the other threads"


def _environment_of_first_commands(root: str) -> dict[str, str]:
    """Return an environment in which a command finds no settings, and no process works later."""
    folders = dict.fromkeys(("HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"), root)
    return {**folders, "CORTEXFS_DRAIN_QUIET": "off", "CORTEXFS_VECTORS": "off"}


def _compile_patterns() -> None:
    """Have patterns compiled that a command compiles when it needs them, a tenth of its time."""
    text = "The größte Wert von 漢字 and 한글 is λ in src/x.py:3, says HTTPServer.\a"
    import_module("cortexfs.core.find.tokenize").tokenize(text)
    import_module("cortexfs.core.find.entities").find_entities(text)
    import_module("cortexfs.core.text.sanitize").strip_unprintable(text)
    import_module("cortexfs.core.atoms.tree_paths").is_access_log_name(text)
    import_module("cortexfs.history.ref_name").is_object_id(text)


def _use_huge_pages() -> None:
    """Have Linux join the pages of the heap, where it can: a fork then costs half as much."""
    if sys.platform != "linux":
        return
    madvise = ctypes.CDLL(None).madvise
    with open("/proc/self/maps", encoding="utf-8") as maps:
        mappings = [line.split() for line in maps]
    for addresses, permissions, _, _, inode, *_ in mappings:
        if permissions == "rw-p" and inode == "0":
            start, end = (int(address, 16) // _HUGE * _HUGE for address in addresses.split("-"))
            size = end - start - _HUGE
            if size > 0:
                madvise(c_void_p(start + _HUGE), c_size_t(size), _MADV_COLLAPSE)


def _fork_servers(first: socket.socket) -> None:
    """Fork a server for each connection that arrives; return in a command's process."""
    while True:
        more, connections, _, _ = socket.recv_fds(first, 1, 1)
        if not more:
            _wait_for_servers()
        if not os.fork():
            first.close()
            _serve(socket.socket(fileno=connections[0]))
            return
        os.close(connections[0])


def _wait_for_servers() -> NoReturn:
    """End after the servers, which end when their connections do."""
    while True:
        try:
            os.wait()
        except ChildProcessError:
            os._exit(0)


def _serve(connection: socket.socket) -> None:
    """Fork for each command; return in a fork, and when the tests have ended."""
    while True:
        length, streams, _, _ = socket.recv_fds(connection, _LENGTH, 3)
        if not length:
            os._exit(0)
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
    words, cwd, environment, before = json.loads(request)
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
    exec(before, {})  # noqa: S102 - a fault that a test brings about


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
    _import_all(sys.argv[2])
    _fork_servers(socket.socket(fileno=int(sys.argv[1])))
    _run_command()
