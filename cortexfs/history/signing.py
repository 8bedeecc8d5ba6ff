"""Know our own commits again: a trailer that names what exactly the commit has changed.

A commit that somebody amends, or melts into another one, changes something else than its
trailer says, and is theirs from then on; one that is only moved (rebased) stays ours.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cortexfs.history.objects import Entry

    Entries = Mapping[str, Entry | None]

SIGNATURE = "Cortexfs-Change"
UNDOES = "Cortexfs-Undoes"
_TRAILERS = re.compile(r"\n\n(?:[A-Za-z][A-Za-z-]*: .*(?:\n|\Z))+\Z")


def signature(old: Entries, new: Entries) -> str:
    """Name a change by the paths that differ, and what they held and hold."""
    from hashlib import sha256  # noqa: PLC0415 - it loads OpenSSL: only to commit, or to undo

    lines = (
        f"{_spelled(old.get(path))} {_spelled(new.get(path))} {path}\n"
        for path in sorted(old.keys() | new.keys())
        if old.get(path) != new.get(path)
    )
    return sha256("".join(lines).encode("utf-8", "surrogateescape")).hexdigest()[:20]


def with_signature(message: str, old: Entries, new: Entries) -> str:
    """Add the signature of a change to the message of its commit."""
    gap = "\n" if _TRAILERS.search(message) else "\n\n"
    return f"{message}{gap}{SIGNATURE}: {signature(old, new)}"


def undoing(subject: str, commit: str) -> str:
    """Write the message of the commit that undoes another."""
    return f"{subject}\n\n{UNDOES}: {commit}"


def trailer(body: str, name: str) -> str:
    """Read a trailer of a message; empty where there is none."""
    last = body.rstrip().rpartition("\n\n")[2]
    found = re.findall(rf"^{name}: ([0-9a-f]+)$", last, re.MULTILINE)
    return found[0] if found else ""


def _spelled(entry: Entry | None) -> str:
    return f"{entry.mode} {entry.id}" if entry else "-"
