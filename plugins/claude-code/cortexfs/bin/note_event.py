"""Write one hook event to the spool and exit; the drain interprets it.

    python -I -S note_event.py SPOOL NEEDLE... [-- COMMAND...]
    python -I -S note_event.py --flush SPOOL [-- COMMAND...]

An event that contains one of the needles is delivered to SPOOL/new. Unless a process already waits,
COMMAND is started, which waits for quiet and then drains. `--flush` is for the end of a turn: it
records no event, and starts COMMAND if notes wait. This runs on every tool call while the agent
waits. It always exits 0, even after an error, because to the client 2 means "block".
"""

import sys

MAX_EVENT_BYTES = 1 << 20
"""Maximum bytes of an event that are kept: the request comes before the response."""

LOCK_NAME = "drain.lock"
"""Locked by the process that waits for quiet, until it ends."""

DRAIN_OFF = ("CORTEXFS_DRAIN_QUIET", "off")
"""With this in the environment no process is started; the next command drains."""

KEPT_VARIABLES = {"HOME", "LANG", "LANGUAGE", "LOGNAME", "PATH", "TMPDIR", "TZ", "USER"}
KEPT_PREFIXES = ("CORTEX", "GIT_AUTHOR_", "GIT_COMMITTER_", "LC_", "XDG_")
"""Prefixes of the variables that the drain inherits: the others may hold keys and tokens."""


def read_event(needles: list[str]) -> bytes:
    """Read an event to its end, or the client's write fails; return it if it contains a needle."""
    if sys.stdin is None or sys.stdin.isatty():
        return b""
    event = sys.stdin.buffer.read(MAX_EVENT_BYTES) or b""
    while sys.stdin.buffer.read(MAX_EVENT_BYTES):
        pass
    encoding = sys.getfilesystemencoding()
    wanted = (needle.encode(encoding, "surrogateescape") for needle in needles if needle)
    return event if any(needle in event for needle in wanted) else b""


def open_spool(path: str, *, make: bool) -> int:
    """Return the descriptor of the spool; the two folders below the root are never links."""
    own = os.path.dirname(os.path.abspath(path))
    at = os.open(os.path.dirname(own), os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    for step in (os.path.basename(own), os.path.basename(path)):
        at = open_folder(step, at, make=make)
    return at


def open_folder(name: str, at: int, *, make: bool) -> int:
    """Return the descriptor of a folder that is not a link; create it for its owner if missing."""
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        return make_private(os.open(name, flags, dir_fd=at))
    except FileNotFoundError:
        if not make:
            raise
    try:  # noqa: SIM105 - contextlib would be one more import
        os.mkdir(name, 0o700, dir_fd=at)
    except FileExistsError:
        pass
    return os.open(name, flags, dir_fd=at)


def make_private(at: int) -> int:
    """Take a folder's access from others: a clone creates it with 0755."""
    mode = os.fstat(at).st_mode
    if mode & 0o077:
        try:  # noqa: SIM105 - contextlib would be one more import
            os.fchmod(at, mode & 0o700)
        except OSError:  # not ours
            pass
    return at


def deliver_event(event: bytes, spool: int) -> None:
    """Deliver the event as a mail server does: draft in tmp/, rename to new/."""
    tmp, new = (open_folder(name, spool, make=True) for name in ("tmp", "new"))
    name = f"{time.time_ns()}.{os.getpid()}"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    file = os.open(name, flags, 0o600, dir_fd=tmp)
    try:
        while event:
            event = event[os.write(file, event) :]
        os.rename(name, name, src_dir_fd=tmp, dst_dir_fd=new)
    except OSError:
        os.unlink(name, dir_fd=tmp)
        raise
    finally:
        os.close(file)


def is_drain_waiting(spool: int) -> bool:
    """Return whether a process waits to drain; if none, lock others out until this one exits."""
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    file = os.open(LOCK_NAME, flags, 0o600, dir_fd=spool)
    try:
        os.lockf(file, os.F_TLOCK, 0)
    except (BlockingIOError, PermissionError):
        return True
    return False


def start_drain(command: list[str]) -> None:
    """Start the drain in the background: no terminal, no pipe of the client's."""
    try:
        highest = max(map(int, os.listdir("/dev/fd")))
    except OSError:
        highest = 255
    for fd in range(3, highest + 1):
        try:  # noqa: SIM105 - not closed here: that would give up the lock
            os.set_inheritable(fd, False)  # noqa: FBT003
        except OSError:
            pass
    null = [(os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_RDWR, 0) for fd in range(3)]
    kept = {
        key: value
        for key, value in os.environ.items()
        if key in KEPT_VARIABLES or key.startswith(KEPT_PREFIXES)
    }
    try:
        os.posix_spawn(command[0], command, kept, file_actions=null, setsid=True)
    except NotImplementedError:  # an older C library
        os.posix_spawn(command[0], command, kept, file_actions=null, setpgroup=0)


def note_event(event: bytes, path: str, command: list[str]) -> None:
    """Deliver the event, and make sure that a drain waits for quiet."""
    spool = open_spool(path, make=True)
    deliver_event(event, spool)
    if command and os.environ.get(DRAIN_OFF[0]) != DRAIN_OFF[1] and not is_drain_waiting(spool):
        start_drain(command)


def start_drain_if_notes(path: str, command: list[str]) -> None:
    """Start the drain if notes wait."""
    try:
        new = open_folder("new", open_spool(path, make=False), make=False)
    except FileNotFoundError:  # nothing was ever noted
        return
    if command and os.environ.get(DRAIN_OFF[0]) != DRAIN_OFF[1] and os.listdir(new):
        start_drain(command)


def print_error(error: BaseException) -> None:
    """Print one line about an error, if stderr accepts it."""
    line = f"cortexfs: hook failed: {type(error).__name__}: {error}\n"
    try:  # noqa: SIM105 - contextlib would be one more import
        os.write(2, line.encode("utf-8", "backslashreplace"))
    except OSError:
        pass


if __name__ == "__main__":
    flushes = sys.argv[1:2] == ["--flush"]
    path, *words = [*sys.argv[1 + flushes :], "--"]
    end = words.index("--") if words else 0
    try:
        event = read_event(words[:end])
        if event or flushes:
            import os  # 1.4 ms, which events about other things need not wait for
            import time

            if flushes:
                start_drain_if_notes(path, words[end + 1 : -1])
            else:
                note_event(event, path, words[end + 1 : -1])
    except (OSError, ValueError, MemoryError, KeyboardInterrupt) as error:
        import os

        print_error(error)
