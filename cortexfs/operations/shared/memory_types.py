"""What the operations on agent memory take and return."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.changes.plan import Plan
from cortexfs.core.memory.memory_record import DEFAULT_TYPE, PROJECT_SCOPE

if TYPE_CHECKING:
    from cortexfs.core.changes.plan import Outcome
    from cortexfs.core.find.search_notes import SearchNotes
    from cortexfs.core.memory.memory_record import MemoryRecord, PromptRecord, SessionRecord
    from cortexfs.core.memory.relations import Relation


class MemoryDraft(NamedTuple):
    """A memory to save; with `only_if_new`, not if its project already has the content."""

    title: str
    content: str
    type: str = DEFAULT_TYPE
    project: str = ""
    scope: str = PROJECT_SCOPE
    topic_key: str = ""
    session_id: str = ""
    tags: tuple[str, ...] = ()
    tool: str = ""
    only_if_new: bool = False


class SaveAction(StrEnum):
    """What saving a memory did."""

    CREATED = "created"
    UPDATED = "updated"
    """The memory with the same topic key has the new text."""
    DUPLICATE = "duplicate"
    """The same was saved a short time ago: it was counted."""
    KNOWN = "known"
    """The project already has the content; nothing was written."""


class SavedMemory(NamedTuple):
    """A saved memory; the suggested topic key is empty if the draft had one."""

    record: MemoryRecord
    action: SaveAction
    suggested_topic_key: str
    plan: Plan = Plan("")
    outcome: Outcome | None = None


class MemoryHit(NamedTuple):
    """One match of a search; a higher rank is better."""

    record: MemoryRecord
    rank: float


class MemorySearch(NamedTuple):
    """The matches, best first, how they were found, and what to say beside them."""

    hits: list[MemoryHit]
    found_by: str
    notes: SearchNotes


class MemoryStats(NamedTuple):
    """The number of sessions, memories and prompts, and the projects that have some."""

    sessions: int
    memories: int
    prompts: int
    projects: list[str]


class MemoryContext(NamedTuple):
    """What was done lately, each part latest first."""

    sessions: list[SessionRecord]
    prompts: list[PromptRecord]
    memories: list[MemoryRecord]
    stats: MemoryStats


class MemoryChanges(NamedTuple):
    """The changes to a memory; None leaves a part as it is."""

    title: str | None = None
    content: str | None = None
    type: str | None = None
    project: str | None = None
    scope: str | None = None
    topic_key: str | None = None


class SavedRecord(NamedTuple):
    """A changed memory."""

    record: MemoryRecord
    plan: Plan
    outcome: Outcome | None = None


class SavedSession(NamedTuple):
    """A started or ended session."""

    record: SessionRecord
    plan: Plan
    outcome: Outcome | None = None


class SavedPrompt(NamedTuple):
    """A saved prompt."""

    record: PromptRecord
    plan: Plan
    outcome: Outcome | None = None


class CaptureResult(NamedTuple):
    """The number of learnings in a text, of those saved, and of those that were known."""

    extracted: int
    saved: int
    duplicates: int


class CreatedRelation(NamedTuple):
    """A relation between two memories."""

    from_number: int
    to_number: int
    relation: Relation
    edge_id: int
    plan: Plan
    outcome: Outcome | None = None


class RelatedMemory(NamedTuple):
    """A related memory, and its distance in relations."""

    record: MemoryRecord
    distance: int


class SessionList(NamedTuple):
    """Sessions, those that are active first, then the newest first; `total` counts all."""

    sessions: list[SessionRecord]
    total: int


class SessionContents(NamedTuple):
    """A session with its memories and prompts, the oldest first."""

    session: SessionRecord
    memories: list[MemoryRecord]
    prompts: list[PromptRecord]


class MemoryTimeline(NamedTuple):
    """The memories of a session around one of them, in the order in which they were saved."""

    session: SessionRecord | None
    total: int
    before: list[MemoryRecord]
    focus: MemoryRecord
    after: list[MemoryRecord]
