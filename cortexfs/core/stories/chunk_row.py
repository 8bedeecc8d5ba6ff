"""What lists and pictures of a story need of a chunk: one row for each."""

from __future__ import annotations

from typing import NamedTuple

from cortexfs.core.frontmatter import atom_text
from cortexfs.core.stories.chunk_file import list_tags, parse_chunk_file, read_share
from cortexfs.core.stories.weigh_chunk import HEURISTIC


class ChunkRow(NamedTuple):
    """A chunk: its ref, the numbers of its first and last message, and what it is worth.

    `source` says what gave the salience; `analysis` is the digest of the settings that it was made
    with. All texts are untrusted.
    """

    ref: str
    story: str
    first: int
    last: int
    day: str
    summary: str
    salience: float
    source: str
    emotions: tuple[str, ...]
    flags: tuple[str, ...]
    is_core: bool
    analysis: str
    is_edited: bool

    @property
    def ident(self) -> str:
        """Its id, without the project."""
        return self.ref.rpartition("/")[2]

    @property
    def state(self) -> str:
        """Whether a person has changed it."""
        return "edited" if self.is_edited else "generated"


def parse_chunk_row(text: str, ref: str) -> ChunkRow | None:
    """Return the row of a chunk's file; None if it is no chunk of a story."""
    source = parse_chunk_file(text)
    if source is None:
        return None
    fields = atom_text.parse_frontmatter(text).fields
    return ChunkRow(
        ref,
        source.story,
        source.first,
        source.last,
        source.date,
        str(fields.get("summary", "")),
        read_share(fields.get("salience")),
        str(fields.get("salience-source", HEURISTIC)),
        list_tags(fields.get("emotions", ())),
        list_tags(fields.get("flags", ())),
        fields.get("core") == "yes",
        source.analysis,
        source.is_edited,
    )
