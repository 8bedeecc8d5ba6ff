"""Messages, threads and events of the chat as JSON, with the keys that the original has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.chat.chat_event import Done, Failed, Thinking, ToolCompleted, ToolStarted

if TYPE_CHECKING:
    from cortexfs.core.chat.chat_event import ChatEvent
    from cortexfs.core.chat.chat_message import ChatMessage, ToolCall
    from cortexfs.interfaces.json.documents import chat as documents
    from cortexfs.operations.chat.threads import ChatThread
    from cortexfs.operations.list_cortex_events import CortexEvents


def to_message_json(message: ChatMessage) -> documents.MessageDocument:
    """Return one message; `pending` is the change that waits for a confirmation."""
    document: documents.MessageDocument = {
        "id": message.id,
        "thread_id": message.thread_id,
        "role": message.role.value,
        "content": message.content,
        "created_at": message.created_at,
        "tool_calls": [to_tool_call_json(each) for each in message.tool_calls],
    }
    if message.channel_context:
        document["channel_context"] = message.channel_context
    if message.pending:
        pending = message.pending
        document["pending"] = {
            "tool": pending.tool,
            "args": dict(pending.args),
            "summary": pending.summary,
        }
    return document


def to_tool_call_json(call: ToolCall) -> documents.ToolCallDocument:
    """Return one complete call; `commit` is the commit that it made."""
    document: documents.ToolCallDocument = {
        "tool": call.tool,
        "call_id": call.call_id,
        "args": dict(call.args),
        "result": call.result,
        "result_preview": call.result_preview,
    }
    return {**document, "commit": call.commit} if call.commit else document


def to_events_json(found: CortexEvents) -> documents.CortexEventsDocument:
    """Return a part of the events of the cortex."""
    events: list[documents.CortexEventDocument] = [
        {
            "id": each.id,
            "event_type": each.event_type,
            "summary": each.summary,
            "created_at": each.created_at,
        }
        for each in found.events
    ]
    return {"events": events, "total": found.total}


def to_thread_json(thread: ChatThread) -> documents.ThreadDocument:
    """Return one thread."""
    return {
        "thread_id": thread.thread_id,
        "preview": thread.preview,
        "message_count": thread.message_count,
        "first_message_at": thread.first_message_at,
        "last_message_at": thread.last_message_at,
        "is_waiting": bool(thread.waits_for),
    }


def to_event_json(event: ChatEvent) -> documents.ChatEventDocument:
    """Return one event of an answer; `type` is the name of the server-sent event."""
    match event:
        case Thinking(thread_id):
            return {"type": "thinking", "thread_id": thread_id}
        case ToolStarted(call):
            return {
                "type": "tool_started",
                "tool": call.tool,
                "call_id": call.call_id,
                "args": dict(call.args),
            }
        case ToolCompleted(call):
            return {"type": "tool_completed", **to_tool_call_json(call)}
        case Done(message):
            answer = to_message_json(message)
            return {
                "type": "done",
                "full_text": message.content,
                "tool_calls": answer["tool_calls"],
                "message": answer,
            }
        case Failed(thread_id, message, hint):
            failed: documents.ChatErrorDocument = {
                "type": "error",
                "thread_id": thread_id,
                "message": message,
            }
            return {**failed, "hint": hint} if hint else failed
