"""What is being written and not yet committed, so that a killed command can be finished."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.errors import OutsideTree
from cortexfs.tree import atomic_files
from cortexfs.tree.safe_open import open_folder, open_private_folder, split_path

if TYPE_CHECKING:
    from collections.abc import Mapping

JOURNAL_FILE = "pending.jsonl"
ANY_CONTENT = "*"
"""Instead of a digest: commit the log as it stands; of no other file it is believed."""
NO_CONTENT = "-"
"""Instead of a digest: nothing is to stand there that git could keep."""


class CommitIntent(NamedTuple):
    """One commit to be: its message, and for each path the digest of what was written."""

    message: str
    checksums: Mapping[str, str]


class CommitJournal(NamedTuple):
    """The journal of one tree; only the holder of the tree's lock touches it."""

    root: str

    def record_intent(self, intent: CommitIntent) -> None:
        """Write down what is about to be written; the same intent stands once."""
        if intent.checksums and intent not in self.read_intents():
            with open_private_folder(self.root) as at:
                atomic_files.append_lines(at, JOURNAL_FILE, _line(intent))

    def remove_paths(self, unmet: Mapping[str, str]) -> None:
        """Forget what was intended of these paths: it has not been written, and will not be."""
        kept = b""
        for message, digests in self.read_intents():
            met = {path: known for path, known in digests.items() if unmet.get(path) != known}
            kept += _line(CommitIntent(message, met)) if met else b""
        if kept:
            with open_private_folder(self.root) as at:
                atomic_files.replace_file(at, JOURNAL_FILE, kept)
        else:
            self.clear()

    def read_intents(self) -> list[CommitIntent]:
        """Give what was intended and not committed, oldest first; a torn line is none."""
        try:
            with open_private_folder(self.root) as at:
                lines = atomic_files.read_file(at, JOURNAL_FILE).splitlines()
        except FileNotFoundError:
            return []
        return [intent for line in lines if (intent := _intent(line))]

    def clear(self) -> None:
        """Forget it all: it has been committed, or is not to be."""
        with suppress(FileNotFoundError), open_private_folder(self.root) as at:
            os.unlink(JOURNAL_FILE, dir_fd=at)


def compute_checksum(content: bytes) -> str:
    """Name a file's content."""
    from hashlib import sha256  # noqa: PLC0415 - it loads OpenSSL: only to write

    return sha256(content).hexdigest()


def compute_path_checksum(root: str, path: str) -> str:
    """Name what stands at a path, as git would keep it: a file's content, or a link's target.

    Raises `OSError` where it cannot be read.
    """
    from hashlib import file_digest  # noqa: PLC0415 - as `digest`

    above, _, name = path.rpartition("/")
    try:
        with open_folder(root, above) as at:
            mode = os.stat(name, dir_fd=at, follow_symlinks=False).st_mode
            if stat.S_ISLNK(mode):
                return f"link {compute_checksum(os.fsencode(os.readlink(name, dir_fd=at)))}"
            if not stat.S_ISREG(mode):
                return NO_CONTENT
            with open(os.open(name, atomic_files.READ_FLAGS, dir_fd=at), "rb") as opened:
                return file_digest(opened, "sha256").hexdigest()
    except (FileNotFoundError, NotADirectoryError, OutsideTree):
        return NO_CONTENT


def _line(intent: CommitIntent) -> bytes:
    import json  # noqa: PLC0415 - only where something is written

    said = {"message": intent.message, "digests": dict(intent.checksums)}
    return f"{json.dumps(said)}\n".encode()


def _intent(line: bytes) -> CommitIntent | None:
    import json  # noqa: PLC0415 - only where something is written

    try:
        found = json.loads(line)
        digests = {str(path): str(known) for path, known in found["digests"].items()}
        for path in digests:
            split_path(path)
        line.decode(), str(found["message"]).encode(), "".join(digests).encode()
        return CommitIntent(str(found["message"]), digests)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, OutsideTree):
        return None
