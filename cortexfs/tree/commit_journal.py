"""The journal of writes that are not committed yet, so that a killed command can be completed."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.tree_paths import DRAFT_PREFIX
from cortexfs.errors import OutsideTree
from cortexfs.tree import atomic_files
from cortexfs.tree.private_files import replace_locked_file
from cortexfs.tree.safe_open import open_folder, open_private_folder, split_path

if TYPE_CHECKING:
    from collections.abc import Mapping

JOURNAL_FILE = "pending.jsonl"
ANY_CONTENT = "*"
"""Used in place of a checksum: commit the log as it is; only accepted for logs."""
NO_CONTENT = "-"
"""Used in place of a checksum: the path should have nothing that git could keep."""


class CommitIntent(NamedTuple):
    """One planned commit: its message, and the checksum of the written content of each path.

    Deferred ones are committed together.
    """

    message: str
    checksums: Mapping[str, str]
    is_deferred: bool = False


class CommitJournal(NamedTuple):
    """The journal of one tree; only the holder of the tree's lock accesses it."""

    root: str

    def record_intent(self, intent: CommitIntent) -> None:
        """Record a planned write; an identical entry is recorded only once."""
        if intent.checksums and intent not in self.read_intents():
            with open_private_folder(self.root) as at:
                atomic_files.append_lines(at, JOURNAL_FILE, _format_intent(intent))

    def remove_paths(self, unmet: Mapping[str, str]) -> None:
        """Remove the entries of these paths: they were not written and will not be."""
        kept = b""
        for intent in self.read_intents():
            digests = intent.checksums.items()
            met = {path: known for path, known in digests if unmet.get(path) != known}
            kept += _format_intent(intent._replace(checksums=met)) if met else b""
        if kept:
            with open_private_folder(self.root) as at:
                replace_locked_file(at, JOURNAL_FILE, kept)
                os.fsync(at)
        else:
            self.clear()

    def read_intents(self) -> list[CommitIntent]:
        """Return the entries that are not committed, oldest first, without torn lines."""
        try:
            with open_private_folder(self.root) as at:
                lines = atomic_files.read_file_bytes(at, JOURNAL_FILE).splitlines()
        except FileNotFoundError:
            return []
        return [intent for line in lines if (intent := _parse_intent(line))]

    def clear(self) -> None:
        """Delete the journal: its entries are committed, or will not be."""
        with open_private_folder(self.root) as at:
            for name in (JOURNAL_FILE, f"{DRAFT_PREFIX}{JOURNAL_FILE}"):
                with suppress(FileNotFoundError):
                    os.unlink(name, dir_fd=at)


def compute_checksum(content: bytes) -> str:
    """Return the SHA-256 checksum of a file's content in hexadecimal."""
    from hashlib import sha256  # noqa: PLC0415 - it loads OpenSSL: only to write

    return sha256(content).hexdigest()


def compute_path_checksum(root: str, path: str) -> str:
    """Return the checksum of what is at a path as git would keep it: content, or a link's target.

    Returns `NO_CONTENT` if the path has neither. Raises `OSError` if it cannot be read.
    """
    from hashlib import file_digest  # noqa: PLC0415 - as above

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


def _format_intent(intent: CommitIntent) -> bytes:
    import json  # noqa: PLC0415 - only where something is written

    entry: dict[str, object] = {"message": intent.message, "digests": dict(intent.checksums)}
    if intent.is_deferred:
        entry["deferred"] = True
    return f"{json.dumps(entry)}\n".encode()


def _parse_intent(line: bytes) -> CommitIntent | None:
    import json  # noqa: PLC0415 - only where something is written

    try:
        found = json.loads(line)
        digests = {str(path): str(known) for path, known in found["digests"].items()}
        for path in digests:
            split_path(path)
        line.decode(), str(found["message"]).encode(), "".join(digests).encode()
        return CommitIntent(str(found["message"]), digests, found.get("deferred") is True)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, OutsideTree):
        return None
