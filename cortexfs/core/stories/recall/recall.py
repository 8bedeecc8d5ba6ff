"""What is asked of a story's memory, and what it recalls."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.stories.recall.choose_excerpt import MAX_MESSAGES

if TYPE_CHECKING:
    from cortexfs.core.stories.message import Message
    from cortexfs.core.stories.read_entity_file import KnownEntity
    from cortexfs.core.stories.recall.choose_excerpt import RecalledMessage
    from cortexfs.core.stories.recall.score_memory import ScorePart


class RecallQuery(NamedTuple):
    """What was said last, oldest first, or a typed question as one message without speaker.

    Without messages the last ones of the story are meant.

    `budget` (in tokens) and `memories` are those of the settings if 0. The last `visible` messages
    of the record are in the prompt as they are, and so are those of `messages` that it has:
    they are not recalled. With `record_reads` a recalled chunk counts as read.
    """

    messages: tuple[Message, ...]
    budget: int = 0
    memories: int = 0
    record_reads: bool = True
    visible: int = 0
    shown: int = MAX_MESSAGES
    """Maximum number of messages of the excerpt of a memory."""


class RecalledMemory(NamedTuple):
    """A memory: the part of the story it is of, what was said, and why it was recalled.

    `distance` counts the messages between its end and the end of the record. `excerpt` has the
    messages that match best. `parts` add up to `score`. `time` is when it began, or empty.
    """

    ref: str
    first: int
    last: int
    distance: int
    time: str
    text: str
    score: float
    parts: tuple[ScorePart, ...]
    salience: float
    is_core: bool
    emotions: tuple[str, ...]
    flags: tuple[str, ...]
    entities: tuple[str, ...]
    speakers: tuple[str, ...]
    excerpt: tuple[RecalledMessage, ...] = ()


class RecalledArc(NamedTuple):
    """A summary of a part of the story: its id, its title, its text, its first and last message."""

    ref: str
    title: str
    text: str
    first: int
    last: int


class Recall(NamedTuple):
    """What matters of a story: memories, best first, the entities concerned, the current arcs."""

    story: str
    messages: int
    memories: tuple[RecalledMemory, ...]
    entities: tuple[KnownEntity, ...]
    arcs: tuple[RecalledArc, ...]
