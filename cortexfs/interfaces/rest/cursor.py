"""Parts of long lists: a cursor names the last item of a part, so that new items shift nothing."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as InvalidBase64
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from cortexfs.errors import Usage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Item = TypeVar("Item")


class Part(NamedTuple):
    """The place after which a part begins: the key of the item before, and its position."""

    key: str
    position: int


def parse_cursor(cursor: str) -> Part:
    """Return the place that a cursor names; raises `Usage` if it is none of ours."""
    if not cursor:
        return Part("", 0)
    try:
        typed, _, key = urlsafe_b64decode(cursor.encode("ascii")).decode().partition(" ")
        position = int(typed)
    except (InvalidBase64, ValueError):
        position = -1
    if position < 0:
        raise Usage("the cursor is not one of this server", hint="leave it out")
    return Part(key, position)


def take_part(
    items: Iterable[Item], cursor: str, limit: int, get_key: Callable[[Item], str]
) -> tuple[list[Item], str | None]:
    """Return the items after a cursor, and the cursor of the next part; None after the last.

    If the item before has gone, the part begins at its position.
    """
    after = parse_cursor(cursor)
    listed = list(items)
    start = after.position
    if after.key:
        is_same = 0 < start <= len(listed) and get_key(listed[start - 1]) == after.key
        found = (n for n, each in enumerate(listed, start=1) if get_key(each) == after.key)
        start = start if is_same else next(found, max(start - 1, 0))
    part = listed[start : start + limit]
    end = start + len(part)
    return part, _make_cursor(get_key(part[-1]), end) if end < len(listed) and part else None


def _make_cursor(key: str, position: int) -> str:
    return urlsafe_b64encode(f"{position} {key}".encode()).decode()
