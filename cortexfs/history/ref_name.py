"""Check ref names by the rules of `git check-ref-format`."""

from __future__ import annotations

import re

MAX_REF_LENGTH = 1024
"""Maximum bytes of a ref name; the file system limits each component, a file name."""

_FORBIDDEN = re.compile(r"[\x00-\x20\x7f~^:?*\[\\]|\.\.|@\{|//|\.\Z|/\Z")


def is_ref_name(name: str) -> bool:
    """Return whether a name is well formed and lies below `refs/`."""
    if not name.startswith("refs/") or len(name) > MAX_REF_LENGTH or _FORBIDDEN.search(name):
        return False
    return not any(part.startswith(".") or part.endswith(".lock") for part in name.split("/"))


def is_object_id(text: str) -> bool:
    """Return whether a text is a whole object id, of SHA-1 or of SHA-256."""
    return re.fullmatch(r"[0-9a-f]{40}(?:[0-9a-f]{24})?", text) is not None
