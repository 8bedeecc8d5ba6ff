"""Parse the conversations of claude.ai and ChatGPT: each becomes a session, not memories.

Only what a message itself lists as learned, in a section such as "Key Learnings", is a memory.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.memory.emitted_text import strip_emitted_text
from cortexfs.core.memory.extract_learnings import extract_learnings
from cortexfs.core.memory.memory_record import PASSIVE_TYPE
from cortexfs.core.memory.redact_private import redact_private
from cortexfs.core.stores.json_fields import (
    BadEntry,
    parse_entries,
    read_line,
    read_text,
    read_time,
    require_line,
    to_utc_time,
    to_valid_text,
)
from cortexfs.core.stores.memory_title import make_title
from cortexfs.core.stores.stored_values import (
    BrokenEntry,
    StoreContents,
    StoredMemory,
    StoredSession,
    StoreFormat,
)
from cortexfs.core.text.sanitize import to_one_line, truncate_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from cortexfs.core.stores.json_fields import Json

MAX_SESSION_SUMMARY_CHARS = 2000
"""Maximum characters of the summary of a session that is made from a conversation."""
MAX_QUOTED_CHARS = 500
"""Maximum characters quoted of the first question, and of the first answer."""
MAX_MESSAGES = 100_000
"""Maximum messages of one conversation that are read."""
PERSON, ASSISTANT = "user", "assistant"


class _Message(NamedTuple):
    """One message: `user` or `assistant`, its text, and its time."""

    role: str
    text: str
    time: str


def parse_claude(document: Json, headings: Sequence[str] = ()) -> StoreContents:
    """Return the conversations of `conversations.json` of claude.ai.

    `headings` name sections of learnings, beside our own.
    """

    def parse(entry: Mapping[str, Json], _number: int) -> _Conversation:
        messages = entry.get("chat_messages")
        if not isinstance(messages, list):
            raise BadEntry("`chat_messages` is not a list")
        return _Conversation(
            require_line(entry, "uuid"),
            read_line(entry, "name"),
            read_text(entry, "summary"),
            read_time(entry, "created_at"),
            read_time(entry, "updated_at"),
            [_read_claude_message(m) for m in messages[:MAX_MESSAGES] if isinstance(m, dict)],
        )

    return _parse(document, StoreFormat.CLAUDE, parse, headings)


def parse_chatgpt(document: Json, headings: Sequence[str] = ()) -> StoreContents:
    """Return the conversations of `conversations.json` of ChatGPT: the branch shown last.

    `headings` name sections of learnings, beside our own.
    """

    def parse(entry: Mapping[str, Json], _number: int) -> _Conversation:
        return _Conversation(
            require_line(entry, "conversation_id", "id"),
            read_line(entry, "title"),
            "",
            read_time(entry, "create_time"),
            read_time(entry, "update_time"),
            list(_iter_branch(entry)),
        )

    return _parse(document, StoreFormat.CHATGPT, parse, headings)


class _Conversation(NamedTuple):
    """One conversation, with the messages in order."""

    ident: str
    name: str
    summary: str
    started: str
    ended: str
    messages: Sequence[_Message]


def _parse(
    document: Json,
    form: StoreFormat,
    parse: Callable[[Mapping[str, Json], int], _Conversation],
    headings: Sequence[str],
) -> StoreContents:
    broken: list[BrokenEntry] = []
    conversations = parse_entries(document, "", parse, broken)
    memories = (each for talk in conversations for each in _find_memories(talk, form, headings))
    by_origin = {memory.origin: memory for memory in memories}
    sessions = tuple(_make_session(talk, form) for talk in conversations if talk.messages)
    return StoreContents(form, tuple(by_origin.values()), sessions, broken=tuple(broken))


def _make_session(talk: _Conversation, form: StoreFormat) -> StoredSession:
    return StoredSession(
        f"{form}:{talk.ident}",
        started=talk.started or next((each.time for each in talk.messages if each.time), ""),
        ended=talk.ended or next((m.time for m in reversed(talk.messages) if m.time), ""),
        summary=_make_summary(talk),
    )


def _make_summary(talk: _Conversation) -> str:
    """Return the name and summary of a conversation; without a summary, its beginning."""
    parts = [to_one_line(talk.name)]
    if talk.summary.strip():
        parts.append(talk.summary.strip())
    else:
        for role, label in ((PERSON, "Question"), (ASSISTANT, "Answer")):
            first = next((m.text for m in talk.messages if m.role == role and m.text.strip()), "")
            parts += [f"{label}: {truncate_line(first, MAX_QUOTED_CHARS)}"] if first else []
    text = "\n\n".join(filter(None, parts))
    return (
        text
        if len(text) <= MAX_SESSION_SUMMARY_CHARS
        else f"{text[: MAX_SESSION_SUMMARY_CHARS - 1].rstrip()}…"
    )


def _find_memories(
    talk: _Conversation, form: StoreFormat, headings: Sequence[str]
) -> Iterator[StoredMemory]:
    """Yield what the answers list as learned; the text is part of the origin."""
    for message in talk.messages:
        if message.role != ASSISTANT:
            continue
        shown = strip_emitted_text(redact_private(message.text))  # before it is split into items
        for text in extract_learnings(shown, headings):
            digest = sha256(" ".join(text.lower().split()).encode()).hexdigest()[:12]
            yield StoredMemory(
                origin=f"{form}:{talk.ident}/{digest}",
                title=make_title(text),
                content=text,
                type=PASSIVE_TYPE,
                session_id=f"{form}:{talk.ident}",
                tool=form.value,
                created=message.time or talk.started,
            )


def _read_claude_message(message: Mapping[str, Json]) -> _Message:
    """Return a message; parts that are not text, such as tool calls, are left out."""
    parts = message.get("content")
    texts = [
        part.get("text")
        for part in (parts if isinstance(parts, list) else ())
        if isinstance(part, dict) and part.get("type") == "text"
    ]
    whole = "\n".join(text for text in texts if isinstance(text, str)) or message.get("text")
    role = PERSON if message.get("sender") in ("human", "user") else ASSISTANT
    text = to_valid_text(whole) if isinstance(whole, str) else ""
    return _Message(role, text, read_time(message, "created_at"))


def _iter_branch(entry: Mapping[str, Json]) -> Iterator[_Message]:
    """Yield the messages from the root to the current node; a node is visited once."""
    nodes = entry.get("mapping")
    if not isinstance(nodes, dict):
        raise BadEntry("`mapping` is not an object")
    at, path = entry.get("current_node") or _find_last_node(nodes), dict[str, object]()
    while isinstance(at, str) and at not in path and len(path) < MAX_MESSAGES:
        node = nodes.get(at)
        if not isinstance(node, dict):
            break
        path[at] = node.get("message")
        at = node.get("parent")
    for message in reversed(path.values()):
        if isinstance(message, dict) and (read := _read_chatgpt_message(message)):
            yield read


def _find_last_node(nodes: Mapping[str, Json]) -> str:
    """Return the newest node without children, for exports that do not name the current one."""
    leaves = (
        (to_utc_time(message.get("create_time")) if isinstance(message, dict) else "", name)
        for name, node in nodes.items()
        if isinstance(node, dict) and not node.get("children")
        for message in (node.get("message"),)
    )
    return max(leaves, default=("", ""))[1]


def _read_chatgpt_message(message: Mapping[str, Json]) -> _Message | None:
    """Return a message of the person or the model; None for tools, system texts and images."""
    author, content = message.get("author"), message.get("content")
    role = author.get("role") if isinstance(author, dict) else None
    parts = content.get("parts") if isinstance(content, dict) else None
    if role not in {PERSON, ASSISTANT} or not isinstance(parts, list):
        return None
    text = to_valid_text("\n".join(part for part in parts if isinstance(part, str)))
    return _Message(str(role), text, read_time(message, "create_time")) if text.strip() else None
