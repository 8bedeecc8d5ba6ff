"""The Markdown file of a scene or an arc: a summary, and the atoms that it is made of.

All text of a chat in it is escaped. A file that a person has changed is never written again.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.frontmatter import atom_text
from cortexfs.core.stories.build_field import add_build, is_edited
from cortexfs.core.stories.escape_markdown import escape_markdown, remove_markup
from cortexfs.core.text.sanitize import truncate_line

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_TITLE_CHARS = 120
_RANGE = re.compile(r"(\d{1,9})-(\d{1,9})", re.ASCII)


class SummaryFile(NamedTuple):
    """What the frontmatter of a scene or an arc says of where it comes from.

    `first` and `last` are message numbers, `analysis` is a digest of the sources. `is_edited` means
    that a person has changed the file.
    """

    story: str
    first: int
    last: int
    analysis: str
    source: str
    is_edited: bool


class SummaryHead(NamedTuple):
    """The frontmatter of a summary: its place, and what it takes over from its sources."""

    ident: str
    date: str
    project: str
    story: str
    field: str
    """The field that names the sources: `chunks` or `scenes`."""
    sources: tuple[str, ...]
    span: tuple[int, int]
    title: str
    salience: float
    emotions: tuple[str, ...]
    flags: tuple[str, ...]
    source: str
    analysis: str


def parse_summary_file(text: str) -> SummaryFile | None:
    """Return where a scene or an arc comes from; None if its file does not say so."""
    fields = atom_text.parse_frontmatter(text).fields
    story, span = fields.get("story"), _RANGE.fullmatch(str(fields.get("messages")))
    if not isinstance(story, str) or span is None or "analysis" not in fields:
        return None
    return SummaryFile(
        story,
        int(span[1]),
        int(span[2]),
        str(fields["analysis"]),
        str(fields.get("source", "")),
        is_edited(text, fields),
    )


def render_summary_file(head: SummaryHead, body: Iterable[str]) -> str:
    """Return the file of a summary; the lines of `body` are Markdown."""
    title = truncate_line(remove_markup(head.title), MAX_TITLE_CHARS) or head.ident
    first, last = head.span
    fields: dict[str, str | tuple[str, ...]] = {
        "id": head.ident,
        "date": head.date,
        "project": head.project,
        "summary": title,
        "tags": ("story", *head.emotions, *head.flags),
        "story": head.story,
        head.field: head.sources,
        "messages": f"{first}-{last}",
        "salience": f"{head.salience:.4f}",
        "emotions": head.emotions,
        "flags": head.flags,
        "source": head.source,
        "analysis": head.analysis,
    }
    given = {key: value for key, value in fields.items() if value}
    named = ", ".join(head.sources)
    lines = (
        f"# {head.ident}: {escape_markdown(title)}",
        "",
        f"{head.story}, messages {first} to {last} ({named})",
        "",
        *body,
    )
    text = "".join(f"{line}\n" for line in lines)
    return add_build(f"---\n{atom_text.format_frontmatter(given)}---\n\n{text}")
