"""Prepare a request of a chat front end for its model: with what is remembered of the chat."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.stories.chat_api.name_speakers import name_speakers
from cortexfs.core.stories.chat_api.place_memories import (
    MemoryPlace,
    apply_changes,
    expand_prompts,
    insert_memories,
    list_prompts,
    remove_story_of_model,
)
from cortexfs.core.stories.prompt.macros import find_macros
from cortexfs.operations.shared.resolve_names import require_project
from cortexfs.operations.stories.find_story_of_chat import find_story_of_chat
from cortexfs.operations.stories.recall_story import RecallQuery
from cortexfs.operations.stories.render_story_template import render_in_view
from cortexfs.operations.stories.story_memory import StoryMemory
from cortexfs.session.view import NeededContents

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.stories.chat_api.chat_request import ChatRequest
    from cortexfs.operations.stories.find_story_of_chat import ChatPlace
    from cortexfs.operations.stories.render_story_template import RenderedTemplate
    from cortexfs.session.session import Session

MEMORIES = "{{memories}}"
MEMORY_MACROS = {"memories", "memoriesRaw", "memorySalience"}
"""The macros of which one is enough: then nothing is inserted by itself."""
SEPARATOR = "\0"
"""What stands between texts that are rendered together, because they share a budget."""


class PreparedChat(NamedTuple):
    """The body that is sent to the model, and the refs of the memories that were recalled."""

    body: bytes
    recalled: tuple[str, ...] = ()


def prepare_chat(
    session: Session, place: ChatPlace, request: ChatRequest, memory_place: MemoryPlace
) -> PreparedChat:
    """Return a request with its macros expanded and its memories inserted.

    Every other byte stays. Of a chat that is new nothing is remembered. Nothing is noted as read:
    `note_recalled` does that when there is time.
    """
    templates = [text for text in list_prompts(request) if find_macros(text)]
    is_asked = any(use.name in MEMORY_MACROS for text in templates for use in find_macros(text))
    has_place = not is_asked and memory_place is not MemoryPlace.NONE
    wanted = [*templates, *([MEMORIES] if has_place else [])]
    changes = remove_story_of_model(request)
    if not wanted:
        return PreparedChat(apply_changes(request, changes))
    rendered = _render(session, place, request, wanted)
    parts = rendered.text.split(SEPARATOR)
    texts = dict(zip(templates, parts, strict=False))
    memories = parts[-1] if has_place else ""
    changes += expand_prompts(request, texts, memories, memory_place)
    changes += insert_memories(request, memories, memory_place)
    recalled = tuple(memory.ref for memory in rendered.recall.memories)
    return PreparedChat(apply_changes(request, changes), recalled)


def _render(
    session: Session, place: ChatPlace, request: ChatRequest, texts: Sequence[str]
) -> RenderedTemplate:
    """Return texts with their macros expanded; they share one budget."""
    template = SEPARATOR.join(text.replace(SEPARATOR, "") for text in texts)
    query = RecallQuery(tuple(name_speakers(request, ())), record_reads=False)
    # recording the answer compares all files
    with session.reader.read_at_once(NeededContents.TEXTS) as view:
        require_project(view, place.project)
        story = find_story_of_chat(view, place, request)
        memory = StoryMemory(session, view, place.project, story)
        return render_in_view(memory, template, query)
