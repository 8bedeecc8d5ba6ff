"""What a foreign text says beside its code, and how it reads without its marks."""

from __future__ import annotations

import re

from cortexfs.core.markdown.fences import blank_code_and_comments

_INLINE = re.compile(r"(?<!`)(`++)[^`\n]++\1(?!`)")
_WIKI = re.compile(r"!?\[\[([^\[\]\n|]{1,300})(?:\|([^\[\]\n]{1,500}))?\]\]")
_LINK = re.compile(r"!?\[([^\[\]\n]{0,500})\]\([^()\n]{0,500}\)")
_EMPHASIS = re.compile(r"\*{1,3}|~~|==|`+|(?<!\w)_{1,2}(?=\w)|(?<=\w)_{1,2}(?!\w)")


def blank_all_code(text: str) -> str:
    """Fill code blocks, comments and inline code with blanks: every character keeps its place."""
    return _INLINE.sub(lambda found: " " * len(found[0]), blank_code_and_comments(text))


def to_plain_text(text: str) -> str:
    """Give one line as it reads: links as their text, without marks of emphasis."""
    text = _WIKI.sub(lambda found: found[2] or found[1], text)
    return " ".join(_EMPHASIS.sub("", _LINK.sub(r"\1", text)).split())
