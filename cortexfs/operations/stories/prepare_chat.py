"""Prepare a request of a chat front end for its model: with what is remembered of the chat."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.stories.chat_api.place_memories import apply_changes, remove_story_of_model
from cortexfs.operations.stories.find_story_of_chat import find_story_of_chat

if TYPE_CHECKING:
    from cortexfs.core.stories.chat_api.chat_request import ChatRequest
    from cortexfs.core.stories.chat_api.place_memories import MemoryPlace
    from cortexfs.operations.stories.find_story_of_chat import ChatPlace
    from cortexfs.session.session import Session


def prepare_chat(
    session: Session, place: ChatPlace, request: ChatRequest, memory_place: MemoryPlace
) -> bytes:
    """Return the body of a request with its macros expanded and its memories inserted."""
    with session.read() as view:
        find_story_of_chat(view, place, request)
    del memory_place
    return apply_changes(request, remove_story_of_model(request))
