"""What happens while a message is answered, in the order in which an interface shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from cortexfs.core.chat.chat_message import ChatMessage, ToolCall


class Thinking(NamedTuple):
    """The message is stored, and an answer is being made."""

    thread_id: str


class ToolStarted(NamedTuple):
    """A tool is called; the call has no result yet."""

    call: ToolCall


class ToolCompleted(NamedTuple):
    """A tool has answered, or was refused."""

    call: ToolCall


class Done(NamedTuple):
    """The answer is complete and stored."""

    message: ChatMessage


class Failed(NamedTuple):
    """There is no answer; the message of the user is stored."""

    thread_id: str
    message: str
    hint: str | None = None


ChatEvent = Thinking | ToolStarted | ToolCompleted | Done | Failed
