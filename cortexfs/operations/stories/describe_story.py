"""Describe one story for pages about it: its figures, speakers, contents and timeline."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.stories.chunk_file import digest_settings
from cortexfs.core.stories.table_of_contents import make_contents
from cortexfs.operations.shared.resolve_names import require_project
from cortexfs.operations.stories.browse_stories import count_story
from cortexfs.operations.stories.read_parsed_files import (
    read_arc_files,
    read_chunk_rows,
    read_scene_files,
)
from cortexfs.operations.stories.read_story_record import read_story_record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.stories.chunk_row import ChunkRow
    from cortexfs.core.stories.table_of_contents import Contents
    from cortexfs.operations.stories.browse_stories import StoryFigures
    from cortexfs.session.session import Session


class StoryDescription(NamedTuple):
    """One story: `chunks` are in the order of the messages; counts are the highest first.

    `threshold` is the salience from which a chunk is core.
    """

    project: str
    figures: StoryFigures
    chunks: Sequence[ChunkRow]
    contents: Contents
    speakers: Sequence[tuple[str, int]]
    swiped: int
    threshold: float

    @property
    def name(self) -> str:
        """Its name."""
        return self.figures.name

    def count_emotions(self) -> list[tuple[str, int]]:
        """Return the emotions with the number of chunks that express them."""
        return Counter(each for chunk in self.chunks for each in chunk.emotions).most_common()

    def count_flags(self) -> list[tuple[str, int]]:
        """Return what happens, with the number of chunks in which it does."""
        return Counter(each for chunk in self.chunks for each in chunk.flags).most_common()

    def count_sources(self) -> list[tuple[str, int]]:
        """Return what gave the salience of chunks, with their number."""
        return Counter(chunk.source for chunk in self.chunks).most_common()


def describe_story(session: Session, project: str, name: str) -> StoryDescription:
    """Return all about a story except its messages.

    Raises `NoSuchProject`, and `Refused` if there is no such story or it cannot be read.
    """
    with session.read() as view:
        require_project(view, project)
        record = read_story_record(view, project, name)
        rows = read_chunk_rows(session, view, project)
        chunks = [row for row in rows if row.story == name]
        scenes = [one for one in read_scene_files(session, view, project) if one.story == name]
        arcs = [one for one in read_arc_files(session, view, project) if one.story == name]
        settings = view.settings.stories
        return StoryDescription(
            project,
            count_story(name, record, chunks, digest_settings(settings)),
            chunks,
            make_contents(chunks, scenes, arcs),
            Counter(message.speaker for message in record.messages).most_common(),
            sum(bool(message.swiped) for message in record.messages),
            settings.core_threshold,
        )
