"""Files below `.cortexfs` of a tree, as hooks read and write them: private, bounded, without links.

Only built-in modules are imported: `posix` has what `os` would take a millisecond to import.
"""

import posix

MAX_RECORD_BYTES = 1 << 20
"""Maximum bytes of the record of what a session was shown; a longer one gets no more lines."""

_FOLDER = posix.O_RDONLY | posix.O_DIRECTORY | posix.O_NOFOLLOW | posix.O_CLOEXEC
_FILE = posix.O_NOFOLLOW | posix.O_NONBLOCK | posix.O_CLOEXEC
_TYPE_MASK, _REGULAR = 0o170000, 0o100000


def open_private_folder(root: str, *steps: str, make: bool = False) -> int:
    """Return the descriptor of a folder below the root; no step is a link.

    Raises `OSError`, also for a missing folder that is not made.
    """
    at = posix.open(root, _FOLDER & ~posix.O_NOFOLLOW)
    for step in (".cortexfs", *steps):
        inner = open_folder(step, at, make=make)
        posix.close(at)
        at = inner
    return at


def open_folder(name: str, at: int, *, make: bool) -> int:
    """Return the descriptor of a folder that is not a link; create it for its owner if missing."""
    try:
        return make_private(posix.open(name, _FOLDER, dir_fd=at))
    except FileNotFoundError:
        if not make:
            raise
    try:  # noqa: SIM105 - contextlib would be one more import
        posix.mkdir(name, 0o700, dir_fd=at)
    except FileExistsError:
        pass
    return posix.open(name, _FOLDER, dir_fd=at)


def make_private(at: int) -> int:
    """Take a folder's access from others: a clone creates it with 0755."""
    mode = posix.fstat(at).st_mode
    if mode & 0o077:
        try:  # noqa: SIM105 - contextlib would be one more import
            posix.fchmod(at, mode & 0o700)
        except OSError:  # not ours
            pass
    return at


def read_private_file(root: str, max_bytes: int, *steps: str) -> "bytes | None":
    """Return the content of a regular file below `.cortexfs`; None if it is missing or too long."""
    try:
        at = open_private_folder(root, *steps[:-1])
    except OSError:
        return None
    try:
        return read_file(at, steps[-1], max_bytes)
    finally:
        posix.close(at)


def read_file(at: "int | None", name: str, max_bytes: int) -> "bytes | None":
    """Return the content of a regular file; None if it is missing, special or too long."""
    try:
        file = posix.open(name, posix.O_RDONLY | _FILE, dir_fd=at)
    except (OSError, ValueError):
        return None
    try:
        status = posix.fstat(file)
        if not is_regular(status.st_mode) or status.st_size > max_bytes:
            return None
        return read_all(file, max_bytes)
    except OSError:
        return None
    finally:
        posix.close(file)


def is_regular(mode: int) -> bool:
    """Return whether the mode of a file is that of a regular one."""
    return mode & _TYPE_MASK == _REGULAR


def read_all(file: int, max_bytes: int) -> bytes:
    """Return the rest of an open file, at most so many bytes."""
    parts = []
    while max_bytes > 0:
        part = posix.read(file, max_bytes)
        if not part:
            break
        parts.append(part)
        max_bytes -= len(part)
    return b"".join(parts)


def append_private_line(root: str, line: bytes, *steps: str, empty_first: bool = False) -> None:
    """Append lines to a file below `.cortexfs` with one write; with `empty_first` only these stay.

    Nothing is written to a special file, and to one that has reached its maximum size.
    """
    at = open_private_folder(root, *steps[:-1], make=True)
    try:
        flags = posix.O_WRONLY | posix.O_APPEND | posix.O_CREAT | _FILE
        file = posix.open(steps[-1], flags, 0o600, dir_fd=at)
    finally:
        posix.close(at)
    try:
        status = posix.fstat(file)
        if not is_regular(status.st_mode) or status.st_nlink != 1:
            return
        if empty_first:
            posix.ftruncate(file, 0)
        if line and (empty_first or status.st_size < MAX_RECORD_BYTES):
            posix.write(file, line)
    finally:
        posix.close(file)
