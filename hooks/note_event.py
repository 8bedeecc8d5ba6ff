"""Note one hook event and leave. Understanding it is somebody else's work.

    python -I -S note_event.py SPOOL NEEDLE... [-- WAKE...]

An event that holds one of the needles is delivered to SPOOL/new, and the command WAKE is
started in the background, once for many events. This runs on every tool call, inside
somebody's waiting time; and whatever happens it exits 0: to the client, 2 means "block".
"""

import sys

LIMIT = 1 << 20
"""Bytes of an event that are kept: what was asked stands before what was answered."""

STALE_NS = 10_000_000_000
"""A token older than this was left by a drain that died."""

KEPT = {"HOME", "LANG", "LANGUAGE", "LOGNAME", "PATH", "TMPDIR", "TZ", "USER"}
KEPT_PREFIXES = ("CORTEX", "GIT_AUTHOR_", "GIT_COMMITTER_", "LC_", "XDG_")
"""What the drain inherits: the client's environment holds its keys and tokens."""


def hear(needles: list[str]) -> bytes:
    """Read an event to its end, or the client would write to nobody; keep it if it matches."""
    if sys.stdin is None or sys.stdin.isatty():
        return b""
    heard = sys.stdin.buffer.read(LIMIT) or b""
    while sys.stdin.buffer.read(LIMIT):
        pass
    encoding = sys.getfilesystemencoding()
    wanted = (needle.encode(encoding, "surrogateescape") for needle in needles if needle)
    return heard if any(needle in heard for needle in wanted) else b""


def deliver(event: bytes) -> None:
    """Leave the event the way a mail server does: draft in tmp/, rename to new/."""
    name = f"{time.time_ns()}.{os.getpid()}"
    draft = f"tmp/{name}"
    file = create(draft)
    try:
        while event:
            event = event[os.write(file, event) :]
        os.rename(draft, f"new/{name}")
    except OSError:
        os.unlink(draft)
        raise
    finally:
        os.close(file)


def create(path: str) -> int:
    """Open a file that must not be there yet, for its owner alone."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    return os.open(path, flags, 0o600)


def win() -> bool:
    """Take the token; false where another hook has it, whose drain has yet to look."""
    try:
        os.close(create("awake"))
    except FileExistsError:
        return outlive()
    return True


def outlive() -> bool:
    """Take the token of a drain that died: of a hundred hooks that see it, one does."""
    now = time.time_ns()
    claim = f"tmp/awake.{now // STALE_NS}"  # named by the time: if its owner dies, another can
    try:
        made = os.lstat("awake").st_mtime_ns
        if abs(now - made) < STALE_NS:
            return False
        os.close(create(claim))
        won = os.lstat("awake").st_mtime_ns == made
        if won:
            os.utime("awake")
        os.unlink(claim)
    except (FileExistsError, FileNotFoundError):  # another was faster, or the drain looks now
        return False
    return won


def wake(command: list[str]) -> None:
    """Start the drain so that nobody waits for it: no terminal, no pipe of the client's."""
    try:
        highest = max(map(int, os.listdir("/dev/fd")))
    except OSError:
        highest = 255
    os.closerange(3, highest + 1)
    null = [(os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_RDWR, 0) for fd in range(3)]
    kept = {
        key: value
        for key, value in os.environ.items()
        if key in KEPT or key.startswith(KEPT_PREFIXES)
    }
    try:
        os.posix_spawn(command[0], command, kept, file_actions=null, setsid=True)
    except NotImplementedError:  # an older C library
        os.posix_spawn(command[0], command, kept, file_actions=null, setpgroup=0)


def note(event: bytes, spool: str, command: list[str]) -> None:
    """Deliver the event, in folders made anew where they are gone, and wake the drain."""
    spool = os.path.abspath(spool)
    try:
        os.chdir(spool)
        deliver(event)
    except FileNotFoundError:
        os.stat(os.path.dirname(os.path.dirname(spool)))  # the tree: where it is gone, all is
        for folder in ("", "tmp", "new"):
            os.makedirs(f"{spool}/{folder}", 0o700, exist_ok=True)
        os.chdir(spool)
        deliver(event)
    if command and win():
        try:
            wake(command)
        except (OSError, ValueError):
            os.unlink("awake")
            raise


def complain(error: BaseException) -> None:
    """Say on one line what went wrong, if anybody listens."""
    line = f"cortexfs: hook failed: {type(error).__name__}: {error}\n"
    try:  # noqa: SIM105 - contextlib would be one more import
        os.write(2, line.encode("utf-8", "backslashreplace"))
    except OSError:
        pass


if __name__ == "__main__":
    spool, *words = [*sys.argv[1:], "--"]
    end = words.index("--") if words else 0
    try:
        event = hear(words[:end])
        if event:
            import os  # 1.4 ms, which events about other things need not wait for
            import time

            note(event, spool, words[end + 1 : -1])
    except (OSError, ValueError, MemoryError, KeyboardInterrupt) as error:
        import os

        complain(error)
