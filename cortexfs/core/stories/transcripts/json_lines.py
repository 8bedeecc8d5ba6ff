"""Transcripts of one JSON object for each line: our record, SillyTavern, Claude Code."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from cortexfs.core.stores.json_fields import BadEntry, Json, to_utc_time
from cortexfs.core.stories.message import Message
from cortexfs.core.stories.transcripts.transcript import (
    ASSISTANT,
    MAX_REFUSALS,
    SYSTEM,
    USER,
    USER_SPEAKER,
    Conversation,
    RefusedLine,
    clean_message,
    join_blocks,
    read_object,
    read_string,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    ParseLine = Callable[[Mapping[str, Json]], Message | None]

_TAVERN_DATES = ("%B %d, %Y %I:%M%p", "%B %d, %Y %I:%M %p", "%Y-%m-%d @%Hh %Mm %Ss")
_TAVERN_MILLISECONDS = re.compile(r" ?\d{1,3}ms$")
_TAVERN_TIGHT = re.compile(r"(\d) ?@(\d{1,2}h) ?(\d{1,2}m) ?(\d{1,2}s)$")
_CODE_TITLE_CHARS = 80


def iter_json_lines(text: str, refused: list[RefusedLine]) -> Iterator[tuple[int, Json]]:
    """Yield the number and the value of each line; one that is no JSON object is refused."""
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            value = None
        if isinstance(value, dict):
            yield number, value
        else:
            refuse(refused, number, "it is not a JSON object")


def refuse(refused: list[RefusedLine], line: int, reason: str) -> None:
    """Note a refused line, up to a limit."""
    if len(refused) < MAX_REFUSALS:
        refused.append(RefusedLine(line, reason))


def parse_record_lines(text: str, refused: list[RefusedLine]) -> list[Conversation]:
    """Return the conversation of a record of ours: its current messages."""
    from cortexfs.core.stories.chat_record import parse_record  # noqa: PLC0415 - it imports this package

    record = parse_record(text)
    for broken in record.broken:
        refuse(refused, broken.line, broken.reason)
    messages = [cleaned for each in record.messages if (cleaned := _clean_recorded(each))]
    return [Conversation("", tuple(messages))]


def _clean_recorded(message: Message) -> Message | None:
    """Return a message of a record, which may come from elsewhere; None if it is too long."""
    try:
        return clean_message(message)
    except BadEntry:
        return None


def parse_sillytavern(text: str, refused: list[RefusedLine]) -> list[Conversation]:
    """Return the conversation of a chat file of SillyTavern; its first line is a header."""

    def parse(entry: Mapping[str, Json]) -> Message | None:
        if "mes" not in entry:
            if "chat_metadata" in entry or "user_name" in entry:
                return None
            raise BadEntry("it has no `mes`")
        said = read_string(entry, "mes")
        swipes = entry.get("swipes")
        others = swipes if isinstance(swipes, list) else []
        is_narrator = read_object(entry.get("extra")).get("type") == "narrator"
        role = USER if entry.get("is_user") is True else ASSISTANT
        if entry.get("is_system") is True or is_narrator:
            role = SYSTEM
        swiped = tuple(each for each in others if isinstance(each, str))
        time = _read_tavern_time(entry.get("send_date"))
        return clean_message(Message("", time, read_string(entry, "name"), role, said, swiped))

    return [_parse_lines(text, refused, parse)]


def parse_claude_code(text: str, refused: list[RefusedLine]) -> list[Conversation]:
    """Return the conversation of a transcript of Claude Code: what was typed and answered.

    Calls of tools, their results, sub-agents and what the program itself inserted are left out.
    Lines with parts of one answer become one message.
    """
    title, said, answers = "", list[tuple[Message, list[str]]](), dict[str, list[str]]()
    for number, entry in iter_json_lines(text, refused):
        line = read_object(entry)
        title = title or read_string(line, "summary", "customTitle", "aiTitle")
        try:
            message = _read_code_message(line) if _is_talk(line) else None
        except BadEntry as error:
            refuse(refused, number, str(error))
            continue
        answer = read_string(read_object(line.get("message")), "id")
        if message and answer in answers:
            answers[answer].append(message.text)
        elif message:
            said.append((message, [message.text]))
            answers |= {answer: said[-1][1]} if answer else {}
    messages = (message._replace(text="\n\n".join(texts)) for message, texts in said)
    return [Conversation(title[:_CODE_TITLE_CHARS], tuple(messages))]


def _is_talk(line: Mapping[str, Json]) -> bool:
    """Return whether a line has what somebody typed, or an answer to it."""
    is_hidden = line.get("isMeta") is True or line.get("isSidechain") is True
    return read_string(line, "type") in {USER, ASSISTANT} and not is_hidden


def _read_code_message(line: Mapping[str, Json]) -> Message | None:
    said = read_object(line.get("message"))
    if not said:
        raise BadEntry("it has no `message`")
    role = str(line.get("type"))
    return clean_message(
        Message(
            read_string(line, "uuid"),
            to_utc_time(line.get("timestamp")),
            USER_SPEAKER if role == USER else "Claude",
            role,
            join_blocks(said.get("content")),
        )
    )


def _parse_lines(text: str, refused: list[RefusedLine], parse: ParseLine) -> Conversation:
    """Return the conversation of the messages of each line."""
    messages: list[Message] = []
    for number, entry in iter_json_lines(text, refused):
        try:
            message = parse(read_object(entry))
        except BadEntry as error:
            refuse(refused, number, str(error))
        else:
            messages += [message] if message else []
    return Conversation("", tuple(messages))


def _read_tavern_time(value: Json) -> str:
    """Return a time of SillyTavern in any of its forms, taken as UTC."""
    if not isinstance(value, str):
        return to_utc_time(value)
    typed = _TAVERN_MILLISECONDS.sub("", value.strip())
    typed = _TAVERN_TIGHT.sub(r"\1 @\2 \3 \4", typed)
    if typed.isdecimal():
        return to_utc_time(int(typed)) if len(typed) <= len("1700000000000") else ""
    for form in _TAVERN_DATES:
        try:
            moment = datetime.strptime(typed, form).replace(tzinfo=UTC)
        except ValueError:
            continue
        return to_utc_time(moment.isoformat())
    return to_utc_time(value)
