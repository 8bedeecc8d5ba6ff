"""What a summary is made of: a chunk of a scene, or a scene of an arc."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.kinds import SCENE_KIND
from cortexfs.core.frontmatter import atom_text
from cortexfs.core.stories.build_field import digest_file, short_digest
from cortexfs.core.stories.chunk_body import iter_chunk_messages
from cortexfs.core.stories.chunk_file import list_tags, read_share
from cortexfs.core.stories.escape_markdown import unescape_markdown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from cortexfs.core.stories.consolidation.due_blocks import Block

CONSOLIDATION_VERSION = 1
"""Another number for each change of what is made from the same sources."""
NO_SALIENCE = 0.3
"""The salience of a source that does not say its own."""
_LINE = re.compile(r"(?:- )?(?:((?:[^:\\\n]|\\.){1,80}): )?(.+?)(?: \((?:CH|SCN)-\d{3,}\))?")
_STORY = re.compile(r"^story: .*\n", re.MULTILINE)
_HEADING = re.compile(r"^# .*\n(?:\n[a-z0-9-]+, messages \d+ to \d+ .*\n)?", re.MULTILINE)
_SOURCES = re.compile(r", messages \d+ to \d+ \(CH-[^()]*\)$")


class SourceFile(NamedTuple):
    """The file of a source: its id, its first and last message, and its text."""

    ident: str
    first: int
    last: int
    text: str


class SummarySource(NamedTuple):
    """What a source says.

    `parts` has who says each part of it (may be empty), and the text.
    """

    ident: str
    first: int
    last: int
    date: str
    title: str
    salience: float
    emotions: tuple[str, ...]
    flags: tuple[str, ...]
    parts: tuple[tuple[str, str], ...]


def select_block(files: Sequence[SourceFile], block: Block) -> list[SourceFile]:
    """Return the sources in a block, of files in the order of their first messages."""
    start = bisect_left(files, block.first, key=_get_first)
    return list(files[start : bisect_right(files, block.last, key=_get_first)])


def _get_first(file: SourceFile) -> int:
    return file.first


def digest_sources(files: Iterable[SourceFile]) -> str:
    """Return a text that is another one if other sources, or other rules, would be summarized."""
    listed = [(each.ident, digest_file(_drop_story(each.text))) for each in files]
    return short_digest(f"{CONSOLIDATION_VERSION} {listed}")


def _drop_story(text: str) -> str:
    """Return a file without the name of its story, which may be given another one."""
    return _HEADING.sub("", _STORY.sub("", text, count=1), count=1)


def read_source(kind: str, file: SourceFile) -> SummarySource:
    """Return what a source says: a chunk, of a summary that is a scene, or a scene, of an arc."""
    parsed = atom_text.parse_frontmatter(file.text)
    fields = parsed.fields
    parts = _iter_messages if kind == SCENE_KIND else _iter_lines
    return SummarySource(
        file.ident,
        file.first,
        file.last,
        str(fields.get("date", "")),
        str(fields.get("summary", "")),
        read_share(fields.get("salience")) or NO_SALIENCE,
        list_tags(fields.get("emotions")),
        list_tags(fields.get("flags")),
        tuple(parts(parsed.body)),
    )


def _iter_messages(body: str) -> Iterator[tuple[str, str]]:
    """Yield who speaks in each message of a chunk, and what."""
    return ((one.speaker, one.text) for one in iter_chunk_messages(body))


def _iter_lines(body: str) -> Iterator[tuple[str, str]]:
    """Yield who speaks in each line of a scene, and what; its heading and sources are left out."""
    lines = [line.strip() for line in body.split("\n") if line.strip()]
    for line in lines:
        if not line.startswith("#") and not _SOURCES.search(line):
            found = _LINE.fullmatch(line)
            speaker, text = (found[1] or "", found[2]) if found else ("", line)
            yield unescape_markdown(speaker), unescape_markdown(text)
