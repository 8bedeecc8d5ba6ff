"""What a table of contents needs of scenes and arcs: one row for each."""

from __future__ import annotations

import re
from typing import NamedTuple

from cortexfs.core.frontmatter import atom_text
from cortexfs.core.stories.chunk_file import HEURISTIC, list_tags, read_share

_HEADING = re.compile(r"^#{1,6} .*\n?", re.MULTILINE)
_BLANK_LINES = re.compile(r"\n{3,}")


class SceneRow(NamedTuple):
    """A scene: its ref, its title, what happened, and the ids of its chunks."""

    ref: str
    story: str
    title: str
    text: str
    messages: str
    salience: float
    source: str
    chunks: tuple[str, ...]


class ArcRow(NamedTuple):
    """An arc: its ref, its title, its course, and the ids of its scenes."""

    ref: str
    story: str
    title: str
    text: str
    source: str
    scenes: tuple[str, ...]


def parse_scene_row(text: str, ref: str) -> SceneRow | None:
    """Return the row of a scene's file; None if it names no story."""
    fields = atom_text.parse_frontmatter(text).fields
    story = fields.get("story")
    if not isinstance(story, str) or not story:
        return None
    return SceneRow(
        ref,
        story,
        str(fields.get("summary", "")),
        _read_body(text, story),
        str(fields.get("messages", "")),
        read_share(fields.get("salience")),
        str(fields.get("source", HEURISTIC)),
        list_tags(fields.get("chunks", ())),
    )


def parse_arc_row(text: str, ref: str) -> ArcRow | None:
    """Return the row of an arc's file; None if it names no story."""
    fields = atom_text.parse_frontmatter(text).fields
    story = fields.get("story")
    if not isinstance(story, str) or not story:
        return None
    return ArcRow(
        ref,
        story,
        str(fields.get("summary", "")),
        _read_body(text, story),
        str(fields.get("source", HEURISTIC)),
        list_tags(fields.get("scenes", ())),
    )


def _read_body(text: str, story: str) -> str:
    """Return the text of a file without its headings, and without the line that names its parts."""
    body = _HEADING.sub("", atom_text.split_front_and_body(text)[1])
    shown = _BLANK_LINES.sub("\n\n", body).strip()
    first, _, rest = shown.partition("\n")
    return rest.strip() if first.startswith(f"{story}, messages ") else shown
