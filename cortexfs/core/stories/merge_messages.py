"""What a chat that is imported again adds to its record, and what it changes there."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.stories.chat_record import AT_THE_END, RecordedMessage
from cortexfs.core.text.line_diff import match_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cortexfs.core.stories.chat_record import ChatRecord
    from cortexfs.core.stories.message import Message

KEY_CHARS = 32
MAX_REPLACED = 3
"""A record of at most so many messages may have all of them edited at once."""


class RecordChanges(NamedTuple):
    """The entries that are added to a record, and how many messages are new, changed, deleted.

    `is_unrelated` means that the record has messages, and none of them is among the new ones.
    """

    entries: tuple[RecordedMessage, ...] = ()
    added: int = 0
    changed: int = 0
    deleted: int = 0
    is_unrelated: bool = False


class _Merge(NamedTuple):
    """A merge that is being made: the highest number, and what is added, changed and deleted."""

    last_number: list[int]
    added: list[RecordedMessage]
    changed: list[RecordedMessage]
    deleted: list[RecordedMessage]


def merge_messages(record: ChatRecord, messages: Sequence[Message]) -> RecordChanges:
    """Return what makes a record have these messages; nothing if it has them.

    Messages are compared by their ids or, where the source has none, by speaker and text. Between
    two that both have, the others are paired in order: a pair is an edit. What the record has
    before the first message, or after the last, is kept, unless the new messages end differently.
    """
    known = [entry for entry in record.entries if not entry.is_deleted]
    pairs = match_messages(known, messages)
    merge = _Merge([record.last_number], [], [], [])
    at, new_at = 0, 0
    for old, new in (*pairs, (len(known), len(messages))):
        is_end = old == len(known) and new == len(messages)
        new_gap = messages[new_at:new]
        if at == 0 and not is_end:  # what is before the first message is kept
            at = max(0, old - len(new_gap))
        old_gap = known[at:old]
        if is_end and not new_gap:
            break
        before = known[at - 1].number if at else 0
        _merge_gap(merge, old_gap, new_gap, AT_THE_END if is_end else before)
        if not is_end:
            _supersede(merge, known[old], messages[new])
        at, new_at = old + 1, new + 1
    entries = (*merge.changed, *merge.deleted, *merge.added)
    counts = (len(merge.added), len(merge.changed), len(merge.deleted))
    is_unrelated = len(known) > MAX_REPLACED and bool(messages) and not pairs
    return RecordChanges(tuple(entries), *counts, is_unrelated)


def match_messages(
    known: Sequence[RecordedMessage], messages: Sequence[Message]
) -> list[tuple[int, int]]:
    """Return the pairs of places of equal messages, ascending in both."""
    by_id = _use_ids(known, messages)
    return _match(
        [_make_key(entry.message, by_id=by_id) for entry in known],
        [_make_key(message, by_id=by_id) for message in messages],
    )


def _match(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """Return the pairs of places with equal keys: one block if the record has all of them so."""
    whole, part = "".join(old), "".join(new)
    at = len(whole)
    while part and (at := whole.rfind(part, 0, at + len(part) - 1)) >= 0:
        if at % KEY_CHARS == 0:
            first = at // KEY_CHARS
            return [(first + offset, offset) for offset in range(len(new))]
    return match_lines(old, new)


def _merge_gap(
    merge: _Merge, old: Sequence[RecordedMessage], new: Sequence[Message], before: int
) -> None:
    """Pair the messages of a gap in order, then delete or insert those that are left.

    `before` is the number of the message before the gap; `AT_THE_END` if nothing follows it.
    """
    paired = list(_pair_in_order(old, new))
    for entry, message in paired:
        _supersede(merge, entry, message)
    taken = {entry.number for entry, _ in paired}
    left = (entry for entry in old if entry.number not in taken)
    merge.deleted.extend(entry._replace(is_deleted=True) for entry in left)
    place = paired[-1][0].number if paired and before != AT_THE_END else before
    for message in new[len(paired) :]:
        merge.last_number[0] += 1
        number = merge.last_number[0]
        ident = message.ident or f"m{number}"
        merge.added.append(RecordedMessage(number, message._replace(ident=ident), place))
        place = place if place == AT_THE_END else number


def _pair_in_order(
    old: Sequence[RecordedMessage], new: Sequence[Message]
) -> Iterator[tuple[RecordedMessage, Message]]:
    """Yield the first messages of both, as long as the same speaker says them."""
    for entry, message in zip(old, new, strict=False):
        if entry.message.speaker != message.speaker:
            return
        yield entry, message


def _supersede(merge: _Merge, entry: RecordedMessage, message: Message) -> None:
    """Add the line that changes a message, if it differs; its id stays."""
    known = entry.message
    time = message.time or known.time
    wanted = message._replace(ident=known.ident, time=time)
    if wanted != known:
        merge.changed.append(entry._replace(message=wanted))


def _use_ids(known: Sequence[RecordedMessage], messages: Sequence[Message]) -> bool:
    """Return whether the messages have ids, all different, that the record has too."""
    idents = {message.ident for message in messages}
    if "" in idents or len(idents) < len(messages):
        return False
    return not known or any(entry.message.ident in idents for entry in known)


def _make_key(message: Message, *, by_id: bool) -> str:
    key = message.ident if by_id else f"{message.speaker}\0{message.text}"
    return sha256(key.encode()).hexdigest()[:KEY_CHARS]
