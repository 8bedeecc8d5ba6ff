"""The routes of the original for the chat with the cortex."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query

from cortexfs.interfaces.http.stream_chat import stream_answer
from cortexfs.interfaces.json import chat as to_json
from cortexfs.interfaces.json.documents import chat as documents
from cortexfs.interfaces.json.documents.memories import StatusDocument
from cortexfs.interfaces.rest import original_bodies as bodies
from cortexfs.interfaces.rest import parameters as given
from cortexfs.interfaces.rest.answers import Answer
from cortexfs.interfaces.rest.endpoint import NOWHERE, Call, Effect, Endpoint
from cortexfs.operations.chat import threads
from cortexfs.operations.chat.send_message import ChatRequest
from cortexfs.operations.list_cortex_events import list_cortex_events

ThreadQuery = Annotated[given.Name, Query(description="Id of the thread.")]
EventType = Annotated[
    given.Name, Query(alias="type", description="Only this type, such as `maintenance_completed`.")
]
ChatLimit = Annotated[
    int, Query(ge=1, le=threads.MAX_LIMIT, description="Maximum number of results.")
]


def send_chat_message(call: Call, body: bodies.ChatBody) -> Answer:
    """Send a message; the answer comes as server-sent events. A busy thread answers with 409."""
    thread, channel = body.get("thread_id", ""), body.get("channel_id", "")
    return Answer(
        stream_answer(call.session, ChatRequest(body["message"], NOWHERE, thread, channel))
    )


def list_chat_threads(call: Call, limit: ChatLimit = threads.DEFAULT_LIMIT) -> Answer:
    """List the threads, the one that was used last first."""
    found = threads.list_threads(call.session, limit)
    return Answer({"threads": list(map(to_json.to_thread_json, found))})


def list_chat_messages(
    call: Call, thread_id: ThreadQuery = "", limit: ChatLimit = threads.DEFAULT_LIMIT
) -> Answer:
    """List the last messages of a thread, by default of the one that was used last."""
    latest = [] if thread_id else threads.list_threads(call.session, 1)
    thread_id = latest[0].thread_id if latest else thread_id
    found = threads.list_messages(call.session, thread_id, limit) if thread_id else []
    messages = list(map(to_json.to_message_json, found))
    return Answer({"thread_id": thread_id, "messages": messages})


def list_events(
    call: Call,
    limit: ChatLimit = threads.DEFAULT_LIMIT,
    offset: given.OffsetQuery = 0,
    event_type: EventType = "",
) -> Answer:
    """List what the cortex did by itself: maintenance, merges, jobs of the daemon."""
    found = list_cortex_events(call.session, limit, offset, event_type)
    return Answer(to_json.to_events_json(found))


def delete_chat_thread(call: Call, thread_id: ThreadQuery) -> Answer:
    """Delete a thread."""
    threads.delete_thread(call.session, thread_id)
    return Answer({"status": "deleted"})


ENDPOINTS = (
    Endpoint(
        "POST", "/api/cortex/chat", send_chat_message, documents.ChatEventDocument, Effect.STREAM
    ),
    Endpoint("GET", "/api/cortex/events", list_events, documents.CortexEventsDocument),
    Endpoint("GET", "/api/cortex/chat/threads", list_chat_threads, documents.ThreadsDocument),
    Endpoint("GET", "/api/cortex/chat/messages", list_chat_messages, documents.MessagesDocument),
    Endpoint(
        "DELETE",
        "/api/cortex/chat/thread",
        delete_chat_thread,
        StatusDocument,
        Effect.DELETE_THREAD,
    ),
)
