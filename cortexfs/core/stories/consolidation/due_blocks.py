"""Which messages become a scene, and which scenes an arc: the same whatever was done before.

Blocks are ranges of message numbers, as chunks are. A block is due when the story has gone on far
enough after it; messages that are added, edited or deleted later change no other block.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.kinds import ARC_KIND, SCENE_KIND

if TYPE_CHECKING:
    from cortexfs.core.settings.story_settings import StorySettings


class Block(NamedTuple):
    """The block of a scene or an arc: its number, from 1, its first and last message number."""

    number: int
    first: int
    last: int

    def overlaps(self, first: int, last: int) -> bool:
        """Return whether a range of messages has a message of the block."""
        return first <= self.last and self.first <= last


class DueBlocks(NamedTuple):
    """The blocks that are due of one kind: how many, and how many messages each has."""

    total: int
    span: int

    def find(self, message: int) -> int:
        """Return the number of the block that a message belongs to, due or not."""
        return (message - 1) // self.span + 1

    def block(self, number: int) -> Block:
        """Return a block by its number."""
        return Block(number, (number - 1) * self.span + 1, number * self.span)


def find_due_blocks(last_message: int, settings: StorySettings) -> dict[str, DueBlocks]:
    """Return the due blocks of scenes and arcs of a story whose last chunk has this message.

    A scene is due while `waiting` chunks belong to none; an arc when all its scenes are due.
    """
    rule, size = settings.consolidation, settings.messages_per_chunk
    chunks = (last_message - 1) // size + 1 if last_message else 0
    scenes = max(0, (chunks - rule.waiting) // rule.chunks + 1)
    span = size * rule.chunks
    return {
        SCENE_KIND: DueBlocks(scenes, span),
        ARC_KIND: DueBlocks(scenes // rule.scenes, span * rule.scenes),
    }
