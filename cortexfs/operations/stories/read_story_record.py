"""Read the record of a story as messages; a text that was parsed is not parsed again."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from cortexfs.core.stories.chat_record import parse_record
from cortexfs.operations.stories.story_record import require_record

if TYPE_CHECKING:
    from cortexfs.core.stories.chat_record import ChatRecord
    from cortexfs.session.view import TreeFilesAndGit

MAX_RECORDS = 4
"""Number of records that are kept: one of 10,000 messages takes some 15 MB."""


def read_story_record(view: TreeFilesAndGit, project: str, name: str) -> ChatRecord:
    """Return the record of a story; raise as `require_record` does."""
    return _parse(require_record(view, project, name).text)


@lru_cache(maxsize=MAX_RECORDS)
def _parse(text: str) -> ChatRecord:
    return parse_record(text)
