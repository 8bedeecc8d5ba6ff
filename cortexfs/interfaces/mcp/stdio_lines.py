"""Lines of a stream of JSON messages: cut at line breaks, with a limit, and errors as JSON-RPC."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MAX_LINE_BYTES = 4 * 1024 * 1024
"""Maximum bytes of a message."""
PARSE_ERROR, INVALID_REQUEST = -32700, -32600
_ID = rb'"id"\s*:\s*(\d{1,15}|"[^"\\\x00-\x1f]{1,100}")'
_FIRST_ID = re.compile(rb'\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?' + _ID)
_LAST_ID = re.compile(_ID + rb'\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$')
_END_BYTES = 200
"""Number of bytes at each end of a long line in which its id is searched."""


class LongLine(NamedTuple):
    """A line over the limit: only its length and its ends are kept."""

    length: int
    head: bytes
    tail: bytes


def split_lines(chunks: Iterable[bytes]) -> Iterator[bytes | LongLine]:
    """Yield the lines of a stream without their ends; those over the limit are not kept."""
    pending, dropped, head = bytearray(), 0, b""
    for chunk in chunks:
        pending += chunk
        while (end := pending.find(b"\n")) >= 0:
            line = bytes(pending[:end])
            del pending[: end + 1]
            if dropped or len(line) > MAX_LINE_BYTES:
                yield LongLine(dropped + len(line), head or line[:_END_BYTES], line[-_END_BYTES:])
            elif line.strip():
                yield line
            dropped, head = 0, b""
        if len(pending) > MAX_LINE_BYTES:
            head = head or bytes(pending[:_END_BYTES])
            dropped += len(pending) - _END_BYTES
            del pending[:-_END_BYTES]
    if pending.strip() and not dropped:
        yield bytes(pending)


def describe_bad_line(line: bytes | LongLine) -> dict[str, object]:
    """Return the JSON-RPC error for a line that is no message, with its id if it is recognised."""
    if isinstance(line, LongLine):
        message = f"the message has {line.length} bytes; the limit is {MAX_LINE_BYTES}"
        return make_error(_find_id(line), INVALID_REQUEST, message)
    try:
        content = json.loads(line)
    except RecursionError:
        return make_error(None, PARSE_ERROR, "the message is nested too deeply")
    except ValueError:
        return make_error(None, PARSE_ERROR, "the message is not JSON")
    ident = content.get("id") if isinstance(content, dict) else None
    known = ident if isinstance(ident, str | int) and not isinstance(ident, bool) else None
    return make_error(known, INVALID_REQUEST, "the message is not a JSON-RPC 2.0 message")


def make_error(ident: str | int | None, code: int, message: str) -> dict[str, object]:
    """Return a JSON-RPC error."""
    return {"jsonrpc": "2.0", "id": ident, "error": {"code": code, "message": message}}


def _find_id(line: LongLine) -> str | int | None:
    """Return the id at the beginning or the end of a line, where clients write it."""
    found = _FIRST_ID.match(line.head) or _LAST_ID.search(line.tail)
    value = json.loads(found[1]) if found else None
    return value if isinstance(value, str | int) else None
