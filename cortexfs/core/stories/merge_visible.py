"""What a record gets from the part of a chat that a front end sends with each question.

A front end sends what its model is to see: the beginning may be cut off, messages may be hidden,
another chat may have the same greeting. What is missing is therefore not always deleted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.stories.chat_record import RecordedMessage
from cortexfs.core.stories.merge_messages import RecordChanges, match_messages, merge_messages
from cortexfs.core.stories.transcripts.transcript import MAX_SWIPES, USER

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cortexfs.core.stories.chat_record import ChatRecord
    from cortexfs.core.stories.message import Message

    Pair = tuple[int, int]

MAX_DELETED = 2
"""Messages in a row that are deleted because a request leaves them out; more are hidden."""
ENOUGH_CHARS, OWN_WEIGHT = 60, 2
"""What two chats must share to be one although they differ: characters, a user's own count twice.

"hi" and "Hello! How can I help you today?" begin many chats.
"""


class VisibleChat(NamedTuple):
    """The messages of a request in order; with `has_answer` the last one answers it."""

    messages: tuple[Message, ...]
    has_answer: bool = False


class _Overlap(NamedTuple):
    """The messages of a record, those of a request from where both agree, and the equal ones."""

    known: list[RecordedMessage]
    visible: Sequence[Message]
    pairs: list[Pair]

    @property
    def lost(self) -> int:
        """The number of messages at the end of the record that the request replaces by none."""
        last_known, last_visible = self.pairs[-1]
        ending = max(1, len(self.visible) - last_visible - 1)  # an answer may be missing yet
        return max(0, len(self.known) - last_known - 1 - ending)


def has_overlap(record: ChatRecord, chat: VisibleChat) -> bool:
    """Return whether a chat goes on with a record, or with the end of one."""
    return _find_overlap(record, chat) is not None


def count_shared(record: ChatRecord, chat: VisibleChat) -> int:
    """Return how many messages a chat shares with a record; 0 if it does not go on with it.

    A greeting alone, which many chats have, is not enough. Few short words are only if nothing of
    the record is replaced but its last answer.
    """
    overlap = _find_overlap(record, chat)
    if overlap is None or all(overlap.visible[at].role != USER for _, at in overlap.pairs):
        return 0
    is_same = _weigh_shared(overlap) >= ENOUGH_CHARS or _has_whole(overlap, record, chat)
    return len(overlap.pairs) if is_same else 0


def _weigh_shared(overlap: _Overlap) -> int:
    """Return the characters that are shared, without the greeting of an assistant."""
    first = next(at for at, each in enumerate(overlap.visible) if each.role == USER)
    shared = [overlap.visible[at] for _, at in overlap.pairs if at >= first]
    return sum(len(each.text) * (OWN_WEIGHT if each.role == USER else 1) for each in shared)


def _has_whole(overlap: _Overlap, record: ChatRecord, chat: VisibleChat) -> bool:
    """Return whether a chat has all messages of a record, but perhaps for its last answer."""
    count = len(overlap.pairs)
    left = overlap.known[count:]
    return (
        record.is_whole
        and len(overlap.visible) == len(chat.messages)
        and overlap.pairs == [(at, at) for at in range(count)]
        and all(each.message.role != USER for each in left)
        and len(left) <= 1
    )


def merge_visible(record: ChatRecord, chat: VisibleChat) -> RecordChanges:
    """Return what a record gets from a chat; a chat that does not go on with it follows it.

    A regenerated answer keeps the former one as `swiped`.
    """
    overlap = _find_overlap(record, chat)
    if overlap is None:
        return _append(record, chat.messages)
    changes = merge_messages(record, overlap.visible)
    has_same_question = overlap.pairs[-1][1] == len(overlap.visible) - 2
    answer = chat.messages[-1] if chat.has_answer and has_same_question else None
    before = {entry.number: entry.message for entry in overlap.known}
    entries = tuple(_keep_swipes(changes.entries, before, answer))
    added, deleted = changes.added, changes.deleted
    return changes._replace(entries=entries, changed=len(entries) - added - deleted)


def _find_overlap(record: ChatRecord, chat: VisibleChat) -> _Overlap | None:
    """Return where a chat goes on with a record; None if it replaces more than it shares."""
    known = [entry for entry in record.entries if not entry.is_deleted]
    pairs = match_messages(known, chat.messages)
    if not pairs:
        return None
    first = _find_first_pair(pairs)
    start = pairs[first][1]
    if first == 0 and pairs[0][0] <= start and record.is_whole:
        start = 0  # the beginning is visible, and may be edited
    kept = [(old, new - start) for old, new in pairs[first:]]
    overlap = _Overlap(known, chat.messages[start:], kept)
    return overlap if overlap.lost < len(kept) else None


def _find_first_pair(pairs: Sequence[Pair]) -> int:
    """Return the first pair after the last place where a chat leaves out more than is deleted."""
    first = 0
    for at in range(1, len(pairs)):
        (old, new), (next_old, next_new) = pairs[at - 1 : at + 1]
        if (next_old - old) - (next_new - new) > MAX_DELETED:
            first = at
    return first


def _append(record: ChatRecord, messages: Sequence[Message]) -> RecordChanges:
    numbered = enumerate(messages, record.last_number + 1)
    entries = tuple(
        RecordedMessage(number, each._replace(ident=f"m{number}")) for number, each in numbered
    )
    return RecordChanges(entries, len(entries))


def _keep_swipes(
    entries: Iterable[RecordedMessage], before: dict[int, Message], answer: Message | None
) -> Iterable[RecordedMessage]:
    """Yield entries with the swipes of their message; those that then change nothing are left out.

    A request does not say when an old message was sent, nor what else was generated in its place.
    """
    for entry in entries:
        known, new = before.get(entry.number), entry.message
        if known is None or entry.is_deleted:
            yield entry
            continue
        is_answer = answer is not None and new.text == answer.text and new.time == answer.time
        swiped = list(known.swiped)
        is_other = is_answer and not new.text.startswith(known.text)
        if new.text != known.text and (is_other or new.text in swiped):
            swiped = [each for each in swiped if each != new.text] + [known.text]
        swiped += [each for each in new.swiped if each not in swiped]
        time = known.time if new.text == known.text else new.time
        changed = new._replace(swiped=tuple(swiped[-MAX_SWIPES:]), time=time)
        if changed != known:
            yield entry._replace(message=changed)
