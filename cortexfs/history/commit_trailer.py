"""Recognise commits made by cortexfs by a trailer with a checksum of the change.

After somebody amends or squashes such a commit, its change no longer matches the checksum and it is
no longer ours. A commit that is only rebased stays ours.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from cortexfs.history.object_formats import TreeEntry

    Entries = Mapping[str, TreeEntry | None]

CHANGE_TRAILER = "Cortexfs-Change"
UNDOES_TRAILER = "Cortexfs-Undoes"
_TRAILERS = re.compile(r"\n\n(?:[A-Za-z][A-Za-z-]*: .*(?:\n|\Z))+\Z")


def checksum_change(old: Entries, new: Entries) -> str:
    """Return the checksum of a change: of the differing paths and their entries on both sides."""
    from hashlib import sha256  # noqa: PLC0415 - it loads OpenSSL

    lines = (
        f"{_format_entry(old.get(path))} {_format_entry(new.get(path))} {path}\n"
        for path in sorted(old.keys() | new.keys())
        if old.get(path) != new.get(path)
    )
    return sha256("".join(lines).encode("utf-8", "surrogateescape")).hexdigest()[:20]


def add_change_trailer(message: str, old: Entries, new: Entries) -> str:
    """Return a commit message with the trailer that holds the checksum of the change."""
    gap = "\n" if _TRAILERS.search(message) else "\n\n"
    return f"{message}{gap}{CHANGE_TRAILER}: {checksum_change(old, new)}"


def format_undo_message(subject: str, commit: str) -> str:
    """Return the message of the commit that undoes another."""
    return f"{subject}\n\n{UNDOES_TRAILER}: {commit}"


def read_trailer(body: str, name: str) -> str:
    """Return the value of a trailer in a message; empty if there is none."""
    last = body.rstrip().rpartition("\n\n")[2]
    found = re.findall(rf"^{name}: ([0-9a-f]+)$", last, re.MULTILINE)
    return found[0] if found else ""


def list_undoable(messages: Iterable[tuple[str, str]]) -> set[str]:
    """Return which commits are our own and not undone, by what their messages say, newest first.

    Each is an id with its message. Whether somebody altered a commit is seen when it is undone.
    """
    found, undone = set[str](), set[str]()
    for commit, message in messages:
        if commit not in undone and read_trailer(message, CHANGE_TRAILER):
            found.add(commit)
            undone.add(read_trailer(message, UNDOES_TRAILER))
    return found


def _format_entry(entry: TreeEntry | None) -> str:
    return f"{entry.mode} {entry.id}" if entry else "-"
