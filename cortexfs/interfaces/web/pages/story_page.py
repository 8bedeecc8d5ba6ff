"""One story: its figures, contents and timeline, its chat, its chunks."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from cortexfs.core.stories.salience_timeline import make_timeline
from cortexfs.interfaces.web.pages.stories_page import read_order
from cortexfs.interfaces.web.pages.story_entities_page import find_entities
from cortexfs.interfaces.web.render_page import render
from cortexfs.interfaces.web.salience_chart import make_chart
from cortexfs.interfaces.web.story_text import mark_message
from cortexfs.operations.stories.browse_chunks import (
    ANYWHERE,
    CHUNK_FACETS,
    CHUNK_PAGE_SIZE,
    CHUNK_SORTS,
    ChunkFilter,
    select_chunks,
)
from cortexfs.operations.stories.describe_story import describe_story
from cortexfs.operations.stories.read_chat import (
    CHAT_FACETS,
    MESSAGES_PER_PAGE,
    ChatFilter,
    find_message_page,
    read_chat,
    select_messages,
)

if TYPE_CHECKING:
    from starlette.responses import Response

    from cortexfs.interfaces.web.panel_request import PanelRequest
    from cortexfs.operations.stories.describe_story import StoryDescription
    from cortexfs.operations.stories.read_chat import ChatMessage

MAX_SHOWN_CHARS = 8000
"""Characters of a message in the chat; its own page has all of them."""


def show_story(request: PanelRequest) -> Response:
    """Return the overview of a story; its timeline shows all, or a range of messages."""
    story = find_story(request)
    first, last = request.number("from", 0), request.number("to", ANYWHERE)
    people = [each.entity for each in find_entities(request) if each.project == story.project]
    near = [each for each in story.chunks if first <= each.last and each.first <= last]
    return render(
        request,
        "story.html",
        story=story,
        chart=make_chart(make_timeline(near), story.threshold),
        people=Counter(each.status for each in people).most_common(),
        relation_count=sum(len(each.relations) for each in people),
        is_part=len(near) < len(story.chunks),
        core_count=sum(each.is_core for each in story.chunks),
    )


def show_chat(request: PanelRequest) -> Response:
    """Return a page of the messages that match, or one message whole."""
    story, messages = find_story(request), _find_chat(request)
    wanted = ChatFilter(
        text=request.get("q").strip(),
        **{name: request.get(name) for name in CHAT_FACETS},
        page=max(1, request.number("page")),
    )
    number = request.number("message", 0)
    is_filtered = any((wanted.text, wanted.speaker, wanted.mark))
    if number and not is_filtered and not request.get("page"):
        wanted = wanted._replace(page=find_message_page(messages, number))
    whole = request.number("whole", 0)
    if whole:
        messages = [each for each in messages if each.entry.number == whole]
        wanted = ChatFilter()
    found = select_messages(messages, wanted)
    return render(
        request,
        "story_chat.html",
        story=story,
        found=found,
        page=wanted.page,
        last_page=max(1, -(-found.total // MESSAGES_PER_PAGE)),
        is_filtered=is_filtered,
        shown_number=number,
        whole=whole,
        limit=0 if whole else MAX_SHOWN_CHARS,
        mark=lambda text: mark_message(text if whole else text[:MAX_SHOWN_CHARS], wanted.text),
    )


def show_chunks(request: PanelRequest) -> Response:
    """Return the chunks that match, with what they are worth."""
    story = find_story(request)
    asked = read_order(request, CHUNK_SORTS, "messages")
    wanted = ChunkFilter(
        text=request.get("q").strip(),
        **{name: request.get(name) for name in CHUNK_FACETS},
        first=request.number("from", 0),
        last=request.number("to", ANYWHERE),
        sort=asked.sort,
        descending=asked.descending,
        page=max(1, request.number("page")),
    )
    found = select_chunks(story.chunks, wanted)
    return render(
        request,
        "story_chunks.html",
        story=story,
        found=found,
        asked=asked,
        facet_names=CHUNK_FACETS,
        page=wanted.page,
        last_page=max(1, -(-found.total // CHUNK_PAGE_SIZE)),
    )


def find_story(request: PanelRequest) -> StoryDescription:
    """Return the story that the address names."""
    project, name = request.parts["project"], request.parts["name"]
    return request.results.get(
        ("story", project, name),
        lambda: describe_story(request.session, project, name),
        of_files_alone=True,
    )


def _find_chat(request: PanelRequest) -> list[ChatMessage]:
    project, name = request.parts["project"], request.parts["name"]
    return request.results.get(
        ("story chat", project, name),
        lambda: read_chat(request.session, project, name),
        of_files_alone=True,
    )
