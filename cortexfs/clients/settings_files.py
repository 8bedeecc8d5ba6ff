"""Read and write other programs' settings files: whole, in one step, bytes kept."""

from __future__ import annotations

import os
from contextlib import suppress

from cortexfs.errors import Unreadable


def read(path: str) -> str | None:
    """Read a text without touching its line ends; None where there is no file."""
    try:
        with open(path, encoding="utf-8", newline="") as file:
            return file.read()
    except FileNotFoundError:
        return None
    except UnicodeDecodeError:
        raise Unreadable(f"{path} is not UTF-8", hint="mend it by hand first") from None


def listed(folder: str, beginning: str) -> list[str]:
    """Name the files of a folder that begin so; none where there is no folder."""
    try:
        return sorted(name for name in os.listdir(folder) if name.startswith(beginning))
    except FileNotFoundError:
        return []


def write(path: str, text: str | None, *, mode: int = 0o600) -> None:
    """Put a text in place in one step; None removes the file.

    A link is followed to the file that it means; a present file keeps its mode.
    """
    path = os.path.realpath(path)
    if text is None:
        with suppress(FileNotFoundError):
            os.unlink(path)
        return
    os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
    with suppress(FileNotFoundError):
        mode = os.stat(path).st_mode & 0o7777
    draft = f"{path}.{os.getpid()}.{os.urandom(4).hex()}"
    file = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        with open(file, "w", encoding="utf-8", newline="") as opened:
            opened.write(text)
            opened.flush()
            os.fchmod(file, mode)
            os.fsync(file)
        os.rename(draft, path)
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(draft)
        raise
