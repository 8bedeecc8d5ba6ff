"""The record of a chat: one JSON object for each line, to which lines are only added.

A message has a number that never changes. A later line with the same number supersedes an earlier
one: the text was edited or swiped, or the message was deleted. A message that was inserted names
the number of the one before it.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.stories.message import Message
from cortexfs.core.stories.transcripts.transcript import strip_escapes
from cortexfs.core.text.sanitize import to_one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

AT_THE_END = -1
"""The place of a message that was not inserted."""
MAX_NUMBER = 999_999_999
"""The highest number of a message."""
MAX_BROKEN = 100
"""Maximum number of broken lines that are reported one by one."""

LINE_START = '{"n":'
"""How each line begins that we have written."""
_ESCAPED = re.compile(r"\\[bfru]")
"""What a line has that has control characters: ours has none, but a record comes from anywhere."""
_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


class RecordedMessage(NamedTuple):
    """A message in its record: its number, and the number of the message that it was put after.

    `after` is 0 for the beginning. A deleted message keeps its place.
    """

    number: int
    message: Message
    after: int = AT_THE_END
    is_deleted: bool = False


class BrokenLine(NamedTuple):
    """A line of a record that cannot be read, from 1, and why."""

    line: int
    reason: str


class ChatRecord(NamedTuple):
    """The messages of a record in their order, deleted ones too, and the lines that are broken."""

    entries: tuple[RecordedMessage, ...] = ()
    broken: tuple[BrokenLine, ...] = ()

    @property
    def messages(self) -> list[Message]:
        """The current messages, in order."""
        return [entry.message for entry in self.entries if not entry.is_deleted]

    @property
    def is_whole(self) -> bool:
        """Whether the first message ever is there, and not only the end of a record."""
        return not self.entries or any(entry.number == 1 for entry in self.entries)

    @property
    def last_number(self) -> int:
        """The highest number of a message; 0 if there is none."""
        return max((entry.number for entry in self.entries), default=0)


def parse_record(text: str) -> ChatRecord:
    """Return the messages of a record; a line that cannot be read is left out and reported."""
    latest: dict[int, RecordedMessage] = {}
    broken: list[BrokenLine] = []
    for line_number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        entry = _parse_line(line)
        if isinstance(entry, str):
            if len(broken) < MAX_BROKEN:
                broken.append(BrokenLine(line_number, entry))
            continue
        known = latest.get(entry.number)
        latest[entry.number] = entry._replace(after=known.after) if known else entry
    return ChatRecord(tuple(_put_in_order(latest)), tuple(broken))


def add_entries(record: ChatRecord, added: Iterable[RecordedMessage]) -> ChatRecord:
    """Return a record to which lines are added; they supersede those with the same number."""
    latest = {entry.number: entry for entry in (*record.entries, *added)}
    return ChatRecord(tuple(_put_in_order(latest)), record.broken)


def find_edited_numbers(text: str) -> frozenset[int]:
    """Return the numbers of the messages of which a record has several lines."""
    seen = set[int]()
    edited = set[int]()
    for line in text.split("\n"):
        number = _read_line_number(line)
        (edited if number in seen else seen).add(number)
    return frozenset(edited - {AT_THE_END})


def format_record_line(entry: RecordedMessage) -> str:
    """Return the line of a message, with its line end."""
    message = entry.message
    fields: dict[str, object] = {"n": entry.number}
    if entry.after != AT_THE_END:
        fields["after"] = entry.after
    fields |= {"id": message.ident, "time": message.time, "speaker": message.speaker}
    fields |= {"role": message.role, "text": message.text}
    if message.swiped:
        fields["swiped"] = message.swiped
    if entry.is_deleted:
        fields = {"n": entry.number, "id": message.ident, "deleted": True}
    return f"{_encode(fields)}\n"


def _parse_line(line: str) -> RecordedMessage | str:
    """Return the message of a line; the reason why it cannot be read as text."""
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError):
        return "it is not JSON"
    if not isinstance(fields, dict):
        return "it is not an object"
    if (number := _read_number(fields, "n")) < 1:
        return "`n` is not a number"
    ident, time, speaker, role, text = (
        fields.get(key, "") for key in ("id", "time", "speaker", "role", "text")
    )
    swiped = fields.get("swiped", [])
    texts = (ident, time, speaker, role, text, *(swiped if isinstance(swiped, list) else [None]))
    if not all(isinstance(each, str) for each in texts):
        return "a field is not text"
    message = _clean(Message(ident, time, speaker, role, text, tuple(swiped)), line)
    is_deleted = fields.get("deleted") is True
    if not is_deleted and not message.text:
        return "`text` is missing"
    return RecordedMessage(number, message, _read_number(fields, "after"), is_deleted)


def _clean(message: Message, line: str) -> Message:
    """Return a message without control characters, and with what stands on one line on one line."""
    if _ESCAPED.search(line):
        swiped = tuple(map(strip_escapes, message.swiped))
        message = message._replace(text=strip_escapes(message.text), swiped=swiped)
    if f"{message.ident}{message.time}{message.speaker}{message.role}".isprintable():
        return message
    ident, time, speaker, role = map(to_one_line, message[:4])
    return Message(ident, time, speaker, role, message.text, message.swiped)


def _read_line_number(line: str) -> int:
    """Return the number of the message of a line; `AT_THE_END` if it has none."""
    start = line[len(LINE_START) : line.find(",")]
    if line.startswith(LINE_START) and start.isdecimal() and start.isascii():
        return int(start[:10])
    entry = _parse_line(line)
    return entry.number if isinstance(entry, RecordedMessage) else AT_THE_END


def _read_number(fields: Mapping[str, object], key: str) -> int:
    """Return a number of a line; `AT_THE_END` if it has none."""
    value = fields.get(key)
    is_number = isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MAX_NUMBER
    return value if is_number and isinstance(value, int) else AT_THE_END


def _put_in_order(latest: Mapping[int, RecordedMessage]) -> Iterable[RecordedMessage]:
    """Return the messages by number, each inserted one right after the one that it names."""
    ordered = [latest[number] for number in sorted(latest)]
    if all(entry.after == AT_THE_END for entry in ordered):
        return ordered
    following: dict[int, list[int]] = {}
    for entry in ordered:
        if _is_inserted(entry, latest):
            following.setdefault(entry.after, []).append(entry.number)
    placed: list[RecordedMessage] = []
    roots = [entry.number for entry in ordered if not _is_inserted(entry, latest)]
    pending = [*reversed(roots), *following.get(0, [])]
    while pending:
        number = pending.pop()
        placed.append(latest[number])
        pending += following.get(number, [])  # the one that was inserted last comes first
    return placed


def _is_inserted(entry: RecordedMessage, latest: Mapping[int, RecordedMessage]) -> bool:
    """Return whether a message was put after an earlier one that the record has."""
    return entry.after == 0 or (0 < entry.after < entry.number and entry.after in latest)
