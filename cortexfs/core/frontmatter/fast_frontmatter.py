"""Parse simple frontmatter, which nearly every atom has, without a YAML parser.

Accepted blocks give the same result as the YAML parser (tested in `test_fast_frontmatter.py`);
all others are left to that parser.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from cortexfs.core.atoms.atom import FrontmatterValue

MAX_ENTRIES = 64
"""Maximum entries of a block that is parsed here; larger blocks go to the YAML parser."""

_ENTRY = re.compile(
    r"([A-Za-z][A-Za-z0-9_-]*):"
    r"(?: (?:"
    r'"([^"\\\n]*)"'
    r"|'([^'\n]*)'"
    r"|\[([\w./+ ,-]*)\]"
    r"|(\w[\w./+,;()= -]*(?::(?=[^\s])[\w./+,;()= -]*)*(?<! ))"
    r"))?\n"
)
_ITEM = re.compile(r"\w(?:[\w./+ -]*[\w./+-])?")
_NON_TEXT_WORDS = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null"})


class FastFrontmatter(NamedTuple):
    """The entries of a block, and the line of each, counted from 1 in the file."""

    fields: dict[str, FrontmatterValue]
    lines: dict[str, int]


def parse_fast_frontmatter(block: str) -> FastFrontmatter | None:
    """Return the entries if all are `key: word`, `key: "text"` or `key: [a, b]`, else None."""
    fields: dict[str, FrontmatterValue] = {}
    at, end = 0, len(block)
    while at < end:
        entry = _ENTRY.match(block, at)
        if entry is None or entry[1] in fields or len(fields) == MAX_ENTRIES:
            return None
        value = _parse_value(*entry.groups()[1:])
        if value is None:
            return None
        fields[entry[1]] = value
        at = entry.end()
    if not block.replace("\n", "").isprintable() or _NON_TEXT_WORDS & {
        key.lower() for key in fields
    }:
        return None
    return FastFrontmatter(fields, {key: line for line, key in enumerate(fields, 2)})


def _parse_value(
    double: str | None, single: str | None, flow: str | None, word: str | None
) -> FrontmatterValue | None:
    if flow is None:
        return double or single or word or ""
    items = [item.strip(" ") for item in flow.split(",")]
    if items == [""]:
        return ()
    return tuple(items) if all(map(_ITEM.fullmatch, items)) else None
