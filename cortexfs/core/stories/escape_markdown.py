"""Write untrusted text into Markdown, on one line, so that it stays text."""

from __future__ import annotations

import re

from cortexfs.core.text.sanitize import to_one_line

_SPECIAL = re.compile(r"[\\`*_\[\]#~|]|(?<=[A-Za-z])-(?=\d{3})|:(?=//)|@(?=\w)")
_MARKUP = re.compile(r"[`\[\]<>|*_#~]+|(?<=[A-Za-z])-(?=\d{3})")
_LINE_START = re.compile(r"^(\d{1,9}(?=[.)])|(?=[-+=]))")
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
_CHARACTERS = {entity: character for character, entity in _ENTITIES.items()}
_ESCAPED = re.compile(r"\\([\\`*_\[\]#~|:@.)+=-])")


def escape_markdown(text: str) -> str:
    """Return a text that is shown as it is, and makes no heading, list, link, ref or comment."""
    line = _SPECIAL.sub(r"\\\g<0>", to_one_line(text))
    line = _LINE_START.sub(r"\1\\", line)
    return re.sub("[&<>]", lambda found: _ENTITIES[found[0]], line)


def remove_markup(text: str) -> str:
    """Return a text on one line without markup, and without what makes a ref: for a summary."""
    return to_one_line(_MARKUP.sub(" ", text))


def unescape_markdown(text: str) -> str:
    """Return the text that `escape_markdown` was given, on one line."""
    plain = _ESCAPED.sub(r"\1", text)
    return re.sub("&(?:amp|lt|gt);", lambda found: _CHARACTERS[found[0]], plain)
