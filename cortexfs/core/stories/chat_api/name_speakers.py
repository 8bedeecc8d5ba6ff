"""Who says the messages of a request: a name, the record, a prefix, or the prompt tells."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.stores.json_fields import BadEntry
from cortexfs.core.stories.message import Message
from cortexfs.core.stories.transcripts.transcript import (
    ASSISTANT,
    USER,
    USER_SPEAKER,
    clean_message,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.stories.chat_api.chat_request import ChatMessage, ChatRequest

ASSISTANT_SPEAKER = "Assistant"
MAX_KEPT_MESSAGES, MAX_KEPT_CHARS = 1024, 4000
"""Cleaned messages that are kept, and their length: each request of a chat has them all again."""
_PREFIX = re.compile(r"([^\n:]{1,60}): ?(?=\S)")
_BETWEEN = re.compile(
    r"Write ([^\n]{1,60}?)'s next reply in a fictional (?:chat|roleplay) "
    r"between ([^\n]{1,200}?) and ([^\n.,]{1,60})"
)
"""How the first prompt of SillyTavern names who answers, all characters, and the user."""
_NEXT = re.compile(r"next reply only as ([^\n\].]{1,60})")
"""How SillyTavern says who of a group answers."""


class _Known(NamedTuple):
    """What a record tells: who says which text, all speakers, and who speaks in a role."""

    by_text: dict[str, list[Message]]
    speakers: set[str]
    by_role: dict[str, str]


def name_speakers(request: ChatRequest, recorded: Sequence[Message]) -> list[Message]:
    """Return what is said in a request, cleaned, with its speakers.

    A text that the record has keeps its speaker there: names come and go with the settings of a
    front end. A prefix `Kael: ` is a name if the prompt or the record knows the name.
    """
    known, prompt = _index(recorded), request.prompt
    defaults = {USER: USER_SPEAKER, ASSISTANT: ASSISTANT_SPEAKER, **known.by_role}
    if found := _BETWEEN.search(prompt):
        defaults[USER] = found[3].strip()
        if found[1] == found[2]:  # not in a group
            defaults[ASSISTANT] = found[1].strip()
    named = (_name(each, known, prompt, defaults) for each in request.messages if each.is_said)
    return [message for message in named if message]


def find_answering_speaker(request: ChatRequest, said: Sequence[Message]) -> str:
    """Return who gives the answer, as far as the prompt or earlier answers tell."""
    if found := _NEXT.search(request.prompt) or _BETWEEN.search(request.prompt):
        return found[1].strip()
    answers = (message.speaker for message in reversed(said) if message.role == ASSISTANT)
    return next(answers, ASSISTANT_SPEAKER)


def _index(recorded: Sequence[Message]) -> _Known:
    by_text: dict[str, list[Message]] = {}
    roles: dict[str, set[str]] = {}
    for message in recorded:
        by_text.setdefault(message.text, []).append(message)
        roles.setdefault(message.role, set()).add(message.speaker)
    single = {role: next(iter(names)) for role, names in roles.items() if len(names) == 1}
    return _Known(by_text, {message.speaker for message in recorded}, single)


def _name(
    said: ChatMessage, known: _Known, prompt: str, defaults: dict[str, str]
) -> Message | None:
    """Return a message with its speaker; None if nothing is left of it, or it is too long."""
    clean = _clean if len(said.text) <= MAX_KEPT_CHARS else _clean.__wrapped__
    message = clean(said.name, said.role, said.text)
    if message is None:
        return None
    if found := _find_recorded(message, known):
        return message._replace(speaker=found.speaker, role=found.role)
    if message.speaker:
        return message
    return _split_prefix(message, known, prompt) or message._replace(speaker=defaults[message.role])


@lru_cache(maxsize=MAX_KEPT_MESSAGES)
def _clean(name: str, role: str, text: str) -> Message | None:
    """Return a message, cleaned; None if nothing is left of it, or it is too long."""
    try:
        return clean_message(Message("", "", name, role, text))
    except BadEntry:
        return None


def _split_prefix(message: Message, known: _Known, prompt: str) -> Message | None:
    """Return a message without the name before it; None if there is none that is known."""
    found = _PREFIX.match(message.text)
    if found is None:
        return None
    name = found[1].strip()
    rest = message._replace(speaker=name, text=message.text[found.end() :])
    recorded = _find_recorded(rest, known)
    if recorded and recorded.speaker == name:
        return rest._replace(role=recorded.role)
    return rest if name in known.speakers or _has_word(prompt, name) else None


def _has_word(text: str, name: str) -> bool:
    """Return whether a name stands in a text, not as a part of a word."""
    return name in text and bool(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text))


def _find_recorded(message: Message, known: _Known) -> Message | None:
    """Return a message of the record with this text: by the same speaker, in the same role, any."""
    found = known.by_text.get(message.text, [])
    for each in found:
        if each.speaker == message.speaker:
            return each
    return next((each for each in found if each.role == message.role), found[0] if found else None)
