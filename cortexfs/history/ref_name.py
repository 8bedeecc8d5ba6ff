"""Decide whether a name is that of a ref, by the rules of `git check-ref-format`."""

from __future__ import annotations

import re

MAX_REF_LENGTH = 1024
"""Bytes of a ref name; a component of it is a file name, and limited by the file system."""

_FORBIDDEN = re.compile(r"[\x00-\x20\x7f~^:?*\[\\]|\.\.|@\{|//|\.\Z|/\Z")


def is_ref_name(name: str) -> bool:
    """Tell whether a name is well formed and lies below `refs/`."""
    if not name.startswith("refs/") or len(name) > MAX_REF_LENGTH or _FORBIDDEN.search(name):
        return False
    return not any(part.startswith(".") or part.endswith(".lock") for part in name.split("/"))


def is_object_id(text: str) -> bool:
    """Tell whether a text is a whole object id, of SHA-1 or of SHA-256."""
    return re.fullmatch(r"[0-9a-f]{40}(?:[0-9a-f]{24})?", text) is not None
