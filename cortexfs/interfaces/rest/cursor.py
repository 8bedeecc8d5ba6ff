"""Parts of long lists: a cursor names the last item of a part, so that new items shift nothing."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as InvalidBase64
from typing import TYPE_CHECKING, Any

from cortexfs.errors import Usage

if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_POSITION = 2**40
"""The highest position in a list; no list is as long."""


def parse_position(cursor: str) -> tuple[str, int]:
    """Return the path of the atom before a part, and its position in the list (from 1 on)."""
    path, position = parse_key(cursor, str, int) if cursor else ("", 0)
    if not 0 <= position <= MAX_POSITION:
        raise _refuse()
    return path, position


def make_next_cursor(paths: Sequence[str], start: int, total: int) -> str | None:
    """Return the cursor after the atoms at some paths, of a list of `total`; None at its end."""
    end = start + len(paths)
    return make_key_cursor((paths[-1], end)) if paths and end < total else None


def make_key_cursor(key: Sequence[str | int]) -> str:
    """Return the cursor of an item with a key."""
    return urlsafe_b64encode(json.dumps(key).encode()).decode()


def parse_key(cursor: str, *types: type) -> list[Any]:
    """Return the key in a cursor, of values of these types; raises `Usage` if it has none."""
    try:
        key = json.loads(urlsafe_b64decode(cursor.encode("ascii")))
        json.dumps(key, ensure_ascii=False).encode()  # SQLite takes no half of a surrogate pair
    except (InvalidBase64, ValueError, RecursionError):
        key = None
    if not isinstance(key, list) or [type(value) for value in key] != [*types]:
        raise _refuse()
    return key


def _refuse() -> Usage:
    return Usage("the cursor is not one of this server", hint="leave it out")
