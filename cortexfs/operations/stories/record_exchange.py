"""Record what was said when a chat front end asked its model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.changes.plan import attach_outcome
from cortexfs.core.memory.memory_text import format_time
from cortexfs.core.stories.chat_api.said_in_exchange import read_exchange
from cortexfs.core.stories.chat_record import parse_record
from cortexfs.core.stories.end_of_record import parse_end_of_record
from cortexfs.core.stories.merge_visible import has_overlap, merge_visible
from cortexfs.operations.shared.resolve_names import require_project
from cortexfs.operations.stories.find_story_of_chat import (
    ChatPlace,
    count_sought,
    find_story_of_chat,
    name_new_story,
)
from cortexfs.operations.stories.import_story import StoryImport, plan_record_changes
from cortexfs.operations.stories.project_entities import ProjectEntities
from cortexfs.operations.stories.story_record import read_record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.stories.chat_api.chat_request import ChatRequest
    from cortexfs.session.session import Session
    from cortexfs.session.view import View


def record_exchange(
    session: Session,
    place: ChatPlace,
    request: ChatRequest,
    answers: Sequence[str],
    *,
    mode: ExecutionMode = ExecutionMode.DEFER,
) -> StoryImport:
    """Bring the story of a chat up to date with a request and its answers (none: cut off).

    A chat that is new begins a story. Only what differs is written.
    """
    entities = ProjectEntities(session, place.project, mode)

    def decide(view: View) -> StoryImport:
        require_project(view, place.project)
        name = find_story_of_chat(view, place, request) or name_new_story(view, place, request)
        stored = read_record(view, place.project, name)
        now = format_time(view.clock())
        size = view.settings.stories.messages_per_chunk
        record = parse_end_of_record(stored.text, size, count_sought(request))
        chat = read_exchange(request, answers, record.messages, now)
        if not record.is_whole and not has_overlap(record, chat):
            record = parse_record(stored.text)
            chat = read_exchange(request, answers, record.messages, now)
        changes = merge_visible(record, chat)
        return plan_record_changes(view, entities, stored, record, changes, in_burst=True)

    done = attach_outcome(session.execute(decide, mode))
    entities.keep()
    return done
