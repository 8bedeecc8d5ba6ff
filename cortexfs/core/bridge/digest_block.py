"""Our block in a client's memory file: between two markers, inserted and removed to the byte."""

from __future__ import annotations

import re

BEGIN, END = "<!-- cortexfs:begin -->", "<!-- cortexfs:end -->"
_BLOCK = re.compile(rf"\n?^{BEGIN}[ \t]*\r?$.*?^{END}[ \t]*\r?$\n?", re.MULTILINE | re.DOTALL)
_UNCLOSED = re.compile(rf"\n?^{BEGIN}[ \t]*\r?$.*\Z", re.MULTILINE | re.DOTALL)
_REF_LINE = re.compile(
    r"^.*\[(?:[a-z0-9][a-z0-9._-]{0,63}/)?OBS-[0-9]{3,12}\][ \t]*\r?\n?", re.MULTILINE
)
"""A line that ends in the ref of a memory, as the lines of a digest do."""


def has_digest(text: str) -> bool:
    """Return whether a text has a whole block of ours."""
    return bool(_BLOCK.search(text))


def strip_digest(text: str) -> str:
    """Return a text without anything of a digest: blocks, and lines copied out of one.

    A block without its end is removed up to the end of the text.
    """
    return _REF_LINE.sub("", _UNCLOSED.sub("", remove_block(text)))


def remove_block(text: str) -> str:
    """Return a text without our block, every other byte as it is."""
    while found := _BLOCK.search(text):
        before, after = text[: found.start()], text[found.end() :]
        # the line break before the block is ours, unless it now ends a line of the text
        is_needed = found[0].startswith("\n") and after and before and not before.endswith("\n")
        text = f"{before}\n{after}" if is_needed else before + after
    return text


def insert_block(text: str, digest: str) -> str:
    """Return a text with our block in its place, or at its end; an empty digest removes it."""
    if not digest:
        return remove_block(text)
    block = f"{BEGIN}\n{digest.strip()}\n{END}\n"
    if found := _BLOCK.search(text):
        head = "\n" if found[0].startswith("\n") else ""
        return f"{text[: found.start()]}{head}{block}{remove_block(text[found.end() :])}"
    return f"{text}\n{block}" if text else block
