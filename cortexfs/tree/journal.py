"""What is being written and not yet committed, so that a killed command can be finished."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.errors import OutsideTree
from cortexfs.tree import atomic_files
from cortexfs.tree.safe_open import folder, own, steps_of

if TYPE_CHECKING:
    from collections.abc import Mapping

NAME = "pending.jsonl"
WHATEVER = "*"
"""Instead of a digest: commit the log as it stands; of no other file it is believed."""
NOTHING = "-"
"""Instead of a digest: nothing is to stand there that git could keep."""


class Intent(NamedTuple):
    """One commit to be: its message, and for each path the digest of what was written."""

    message: str
    digests: Mapping[str, str]


class Journal(NamedTuple):
    """The journal of one tree; only the holder of the tree's lock touches it."""

    root: str

    def intend(self, intent: Intent) -> None:
        """Write down what is about to be written; the same intent stands once."""
        if intent.digests and intent not in self.open():
            with own(self.root) as at:
                atomic_files.append(at, NAME, _line(intent))

    def withdraw(self, unmet: Mapping[str, str]) -> None:
        """Forget what was intended of these paths: it has not been written, and will not be."""
        kept = b""
        for message, digests in self.open():
            met = {path: known for path, known in digests.items() if unmet.get(path) != known}
            kept += _line(Intent(message, met)) if met else b""
        if kept:
            with own(self.root) as at:
                atomic_files.replace(at, NAME, kept)
        else:
            self.close()

    def open(self) -> list[Intent]:
        """Give what was intended and not committed, oldest first; a torn line is none."""
        try:
            with own(self.root) as at:
                lines = atomic_files.read(at, NAME).splitlines()
        except FileNotFoundError:
            return []
        return [intent for line in lines if (intent := _intent(line))]

    def close(self) -> None:
        """Forget it all: it has been committed, or is not to be."""
        with suppress(FileNotFoundError), own(self.root) as at:
            os.unlink(NAME, dir_fd=at)


def digest(content: bytes) -> str:
    """Name a file's content."""
    from hashlib import sha256  # noqa: PLC0415 - it loads OpenSSL: only to write

    return sha256(content).hexdigest()


def standing(root: str, path: str) -> str:
    """Name what stands at a path, as git would keep it: a file's content, or a link's target.

    Raises `OSError` where it cannot be read.
    """
    from hashlib import file_digest  # noqa: PLC0415 - as `digest`

    above, _, name = path.rpartition("/")
    try:
        with folder(root, above) as at:
            mode = os.stat(name, dir_fd=at, follow_symlinks=False).st_mode
            if stat.S_ISLNK(mode):
                return f"link {digest(os.fsencode(os.readlink(name, dir_fd=at)))}"
            if not stat.S_ISREG(mode):
                return NOTHING
            with open(os.open(name, atomic_files.READ, dir_fd=at), "rb") as opened:
                return file_digest(opened, "sha256").hexdigest()
    except (FileNotFoundError, NotADirectoryError, OutsideTree):
        return NOTHING


def _line(intent: Intent) -> bytes:
    import json  # noqa: PLC0415 - only where something is written

    said = {"message": intent.message, "digests": dict(intent.digests)}
    return f"{json.dumps(said)}\n".encode()


def _intent(line: bytes) -> Intent | None:
    import json  # noqa: PLC0415 - only where something is written

    try:
        found = json.loads(line)
        digests = {str(path): str(known) for path, known in found["digests"].items()}
        for path in digests:
            steps_of(path)
        line.decode(), str(found["message"]).encode(), "".join(digests).encode()
        return Intent(str(found["message"]), digests)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, OutsideTree):
        return None
