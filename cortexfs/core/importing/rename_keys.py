"""Remove or rename keys of a foreign frontmatter; every other byte is kept."""
# ruff: noqa: PLC0415 - what few blocks need is imported for them alone

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import Flaw

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cortexfs.core.frontmatter.yaml_reader import FrontmatterEntry

_BLANKS_AND_COMMENTS = re.compile(r"(?:[ \t]*\n|[ \t]+#.*\n)*")
_COMMENT = re.compile(r"(?:^|[ \t])(#.*)$", re.MULTILINE)


class YamlBlock(NamedTuple):
    """YAML as unindented `key: value` lines, and its entries."""

    text: str
    entries: Sequence[FrontmatterEntry]


def to_block_style(block: str, entries: Sequence[FrontmatterEntry]) -> YamlBlock | None:
    """Return a block in the shape that splices need; None if its entries would change."""
    if not entries or not _get_line_prefix(block, entries[0].key_start):
        return YamlBlock(block, entries)
    from cortexfs.core.frontmatter import safe_yaml
    from cortexfs.core.importing.reformat_yaml import reformat_yaml

    text = reformat_yaml(block)
    read = safe_yaml.parse_safe_yaml(text) if text is not None else None
    if text is None or read is None or isinstance(read, Flaw):
        return None
    same = [(e.key, e.value) for e in read] == [(e.key, e.value) for e in entries]
    return YamlBlock(text, read) if same else None


def rename_keys(block: YamlBlock, keys: Mapping[str, str | None]) -> str:
    """Return a block with some keys renamed, or removed (None); comments stay in place."""
    text, kept, at = block.text, list[str](), 0
    for entry in block.entries:
        key = keys.get(entry.key, entry.key)
        if key is None:
            start = text.rfind("\n", 0, entry.key_start) + 1
            end = _find_entry_end(text, entry)
            kept += [text[at:start], _extract_comments(text, entry, end)]
            at = end
        elif key != entry.key:
            kept += [text[at : entry.key_start], f"{key}:"]
            at = entry.colon_end
    return "".join([*kept, text[at:]])


def _get_line_prefix(text: str, at: int) -> str:
    """Return the text before an offset on its line."""
    return text[text.rfind("\n", 0, at) + 1 : at]


def _find_entry_end(text: str, entry: FrontmatterEntry) -> int:
    """Return the end of an entry's lines, with the blank lines and deeper comments below."""
    below = text.index("\n", max(entry.end, entry.colon_end)) + 1
    found = _BLANKS_AND_COMMENTS.match(text, below)
    return found.end() if found else below


def _extract_comments(text: str, entry: FrontmatterEntry, end: int) -> str:
    """Return the comments of a removed entry, each on its own line."""
    if entry.style in {"|", ">"}:
        return ""
    inside = text[entry.end : end] if entry.style != "-" else text[entry.colon_end : end]
    return "".join(f"{found[1]}\n" for found in _COMMENT.finditer(inside))
