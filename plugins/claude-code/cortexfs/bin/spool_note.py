"""Deliver notes to the spool, and start the process that drains it."""

import posix
import time

import hook_files

LOCK_NAME = "drain.lock"
"""Locked by the process that waits for quiet, until it ends."""

TURN_END_MARKS = (b'"Stop"', b'"AfterAgent"')
"""What stands in the event at the end of a turn."""

DRAIN_OFF = (b"CORTEXFS_DRAIN_QUIET", b"off")
"""With this in the environment no process is started; the next command drains."""

KEPT_VARIABLES = {b"HOME", b"LANG", b"LANGUAGE", b"LOGNAME", b"PATH", b"TMPDIR", b"TZ", b"USER"}
KEPT_PREFIXES = (b"CORTEX", b"GIT_AUTHOR_", b"GIT_COMMITTER_", b"LC_", b"XDG_")
"""Prefixes of the variables that the drain inherits: the others may hold keys and tokens."""


def open_spool(path: str, *, make: bool) -> int:
    """Return the descriptor of the spool; the two folders below the root are never links."""
    own, _, name = path.rpartition("/")
    above, _, own_name = own.rpartition("/")
    at = posix.open(above or "/", posix.O_RDONLY | posix.O_DIRECTORY | posix.O_CLOEXEC)
    for step in (own_name, name):
        at = hook_files.open_folder(step, at, make=make)
    return at


def deliver_event(event: bytes, spool: int) -> None:
    """Deliver the event as a mail server does: draft in tmp/, rename to new/."""
    tmp, new = (hook_files.open_folder(name, spool, make=True) for name in ("tmp", "new"))
    name = f"{time.time_ns()}.{posix.getpid()}"
    flags = posix.O_WRONLY | posix.O_CREAT | posix.O_EXCL | posix.O_NOFOLLOW | posix.O_CLOEXEC
    file = posix.open(name, flags, 0o600, dir_fd=tmp)
    try:
        while event:
            event = event[posix.write(file, event) :]
        posix.rename(name, name, src_dir_fd=tmp, dst_dir_fd=new)
    except OSError:
        posix.unlink(name, dir_fd=tmp)
        raise
    finally:
        posix.close(file)


def is_drain_waiting(spool: int) -> bool:
    """Return whether a process waits to drain; if none, lock others out until this one exits."""
    flags = posix.O_RDWR | posix.O_CREAT | posix.O_NOFOLLOW | posix.O_NONBLOCK | posix.O_CLOEXEC
    file = posix.open(LOCK_NAME, flags, 0o600, dir_fd=spool)
    try:
        posix.lockf(file, posix.F_TLOCK, 0)
    except (BlockingIOError, PermissionError):
        return True
    return False


def start_process(command: "list[str]") -> None:
    """Start a process in the background: no terminal, no pipe of the client's."""
    try:
        highest = max(map(int, posix.listdir("/dev/fd")))
    except OSError:
        highest = 255
    for fd in range(3, highest + 1):
        try:  # noqa: SIM105 - not closed here: that would give up the lock
            posix.set_inheritable(fd, False)  # noqa: FBT003
        except OSError:
            pass
    null = [(posix.POSIX_SPAWN_OPEN, fd, "/dev/null", posix.O_RDWR, 0) for fd in range(3)]
    kept = {
        key: value
        for key, value in posix.environ.items()
        if key in KEPT_VARIABLES or key.startswith(KEPT_PREFIXES)
    }
    try:
        posix.posix_spawn(command[0], command, kept, file_actions=null, setsid=True)
    except NotImplementedError:  # an older C library
        posix.posix_spawn(command[0], command, kept, file_actions=null, setpgroup=0)


def note_event(event: bytes, path: str, command: "list[str]") -> None:
    """Deliver the event, and make sure that a drain waits for quiet."""
    spool = open_spool(path, make=True)
    deliver_event(event, spool)
    start_drain(spool, command)


def start_drain(spool: int, command: "list[str]") -> None:
    """Start the command, unless a process already waits to drain or none may be started."""
    if command and posix.environ.get(DRAIN_OFF[0]) != DRAIN_OFF[1] and not is_drain_waiting(spool):
        start_process(command)


def flush_notes(event: bytes, path: str, command: "list[str]") -> None:
    """Deliver the event if there is one, and start the drain if notes wait.

    The end of a turn leaves it to the process that waits for quiet, as a drain at each turn would
    run beside the next one; the end of a session drains at once (`--now`).
    """
    try:
        spool = open_spool(path, make=bool(event))
        if event:
            deliver_event(event, spool)
        new = hook_files.open_folder("new", spool, make=False)
    except FileNotFoundError:  # nothing was ever noted
        return
    if not posix.listdir(new):
        return
    if any(mark in event for mark in TURN_END_MARKS):
        start_drain(spool, [word for word in command if word != "--now"])
    elif command and posix.environ.get(DRAIN_OFF[0]) != DRAIN_OFF[1]:
        start_process(command)
