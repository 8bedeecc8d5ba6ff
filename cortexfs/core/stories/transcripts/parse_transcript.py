"""Recognize the format of a transcript by its content, and parse it."""

from __future__ import annotations

import json
from itertools import islice
from typing import TYPE_CHECKING

from cortexfs.core.stores.json_fields import BadEntry, Json
from cortexfs.core.stories.transcripts.json_exports import (
    parse_chatgpt,
    parse_claude,
    parse_discord,
)
from cortexfs.core.stories.transcripts.json_lines import (
    parse_claude_code,
    parse_record_lines,
    parse_sillytavern,
    refuse,
)
from cortexfs.core.stories.transcripts.text_lines import (
    match_plain_line,
    match_whatsapp_line,
    parse_plain,
    parse_whatsapp,
)
from cortexfs.core.stories.transcripts.transcript import (
    Conversation,
    RefusedLine,
    Transcript,
    TranscriptFormat,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from cortexfs.core.stories.transcripts.json_exports import Refuse

    ParseText = Callable[[str, list[RefusedLine]], list[Conversation]]
    ParseEntry = Callable[[Mapping[str, Json], Refuse], Conversation]

MAX_LINES_LOOKED_AT = 50
_LINE_PARSERS: Mapping[TranscriptFormat, ParseText] = {
    TranscriptFormat.RECORD: parse_record_lines,
    TranscriptFormat.SILLYTAVERN: parse_sillytavern,
    TranscriptFormat.CLAUDE_CODE: parse_claude_code,
    TranscriptFormat.WHATSAPP: parse_whatsapp,
    TranscriptFormat.PLAIN: parse_plain,
}
_ENTRY_PARSERS: Mapping[TranscriptFormat, ParseEntry] = {
    TranscriptFormat.CHATGPT: parse_chatgpt,
    TranscriptFormat.CLAUDE: parse_claude,
    TranscriptFormat.DISCORD: parse_discord,
}


def parse_transcript(text: str, form: TranscriptFormat | None = None) -> Transcript | None:
    """Return what a transcript has; None if its format is not given and not recognized.

    Conversations without a message are left out.
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    form = form or recognize_format(text)
    if form is None:
        return None
    refused: list[RefusedLine] = []
    if parse_text := _LINE_PARSERS.get(form):
        conversations = parse_text(text, refused)
    else:
        conversations = list(_parse_entries(text, _ENTRY_PARSERS[form], refused))
    kept = tuple(each for each in conversations if each.messages)
    return Transcript(form, kept, tuple(refused))


def recognize_format(text: str) -> TranscriptFormat | None:
    """Return the format of a text, by its first lines; None if it is no transcript."""
    lines = [
        line
        for line in islice(_iter_lines(text), MAX_LINES_LOOKED_AT)
        if line and not line.isspace()
    ]
    if any(match_whatsapp_line(line) for line in lines):
        return TranscriptFormat.WHATSAPP
    if text.lstrip()[:1] in {"{", "["}:
        return _recognize_lines(lines) or _recognize_document(text)
    return TranscriptFormat.PLAIN if any(map(match_plain_line, lines)) else None


def _iter_lines(text: str) -> Iterator[str]:
    """Yield the lines of a text, without splitting all of it."""
    at = 0
    while at < len(text):
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        yield text[at:end]
        at = end + 1


def _recognize_lines(lines: list[str]) -> TranscriptFormat | None:
    """Return the format of a file with one JSON object for each line."""
    for line in lines:
        try:
            entry = json.loads(line) if line.lstrip()[:1] == "{" else None
        except (ValueError, RecursionError):
            continue
        if not isinstance(entry, dict):
            continue
        if (
            "mes" in entry
            or "chat_metadata" in entry
            or entry.keys() >= {"user_name", "create_date"}
        ):
            return TranscriptFormat.SILLYTAVERN
        if entry.keys() >= {"id", "speaker", "text"}:
            return TranscriptFormat.RECORD
        if entry.keys() & {"sessionId", "parentUuid", "leafUuid"} and "type" in entry:
            return TranscriptFormat.CLAUDE_CODE
    return None


def _recognize_document(text: str) -> TranscriptFormat | None:
    """Return the format of a JSON document, by its first entry."""
    for _, entry in _iter_entries(text, []):
        if "mapping" in entry:
            return TranscriptFormat.CHATGPT
        if "chat_messages" in entry:
            return TranscriptFormat.CLAUDE
        if entry.keys() >= {"channel", "messages"}:
            return TranscriptFormat.DISCORD
        return None
    return None


def _parse_entries(
    text: str, parse: ParseEntry, refused: list[RefusedLine]
) -> Iterator[Conversation]:
    for line, entry in _iter_entries(text, refused):

        def refuse_message(reason: str, line: int = line) -> None:
            refuse(refused, line, reason)

        try:
            yield parse(entry, refuse_message)
        except BadEntry as error:
            refuse(refused, line, str(error))


def _iter_entries(
    text: str, refused: list[RefusedLine]
) -> Iterator[tuple[int, Mapping[str, Json]]]:
    """Yield the line and the value of each object of a list, or of one object, one by one.

    So only one conversation is in memory at a time. What follows broken JSON is lost.
    """
    decoder, at = json.JSONDecoder(), 0
    line, counted = 1, 0
    while at < len(text):
        while at < len(text) and text[at] in " \t\r\n,[]":
            at += 1
        if at == len(text):
            return
        line, counted = line + text.count("\n", counted, at), at
        try:
            value, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            refuse(refused, line, "it is not valid JSON; nothing after it was read")
            return
        if isinstance(value, dict):
            yield line, value
        else:
            refuse(refused, line, "it is not an object")
