"""Chat: threads with the cortex, the plan of a change, and the button that confirms it."""

from __future__ import annotations

import os
from http import HTTPStatus
from typing import TYPE_CHECKING
from urllib.parse import urlencode
from uuid import uuid4

from cortexfs.core.chat.chat_event import Failed
from cortexfs.core.chat.chat_message import MAX_QUESTION_CHARS
from cortexfs.errors import CortexError
from cortexfs.interfaces.http.describe_failure import Failure, describe_failure
from cortexfs.interfaces.http.stream_chat import start_answer, stream_answer
from cortexfs.interfaces.web.chat_text import mark_changes
from cortexfs.interfaces.web.render_page import redirect, render
from cortexfs.operations.chat.list_tree_examples import list_tree_examples
from cortexfs.operations.chat.send_message import ChatRequest, has_language_model
from cortexfs.operations.chat.threads import MAX_LIMIT, delete_thread, list_messages, list_threads
from cortexfs.operations.find_commit import find_commit

if TYPE_CHECKING:
    from starlette.responses import Response

    from cortexfs.interfaces.web.panel_request import PanelRequest

NOWHERE = "/"
"""The working directory of a browser: it belongs to no project."""
ANSWER_S = 5.0
"""Seconds to wait for an answer in a browser without scripts; then its page tells to come again."""


def show_chat(request: PanelRequest) -> Response:
    """Return the threads, and the messages of one."""
    return _render_chat(request, request.get("thread"))


def send(request: PanelRequest) -> Response:
    """Send a message, and return to its thread: once it is answered, or after some seconds."""
    asked = _read_message(request)
    thread_id = asked.thread_id or str(uuid4())
    try:
        answer = start_answer(request.session, asked._replace(thread_id=thread_id))
    except (CortexError, OSError) as error:
        return _render_chat(
            request, asked.thread_id, typed=asked.text, failure=describe_failure(error)
        )
    answer.wait(ANSWER_S)
    if isinstance(answer.last, Failed):
        failure = Failure(
            HTTPStatus.SERVICE_UNAVAILABLE, answer.last.message, answer.last.hint, "failed"
        )
        return _render_chat(request, thread_id, typed=asked.text, failure=failure)
    return redirect(f"/chat?{urlencode({'thread': thread_id})}#last")


def send_events(request: PanelRequest) -> Response:
    """Send a message; return what happens, while it is answered, as server-sent events."""
    return stream_answer(request.session, _read_message(request))


def delete(request: PanelRequest) -> Response:
    """Delete a thread."""
    delete_thread(request.session, request.field("thread"))
    return redirect("/chat")


def _read_message(request: PanelRequest) -> ChatRequest:
    return ChatRequest(
        request.field("message").replace("\r\n", "\n"),
        NOWHERE,
        request.field("thread"),
        request.field("channel"),
        answers=request.field("answers"),
    )


def _render_chat(
    request: PanelRequest, thread_id: str, *, typed: str = "", failure: Failure | None = None
) -> Response:
    """Return the page; a message that was refused stays typed."""
    threads = list_threads(request.session, MAX_LIMIT)
    chosen = next((each for each in threads if each.thread_id == thread_id), None)
    messages = (
        list_messages(request.session, thread_id, MAX_LIMIT)
        if chosen or (thread_id and failure is None)
        else []
    )
    commits = {call.commit for each in messages for call in each.tool_calls if call.commit}
    return render(
        request,
        "chat.html",
        failure.status if failure else HTTPStatus.OK,
        threads=threads,
        chosen=chosen,
        thread_id=thread_id,
        channel=messages[-1].channel_context if messages else request.get("channel"),
        messages=[(each, mark_changes(each)) for each in messages],
        commits={each: find_commit(request.session, each) for each in commits},
        examples=request.results.get(
            "examples", lambda: list_tree_examples(request.session), of_files_alone=True
        ),
        has_model=has_language_model(os.environ),
        max_chars=MAX_QUESTION_CHARS,
        typed=typed,
        failure=failure,
    )
