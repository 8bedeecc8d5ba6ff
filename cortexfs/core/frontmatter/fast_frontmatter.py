"""Read the plainest frontmatter without a YAML parser: nearly every atom is that plain.

What is accepted here reads the same there (`test_plain.py` holds it); the rest goes there.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from cortexfs.core.atoms.atom import FrontmatterValue

MAX_ENTRIES = 64
"""Entries of a block that is read here; the parser counts further."""

_ENTRY = re.compile(
    r"([A-Za-z][A-Za-z0-9_-]*):"
    r"(?: (?:"
    r'"([^"\\\n]*)"'
    r"|'([^'\n]*)'"
    r"|\[([\w./+ ,-]*)\]"
    r"|(\w(?:[\w./+,;()= -]|:(?=[^\s]))*(?<! ))"
    r"))?\n"
)
_ITEM = re.compile(r"\w(?:[\w./+ -]*[\w./+-])?")
_NO_TEXT = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null"})


class FastFrontmatter(NamedTuple):
    """The entries of a block, and the line of each in the file, whose first is 1."""

    fields: dict[str, FrontmatterValue]
    lines: dict[str, int]


def parse_fast_frontmatter(block: str) -> FastFrontmatter | None:
    """Read a block of `key: word`, `key: "text"` and `key: [a, b]`; None for any other."""
    fields: dict[str, FrontmatterValue] = {}
    at, end = 0, len(block)
    while at < end:
        entry = _ENTRY.match(block, at)
        if entry is None or entry[1] in fields or len(fields) == MAX_ENTRIES:
            return None
        value = _value(*entry.groups()[1:])
        if value is None:
            return None
        fields[entry[1]] = value
        at = entry.end()
    if not block.replace("\n", "").isprintable() or _NO_TEXT & {key.lower() for key in fields}:
        return None
    return FastFrontmatter(fields, {key: line for line, key in enumerate(fields, 2)})


def _value(
    double: str | None, single: str | None, flow: str | None, word: str | None
) -> FrontmatterValue | None:
    if flow is None:
        return double or single or word or ""
    items = [item.strip(" ") for item in flow.split(",")]
    if items == [""]:
        return ()
    return tuple(items) if all(map(_ITEM.fullmatch, items)) else None
