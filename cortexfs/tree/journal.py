"""What is being written and not yet committed, so that a killed command can be finished."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.errors import OutsideTree
from cortexfs.tree import files
from cortexfs.tree.beneath import own, steps_of

if TYPE_CHECKING:
    from collections.abc import Mapping

NAME = "pending.jsonl"
WHATEVER = "*"
"""Instead of a digest: commit the file as it stands (logs, which only we write)."""


class Intent(NamedTuple):
    """One commit to be: its message, and for each path the digest of what was written."""

    message: str
    digests: Mapping[str, str]


class Journal(NamedTuple):
    """The journal of one tree; only the holder of the tree's lock touches it."""

    root: str

    def intend(self, intent: Intent) -> None:
        """Write down what is about to be written; the same intent stands once."""
        import json  # noqa: PLC0415 - only where something is written

        if intent.digests and intent not in self.open():
            line = json.dumps({"message": intent.message, "digests": dict(intent.digests)})
            with own(self.root) as at:
                files.append(at, NAME, f"{line}\n".encode())

    def open(self) -> list[Intent]:
        """Give what was intended and not committed, oldest first; a torn line is none."""
        try:
            with own(self.root) as at:
                lines = files.read(at, NAME).splitlines()
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
