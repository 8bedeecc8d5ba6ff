"""Prepare a request of a chat front end for its model: with what is remembered of the chat."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
from cortexfs.operations.stories.find_story_of_chat import find_story_of_chat
from cortexfs.operations.stories.recall_story import RecallQuery
from cortexfs.operations.stories.render_story_template import render_story_template

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.stories.chat_api.chat_request import ChatRequest
    from cortexfs.operations.stories.find_story_of_chat import ChatPlace
    from cortexfs.session.session import Session

MEMORIES = "{{memories}}"
MEMORY_MACROS = {"memories", "memoriesRaw", "memorySalience"}
"""The macros of which one is enough: then nothing is inserted by itself."""
SEPARATOR = "\0"
"""What stands between texts that are rendered together, because they share a budget."""


def prepare_chat(
    session: Session, place: ChatPlace, request: ChatRequest, memory_place: MemoryPlace
) -> bytes:
    """Return the body of a request with its macros expanded and its memories inserted.

    Every other byte stays. Of a chat that is new nothing is remembered.
    """
    templates = [text for text in list_prompts(request) if find_macros(text)]
    is_asked = any(use.name in MEMORY_MACROS for text in templates for use in find_macros(text))
    has_place = not is_asked and memory_place is not MemoryPlace.NONE
    wanted = [*templates, *([MEMORIES] if has_place else [])]
    changes = remove_story_of_model(request)
    if wanted:
        rendered = _render(session, place, request, wanted)
        texts = dict(zip(templates, rendered, strict=False))
        memories = rendered[-1] if has_place else ""
        changes += expand_prompts(request, texts, memories, memory_place)
        changes += insert_memories(request, memories, memory_place)
    return apply_changes(request, changes)


def _render(
    session: Session, place: ChatPlace, request: ChatRequest, texts: Sequence[str]
) -> list[str]:
    """Return texts with their macros expanded; they share one budget."""
    with session.read() as view:
        story = find_story_of_chat(view, place, request)
    said = tuple(name_speakers(request, ()))
    template = SEPARATOR.join(text.replace(SEPARATOR, "") for text in texts)
    query = RecallQuery(said)
    found = render_story_template(
        session, place.project, story, template, query, is_new_allowed=True
    )
    return found.text.split(SEPARATOR)
