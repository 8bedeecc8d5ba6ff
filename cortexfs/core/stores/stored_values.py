"""What a store of another program contains: memories, sessions, prompts, broken entries."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from cortexfs.core.memory.memory_record import DEFAULT_TYPE, PROJECT_SCOPE


class StoreFormat(StrEnum):
    """The format of a store."""

    CORTEXFS = "cortexfs"
    """An export of this program."""
    ENGRAM = "engram"
    """An export of engram, or of Cortex in Go: `sessions`, `observations`, `prompts`."""
    MEM0 = "mem0"
    MEMORY_JSON = "memory-json"
    """The file of the MCP reference server: entities and relations."""
    CLAUDE = "claude"
    """The conversations of an export of claude.ai."""
    CHATGPT = "chatgpt"
    """The conversations of an export of ChatGPT."""


class StoredRelation(NamedTuple):
    """A relation to another memory of the same store, which its origin names."""

    type: str
    target: str
    weight: float = 1.0


class StoredMemory(NamedTuple):
    """One memory of a store.

    `origin` names it among all memories of all stores: `engram:41`. `has_local_id` means that
    another machine's store may use the same number for another memory. Times are in UTC,
    `2026-05-06T20:31:10Z`, or empty.
    """

    origin: str
    title: str
    content: str
    type: str = DEFAULT_TYPE
    project: str = ""
    scope: str = PROJECT_SCOPE
    topic_key: str = ""
    session_id: str = ""
    tool: str = ""
    tags: tuple[str, ...] = ()
    created: str = ""
    last_seen: str = ""
    deleted_at: str = ""
    revision: int = 1
    duplicates: int = 0
    relations: tuple[StoredRelation, ...] = ()
    has_local_id: bool = False


class StoredSession(NamedTuple):
    """One session or conversation, with the id that its client gave it."""

    session_id: str
    project: str = ""
    directory: str = ""
    started: str = ""
    ended: str = ""
    summary: str = ""


class StoredPrompt(NamedTuple):
    """One prompt of a person."""

    content: str
    session_id: str = ""
    project: str = ""
    created: str = ""


class BrokenEntry(NamedTuple):
    """An entry that cannot be read: its place in the file (`observations[3]`), and the reason."""

    place: str
    message: str


class StoreContents(NamedTuple):
    """The contents of a store, in the order of the file."""

    format: StoreFormat
    memories: tuple[StoredMemory, ...] = ()
    sessions: tuple[StoredSession, ...] = ()
    prompts: tuple[StoredPrompt, ...] = ()
    broken: tuple[BrokenEntry, ...] = ()
