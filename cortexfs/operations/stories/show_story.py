"""Show what was said in a story, message by message."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.stories.chat_record import AT_THE_END, parse_record
from cortexfs.operations.shared.resolve_names import require_project
from cortexfs.operations.stories.story_record import require_record

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cortexfs.core.stories.chat_record import RecordedMessage
    from cortexfs.session.session import Session


class MessageRange(NamedTuple):
    """The numbers of the first and the last message, and how many of the last ones (0: all)."""

    first: int = 0
    last: int = 0
    limit: int = 0


ALL_MESSAGES = MessageRange()


class ShownStory(NamedTuple):
    """The messages of a part of a story, and how many it has."""

    story: str
    total: int
    messages: tuple[RecordedMessage, ...]


def show_story(
    session: Session, project: str, name: str, wanted: MessageRange = ALL_MESSAGES
) -> ShownStory:
    """Return the messages of a story in their order, without those that were deleted.

    A message that was inserted belongs to the one before it. Raises `Refused` for an unknown story.
    """
    with session.read() as view:
        require_project(view, project)
        record = parse_record(require_record(view, project, name).text)
    entries = [entry for entry in record.entries if not entry.is_deleted]
    chosen = list(_select(entries, wanted))
    return ShownStory(name, len(entries), tuple(chosen[-wanted.limit :]))


def _select(entries: list[RecordedMessage], wanted: MessageRange) -> Iterator[RecordedMessage]:
    """Yield the messages from one number to another, with those that were put after them."""
    last = wanted.last or max((entry.number for entry in entries), default=0)
    place = 0
    for entry in entries:
        place = max(place, entry.number) if entry.after == AT_THE_END else place
        if any(wanted.first <= number <= last for number in (place, entry.number)):
            yield entry
