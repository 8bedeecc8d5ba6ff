"""Read what a first recall would have to read, so that nobody waits for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.operations.stories.list_stories import list_stories
from cortexfs.operations.stories.recall_story import RecallQuery, recall_story
from cortexfs.operations.stories.story_memory import StoryMemory

if TYPE_CHECKING:
    from cortexfs.session.session import Session

QUERY = RecallQuery((), record_reads=False)
"""The last messages: most of what the next request asks for."""
MAX_CHUNKS = 2000
"""Chunks at the end of a story that are read: all of one with 16,000 messages."""


def warm_up_story(session: Session, project: str, name: str) -> None:
    """Recall from a story once: what has changed of it is ingested and read."""
    recall_story(session, project, name, QUERY)
    with session.view_without_refresh() as view:
        memory = StoryMemory(session, view, project, name)
        memory.read_texts(memory.read_chunks().list_last(MAX_CHUNKS))


def warm_up_newest_story(session: Session, project: str) -> None:
    """Recall once from the story of a project that has gone on last, if it has one."""
    stories = list_stories(session, project)
    newest = max(stories, key=lambda each: each.last_time, default=None)
    if newest:
        warm_up_story(session, project, newest.name)
