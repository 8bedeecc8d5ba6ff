"""Make the object of a commit, byte for byte as `git commit-tree` does."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING

from cortexfs.history.object_formats import GitObject, detect_algorithm, make_object

if TYPE_CHECKING:
    from cortexfs.history.identity import Identity

_NONCHARACTER = re.compile(
    "[\ufdd0-\ufdef"
    + "".join(chr(plane << 16 | last) for plane in range(17) for last in (0xFFFE, 0xFFFF))
    + "]"
)
"""Characters that git takes for another encoding, and converts."""


def make_commit(root: str, parent: str, identity: Identity, message: str) -> GitObject | None:
    """Return the commit of a tree at this moment; None if git would store another message.

    An empty `parent` means the first commit. The message has no NUL and no lone surrogate.
    """
    when = _format_time(int(time.time()))
    lines = (
        f"tree {root}",
        *([f"parent {parent}"] if parent else []),
        f"author {identity.author} {when}",
        f"committer {identity.committer} {when}",
    )
    text = "\n".join((*lines, "", message))
    if _NONCHARACTER.search(text):
        return None
    return make_object("commit", text.encode(), detect_algorithm(root))


def _format_time(now_s: int) -> str:
    """Return a time as git stores it: seconds, and the zone in hours and whole minutes."""
    time.tzset()  # the zone may have changed while this process ran; git would use the new one
    offset_s = time.localtime(now_s).tm_gmtoff
    minutes = abs(offset_s) // 60
    return f"{now_s} {'-' if offset_s < 0 else '+'}{minutes // 60:02}{minutes % 60:02}"
