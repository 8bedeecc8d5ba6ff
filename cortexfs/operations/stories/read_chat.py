"""Read the messages of a story as a person reads them: in pages, with what was changed."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.find.row_facets import RowFacets
from cortexfs.core.stories.chat_record import find_edited_numbers
from cortexfs.operations.shared.resolve_names import require_project
from cortexfs.operations.stories.read_parsed_files import read_chunk_rows
from cortexfs.operations.stories.read_story_record import read_story_record
from cortexfs.operations.stories.story_record import require_record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from cortexfs.core.stories.chat_record import ChatRecord, RecordedMessage
    from cortexfs.core.stories.chunk_row import ChunkRow
    from cortexfs.session.session import Session

MESSAGES_PER_PAGE = 50
CHAT_FACETS = ("speaker", "mark")


class ChatMessage(NamedTuple):
    """A message, whether an earlier text of it is in the record, and the chunk it belongs to.

    `place` counts the messages from 0, deleted ones too.
    """

    entry: RecordedMessage
    place: int
    is_edited: bool
    chunk: ChunkRow | None

    @property
    def marks(self) -> tuple[str, ...]:
        """What has become of it: `swiped`, `edited`, `deleted`."""
        marks = (
            ("swiped", bool(self.entry.message.swiped)),
            ("edited", self.is_edited and not self.entry.is_deleted),
            ("deleted", self.entry.is_deleted),
        )
        return tuple(name for name, is_set in marks if is_set)


class ChatFilter(NamedTuple):
    """Which messages; empty fields are any. `page` counts from 1."""

    text: str = ""
    speaker: str = ""
    mark: str = ""
    page: int = 1


class ChatSelection(NamedTuple):
    """A page of the messages that match, the number of all that do, and the counts by facet."""

    messages: Sequence[ChatMessage]
    total: int
    facets: Mapping[str, Sequence[tuple[str, int]]]


def read_chat(session: Session, project: str, name: str) -> list[ChatMessage]:
    """Return all messages of a story, in order; raise as `describe_story` does."""
    with session.read() as view:
        require_project(view, project)
        record = read_story_record(view, project, name)
        edited = find_edited_numbers(require_record(view, project, name).text)
        rows = [row for row in read_chunk_rows(session, view, project) if row.story == name]
    starts = [row.first for row in rows]
    found: list[ChatMessage] = []
    for place, (entry, number) in enumerate(_iter_places(record)):
        row = rows[at] if (at := bisect_right(starts, number) - 1) >= 0 else None
        is_in = row is not None and number <= row.last
        found.append(ChatMessage(entry, place, entry.number in edited, row if is_in else None))
    return found


def _iter_places(record: ChatRecord) -> Iterator[tuple[RecordedMessage, int]]:
    """Yield each message with its number, or with that of the one that it was put after."""
    places: dict[int, int] = {}
    for entry in record.entries:
        number = places.get(entry.after, entry.number) if entry.after else 1
        places[entry.number] = number
        yield entry, number


def find_message_page(messages: Sequence[ChatMessage], number: int) -> int:
    """Return the page on which the message with a number is, among all; the first if none."""
    places = (each.place for each in messages if each.entry.number == number)
    return next(places, 0) // MESSAGES_PER_PAGE + 1


def select_messages(messages: Sequence[ChatMessage], wanted: ChatFilter) -> ChatSelection:
    """Return a page of the messages that match; a text may be in what was swiped away too."""
    needle = wanted.text.casefold()
    near = [each for each in messages if _has_text(each, needle)] if needle else messages
    chosen = _FACETS.select_rows(near, wanted)
    start = (wanted.page - 1) * MESSAGES_PER_PAGE
    facets = _FACETS.count_values(near, wanted)
    return ChatSelection(chosen[start : start + MESSAGES_PER_PAGE], len(chosen), facets)


def _has_text(message: ChatMessage, needle: str) -> bool:
    said = message.entry.message
    return needle in said.text.casefold() or any(needle in each.casefold() for each in said.swiped)


def _values(message: ChatMessage, name: str) -> tuple[str, ...]:
    return (message.entry.message.speaker,) if name == "speaker" else message.marks


_FACETS = RowFacets(CHAT_FACETS, _values)
