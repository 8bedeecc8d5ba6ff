"""Threads, messages and events of the chat, with the keys of the original."""

from __future__ import annotations

from typing import Literal, NotRequired

from typing_extensions import TypedDict


class StartedCallDocument(TypedDict):
    """A call of a tool that has no result yet."""

    tool: str
    call_id: str
    args: dict[str, str]


class ToolCallDocument(StartedCallDocument):
    """A complete call; `commit` is the commit that it made."""

    result: str
    result_preview: str
    commit: NotRequired[str]


class PendingDocument(TypedDict):
    """A change that waits for a `yes`."""

    tool: str
    args: dict[str, str]
    summary: str


class MessageDocument(TypedDict):
    """One message; times are in UTC, ISO 8601."""

    id: str
    thread_id: str
    role: Literal["user", "assistant"]
    content: str
    created_at: str
    tool_calls: list[ToolCallDocument]
    channel_context: NotRequired[str]
    pending: NotRequired[PendingDocument]


class MessagesDocument(TypedDict):
    """The last messages of a thread, oldest first; the thread is empty if there is none."""

    thread_id: str
    messages: list[MessageDocument]


class ThreadDocument(TypedDict):
    """One thread."""

    thread_id: str
    preview: str
    message_count: int
    first_message_at: str
    last_message_at: str
    is_waiting: bool


class ThreadsDocument(TypedDict):
    """The threads, the one that was used last first."""

    threads: list[ThreadDocument]


class CortexEventDocument(TypedDict):
    """What the cortex did by itself: a commit of maintenance, or a run of a job."""

    id: str
    event_type: str
    summary: str
    created_at: str


class CortexEventsDocument(TypedDict):
    """A part of the events, newest first, and the number of all that match."""

    events: list[CortexEventDocument]
    total: int


class ThinkingDocument(TypedDict):
    """The message is stored, and an answer is being made."""

    type: Literal["thinking"]
    thread_id: str


class ToolStartedDocument(StartedCallDocument):
    """A tool is called."""

    type: Literal["tool_started"]


class ToolCompletedDocument(ToolCallDocument):
    """A tool has answered."""

    type: Literal["tool_completed"]


class DoneDocument(TypedDict):
    """The answer is complete and stored."""

    type: Literal["done"]
    full_text: str
    tool_calls: list[ToolCallDocument]
    message: MessageDocument


class ChatErrorDocument(TypedDict):
    """There is no answer; the message is stored."""

    type: Literal["error"]
    thread_id: str
    message: str
    hint: NotRequired[str]


ChatEventDocument = (
    ThinkingDocument
    | ToolStartedDocument
    | ToolCompletedDocument
    | DoneDocument
    | ChatErrorDocument
)
