"""Read what a first recall would have to read, so that nobody waits for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.stories.message import Message
from cortexfs.core.stories.transcripts.transcript import USER
from cortexfs.operations.stories.list_stories import list_stories
from cortexfs.operations.stories.recall_story import RecallQuery, recall_story

if TYPE_CHECKING:
    from cortexfs.session.session import Session

QUERY = RecallQuery((Message("", "", "", USER, "What happened?"),), record_reads=False)


def warm_up_stories(session: Session, project: str, name: str = "") -> str:
    """Recall once from a story, or from that of a project that has gone on last; return its name.

    An empty text is returned if there is none.
    """
    stories = list_stories(session, project)
    chosen = [each for each in stories if not name or each.name == name]
    newest = max(chosen, key=lambda each: each.last_time, default=None)
    if newest is None:
        return ""
    recall_story(session, project, newest.name, QUERY)
    return newest.name
