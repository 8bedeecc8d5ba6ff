"""The prose of a foreign text, without code and without Markdown markup."""

from __future__ import annotations

import re

from cortexfs.core.markdown.fences import blank_code_and_comments

_INLINE_CODE = re.compile(r"(?<!`)(`++)[^`\n]++\1(?!`)")
_WIKI = re.compile(r"!?\[\[([^\[\]\n|]{1,300})(?:\|([^\[\]\n]{1,500}))?\]\]")
_LINK = re.compile(r"!?\[([^\[\]\n]{0,500})\]\([^()\n]{0,500}\)")
_EMPHASIS = re.compile(r"\*{1,3}|~~|==|`+|(?<!\w)_{1,2}(?=\w)|(?<=\w)_{1,2}(?!\w)")


def blank_all_code(text: str) -> str:
    """Return the text with code and comments replaced by spaces; all offsets stay the same."""
    return _INLINE_CODE.sub(lambda found: " " * len(found[0]), blank_code_and_comments(text))


def to_plain_text(text: str) -> str:
    """Return a line as plain text: links as their text, without emphasis marks."""
    text = _WIKI.sub(lambda found: found[2] or found[1], text)
    return " ".join(_EMPHASIS.sub("", _LINK.sub(r"\1", text)).split())
