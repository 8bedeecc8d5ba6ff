"""The values that transcripts are parsed into, and how a message is cleaned."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.stores.json_fields import BadEntry, Json, to_valid_text
from cortexfs.core.stories.message import Message
from cortexfs.core.text.sanitize import redact_secrets, strip_unprintable, truncate_line

if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_MESSAGE_CHARS = 4_000_000
"""Maximum characters of one message; a longer one is refused."""
MAX_SPEAKER_CHARS = 100
MAX_IDENT_CHARS = 100
MAX_REFUSALS = 1000
"""Maximum number of refused lines that are reported one by one."""
MAX_SWIPES = 50
"""Maximum number of texts of one place that were not kept."""
USER, ASSISTANT, SYSTEM = "user", "assistant", "system"
ROLES = (USER, ASSISTANT, SYSTEM)
USER_SPEAKER = "User"

_ROLE_NAMES = {
    **dict.fromkeys(("user", "human", "you", "me"), USER),
    **dict.fromkeys(("assistant", "ai", "bot", "chatgpt", "gpt", "claude"), ASSISTANT),
    **dict.fromkeys(("system", "narrator"), SYSTEM),
}
_TERMINAL_ESCAPE = re.compile(
    r"\x1b(?:\[[0-?]{0,64}[ -/]{0,8}[@-~]|\][^\x07\x1b\n]{0,4096}(?:\x07|\x1b\\)|[@-Z\\^_])"
)


class TranscriptFormat(StrEnum):
    """A format of transcripts."""

    RECORD = "record"
    SILLYTAVERN = "sillytavern"
    CHATGPT = "chatgpt"
    CLAUDE = "claude"
    CLAUDE_CODE = "claude-code"
    DISCORD = "discord"
    WHATSAPP = "whatsapp"
    PLAIN = "plain"


class RefusedLine(NamedTuple):
    """What could not be read: its line (from 1; 0 if it has none), and why."""

    line: int
    reason: str


class Conversation(NamedTuple):
    """One conversation: its title, or an empty text, and its messages in order.

    A message whose source has no ids has an empty `ident`.
    """

    title: str
    messages: tuple[Message, ...]


class Transcript(NamedTuple):
    """A parsed file: its format, its conversations, and what was refused."""

    format: TranscriptFormat
    conversations: tuple[Conversation, ...]
    refused: tuple[RefusedLine, ...] = ()


def clean_text(text: str) -> str:
    """Return the text of a message without terminal escapes, control characters and secrets.

    Everything else is kept, except white space at the end.
    """
    return redact_secrets(strip_escapes(text)).rstrip()


def strip_escapes(text: str) -> str:
    """Return a text without terminal escapes, control characters and halves of characters."""
    if "\x1b" in text:
        text = _TERMINAL_ESCAPE.sub("", text)
    return strip_unprintable(to_valid_text(text))


def clean_message(message: Message) -> Message | None:
    """Return a message with each of its parts cleaned; None without text.

    Raises `BadEntry` if it is too long.
    """
    if len(message.text) > MAX_MESSAGE_CHARS:
        raise BadEntry(f"the message has over {MAX_MESSAGE_CHARS:,} characters")
    text = clean_text(message.text)
    if not text.strip():
        return None
    others = (clean_text(each) for each in message.swiped if len(each) <= MAX_MESSAGE_CHARS)
    swiped = tuple(each for each in dict.fromkeys(others) if each.strip() and each != text)
    return Message(
        truncate_line(to_valid_text(message.ident), MAX_IDENT_CHARS),
        message.time,
        truncate_line(redact_secrets(to_valid_text(message.speaker)), MAX_SPEAKER_CHARS),
        message.role if message.role in ROLES else USER,
        text,
        swiped[:MAX_SWIPES],
    )


def guess_role(speaker: str) -> str:
    """Return the role that the name of a speaker says; `user` for any other name."""
    return _ROLE_NAMES.get(speaker.strip().lower(), USER)


def read_string(entry: Mapping[str, Json], *keys: str) -> str:
    """Return the first of some fields that is text and not empty; numbers become text."""
    for key in keys:
        value = entry.get(key)
        if isinstance(value, str) and value:
            return value
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
    return ""


def read_objects(value: Json) -> list[Mapping[str, Json]]:
    """Return the objects in a list; anything else is left out."""
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def read_object(value: Json) -> Mapping[str, Json]:
    """Return an object; an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def join_blocks(content: Json) -> str:
    """Return the text of a message whose content is text, or a list with blocks of text."""
    if isinstance(content, str):
        return content
    texts = (
        each if isinstance(each, str) else read_string(each, "text")
        for each in (content if isinstance(content, list) else [])
        if isinstance(each, str) or (isinstance(each, dict) and each.get("type") == "text")
    )
    return "\n\n".join(filter(None, texts))
