"""Divide the messages of a record into chunks that stay the same when messages are added.

A chunk is a range of numbers: an appended message changes only the last chunk, an edited or deleted
one only its own. An inserted message belongs to the chunk of the message that it was put after.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cortexfs.core.stories.chat_record import RecordedMessage
    from cortexfs.core.stories.message import Message

DEFAULT_CHUNK_SIZE = 8


class Chunk(NamedTuple):
    """A part of a chat: its number, from 1, its first and last message number, its messages.

    The numbers of the messages in it need not be consecutive: then `numbers` has them. Inserted
    messages have numbers of other chunks, so they do not count as first or last; of a chunk with no
    others both are the first number that it could have.
    """

    number: int
    first: int
    last: int
    messages: tuple[Message, ...]
    numbers: tuple[int, ...] = ()


def chunk_messages(
    entries: Iterable[RecordedMessage], size: int = DEFAULT_CHUNK_SIZE
) -> list[Chunk]:
    """Return the chunks of the messages of a record, in order, without those that are empty."""
    chunk_of: dict[int, int] = {}
    parts: dict[int, list[RecordedMessage]] = {}
    for entry in entries:
        own = (entry.number - 1) // size + 1
        number = chunk_of.get(entry.after, own) if entry.after else 1
        chunk_of[entry.number] = number
        if not entry.is_deleted:
            parts.setdefault(number, []).append(entry)
    return [_make_chunk(number, parts[number], size) for number in sorted(parts)]


def _make_chunk(number: int, entries: list[RecordedMessage], size: int) -> Chunk:
    own = [entry.number for entry in entries if (entry.number - 1) // size + 1 == number]
    ends = own or [(number - 1) * size + 1]
    messages = tuple(entry.message for entry in entries)
    first, every = min(ends), tuple(entry.number for entry in entries)
    numbers = () if every == tuple(range(first, first + len(every))) else every
    return Chunk(number, first, max(ends), messages, numbers)
