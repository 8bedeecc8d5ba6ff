"""Read the frontmatter of a foreign note: with the safe YAML reader, then with YAML types."""
# ruff: noqa: PLC0415 - YAML libraries are imported when a note is read, not at start-up

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.frontmatter import atom_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cortexfs.core.frontmatter.yaml_reader import FrontmatterEntry

_NOT_FRONTMATTER_CODES = ("unclosed-frontmatter", "not-a-mapping")
"""With these findings the first `---` is most likely a rule, and the text is kept unchanged."""
_NO_VALUES: Mapping[str, object] = MappingProxyType({})


class NoteParts(NamedTuple):
    """A foreign text in parts.

    `yaml_block` is the YAML with its line ends, `entries` its entries from the safe YAML reader,
    and `typed_values` the same entries with YAML types (dates, numbers). `body_line` is the line
    number of the first line of `body`. If the frontmatter cannot be read, `flaw` is set and `body`
    has the frontmatter as text.
    """

    body: str
    body_line: int = 1
    yaml_block: str = ""
    entries: tuple[FrontmatterEntry, ...] = ()
    typed_values: Mapping[str, object] = _NO_VALUES
    flaw: Flaw | None = None


def split_note(text: str) -> NoteParts:
    """Parse a text with LF line ends and without a byte order mark; never raises."""
    parts = atom_text.split_frontmatter(text)
    if isinstance(parts, Flaw):
        return NoteParts(text, flaw=None if parts.code == "no-frontmatter" else parts)
    from cortexfs.core.frontmatter import safe_yaml

    body = parts.tail.partition("\n")[2]
    entries = safe_yaml.parse_safe_yaml(parts.block)
    if isinstance(entries, Flaw):
        if entries.code in _NOT_FRONTMATTER_CODES:
            return NoteParts(text, flaw=entries)
        return NoteParts(f"{_format_as_code(parts.block)}{body}", flaw=entries)
    body_line = text.count("\n", 0, len(text) - len(body)) + 1
    return NoteParts(
        body, body_line, parts.block, entries, _parse_typed_values(parts.block, entries)
    )


def keep_frontmatter_as_text(parts: NoteParts, flaw: Flaw) -> NoteParts:
    """Move a frontmatter that was read back into the body, as code."""
    return NoteParts(f"{_format_as_code(parts.yaml_block)}{parts.body}", flaw=flaw)


def _parse_typed_values(block: str, entries: tuple[FrontmatterEntry, ...]) -> Mapping[str, object]:
    """Return the block with YAML types; `2026-13-45` and similar values stay text."""
    from frontmatter.default_handlers import YAMLHandler

    try:
        read = YAMLHandler().load(block)
    except (ValueError, OverflowError):
        read = None
    if isinstance(read, dict) and all(isinstance(key, str) for key in read):
        return read
    return {entry.key: entry.value for entry in entries}


def _format_as_code(block: str) -> str:
    """Format a block as fenced code, with a fence that the block does not contain."""
    longest = max(map(len, re.findall("`+", block)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}yaml\n{block}{fence}\n\n"
