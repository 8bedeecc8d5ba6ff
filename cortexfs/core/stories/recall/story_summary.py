"""A scene or an arc of a story, as its file has it."""

from __future__ import annotations

import re
from typing import NamedTuple

from cortexfs.core.frontmatter import atom_text
from cortexfs.core.stories.chunk_file import list_tags
from cortexfs.core.stories.escape_markdown import unescape_markdown
from cortexfs.core.text.sanitize import to_one_line

_RANGE = re.compile(r"(\d{1,9})-(\d{1,9})", re.ASCII)
_CONCEALED = re.compile(r"(?s)<!--.*?(?:-->|\Z)")
_NO_PROSE = re.compile(r"#|`{3,}\w*$|[\w-]+, messages \d+ to \d+(?: \(|$)")
_MARK = re.compile(r"^\s*[-*+] +|(?<!\\)\*")
_SOURCES = re.compile(r"\s*\([A-Z]{1,4}-\d{3,9}(?:, [A-Z]{1,4}-\d{3,9})*\)$")


class StorySummaryAtom(NamedTuple):
    """A scene or an arc: its id, story, title and text, and the ids of what it sums up.

    `first` and `last` are message numbers; 0 if it does not say so.
    """

    ident: str
    story: str
    title: str
    text: str
    sources: tuple[str, ...]
    first: int
    last: int


def parse_summary_file(text: str, _path: str) -> StorySummaryAtom | None:
    """Return the scene or the arc in a file; None if it is of no story."""
    parsed = atom_text.parse_frontmatter(text)
    fields = parsed.fields
    story, ident = fields.get("story"), fields.get("id")
    if not isinstance(story, str) or not isinstance(ident, str):
        return None
    sources = list_tags(fields.get("chunks")) or list_tags(fields.get("scenes"))
    span = _RANGE.fullmatch(str(fields.get("messages", "")))
    first, last = (int(span[1]), int(span[2])) if span else (0, 0)
    title = to_one_line(str(fields.get("summary", "")))
    return StorySummaryAtom(ident, story, title, _read_prose(parsed.body), sources, first, last)


def _read_prose(body: str) -> str:
    """Return the text of a body on one line, without headings, sources, comments and marks."""
    lines = _CONCEALED.sub("", body).split("\n")
    kept = (line for line in lines if not _NO_PROSE.match(line))
    plain = (_SOURCES.sub("", _MARK.sub("", line)) for line in kept)
    return to_one_line(unescape_markdown(" ".join(plain)))
