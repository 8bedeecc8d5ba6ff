"""The file of a scene or an arc, as it is now: where it comes from, and what it says."""

from __future__ import annotations

import re
from typing import NamedTuple

from cortexfs.core.frontmatter import atom_text
from cortexfs.core.stories.build_field import is_edited
from cortexfs.core.stories.chunk_file import list_tags, read_share
from cortexfs.core.stories.escape_markdown import unescape_markdown
from cortexfs.core.stories.message_numbers import parse_span
from cortexfs.core.stories.weigh_chunk import HEURISTIC
from cortexfs.core.text.sanitize import to_one_line

_HEADING = re.compile(r"^#{1,6} .*\n?", re.MULTILINE)
_BLANK_LINES = re.compile(r"\n{3,}")
_CONCEALED = re.compile(r"(?s)<!--.*?(?:-->|\Z)")
_NO_PROSE = re.compile(r"#|`{3,}\w*$|[\w-]+, messages \d+ to \d+(?: \(|$)")
_MARK = re.compile(r"^\s*[-*+] +|(?<!\\)\*")
_SOURCES = re.compile(r"\([A-Z]{1,4}-\d{3,9}(?:, [A-Z]{1,4}-\d{3,9})*\)$")


class SummaryFile(NamedTuple):
    """A scene or an arc: its ref, its story, its title, and the ids of what it sums up.

    `first` and `last` are message numbers, 0 if it does not say so. `text` has its paragraphs,
    `prose` the same on one line without marks. `source` says what made it, `analysis` is a digest
    of the sources. `is_edited` means that a person has changed the file. All texts are untrusted.
    """

    ref: str
    story: str
    first: int
    last: int
    title: str
    text: str
    prose: str
    salience: float
    source: str
    sources: tuple[str, ...]
    analysis: str
    is_edited: bool

    @property
    def ident(self) -> str:
        """Its id, without the project."""
        return self.ref.rpartition("/")[2]

    @property
    def span(self) -> tuple[int, int]:
        """Its first and last message number."""
        return self.first, self.last

    @property
    def is_made(self) -> bool:
        """Whether it says what it was made of; another one is a person's own."""
        return bool(self.last and self.analysis)

    @property
    def messages(self) -> str:
        """Its first and last message, as `1-16`; empty if it does not say so."""
        return f"{self.first}-{self.last}" if self.last else ""


def parse_summary_file(text: str, ref: str) -> SummaryFile | None:
    """Return the scene or the arc in a file; None if it names no story."""
    parsed = atom_text.parse_frontmatter(text)
    fields = parsed.fields
    story = fields.get("story")
    if not isinstance(story, str) or not story:
        return None
    first, last = parse_span(fields.get("messages")) or (0, 0)
    return SummaryFile(
        ref,
        story,
        first,
        last,
        to_one_line(str(fields.get("summary", ""))),
        _read_paragraphs(parsed.body, story),
        _read_prose(parsed.body),
        read_share(fields.get("salience")),
        str(fields.get("source", HEURISTIC)),
        list_tags(fields.get("chunks")) or list_tags(fields.get("scenes")),
        str(fields.get("analysis", "")),
        is_edited(text, fields),
    )


def _read_paragraphs(body: str, story: str) -> str:
    """Return the text of a body without headings, and without the line that names its parts."""
    shown = _BLANK_LINES.sub("\n\n", _HEADING.sub("", body)).strip()
    first, _, rest = shown.partition("\n")
    return rest.strip() if first.startswith(f"{story}, messages ") else shown


def _read_prose(body: str) -> str:
    """Return the text of a body on one line, without headings, sources, comments and marks."""
    lines = _CONCEALED.sub("", body).split("\n")
    kept = (line for line in lines if not _NO_PROSE.match(line))
    plain = (_SOURCES.sub("", _MARK.sub("", line)) for line in kept)
    return to_one_line(unescape_markdown(" ".join(plain)))
