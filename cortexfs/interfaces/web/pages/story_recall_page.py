"""Recall: what of a story would be recalled for a text, with each part of the score."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.stories.message import Message
from cortexfs.interfaces.web.pages.story_page import MAX_SHOWN_CHARS, find_story
from cortexfs.interfaces.web.render_page import render
from cortexfs.interfaces.web.story_text import mark_message
from cortexfs.operations.stories.explain_chunk import explain_chunk
from cortexfs.operations.stories.recall_story import RecallQuery, recall_story

if TYPE_CHECKING:
    from starlette.responses import Response

    from cortexfs.interfaces.web.panel_request import PanelRequest
    from cortexfs.operations.stories.recall_story import Recall

MAX_TEXT_CHARS = 4000
"""Characters of a text for which something is recalled."""


def show_recall(request: PanelRequest) -> Response:
    """Return what would be recalled for a text; this is not counted as a read."""
    story, text = find_story(request), request.get("q").strip()[:MAX_TEXT_CHARS]
    found = _recall(request, text) if text else None
    return render(
        request,
        "story_recall.html",
        story=story,
        text=text,
        mark=lambda said: mark_message(said[:MAX_SHOWN_CHARS]),
        found=found,
        max_chars=MAX_TEXT_CHARS,
        most=max((each.score for each in found.memories), default=0) if found else 0,
    )


def show_salience(request: PanelRequest) -> Response:
    """Return what a chunk is worth, and each part of that."""
    ref = request.parts["ref"]
    found = request.results.get(
        ("salience", ref), lambda: explain_chunk(request.session, ref, "/"), of_files_alone=True
    )
    return render(request, "story_salience.html", ref=found.ref, found=found)


def _recall(request: PanelRequest, text: str) -> Recall:
    project, name = request.parts["project"], request.parts["name"]
    query = RecallQuery((Message("", "", "", "user", text),), record_reads=False)
    return request.results.get(
        ("recall", project, name, text),
        lambda: recall_story(request.session, project, name, query),
    )
