"""What was said when a request was answered: the visible chat, with the answer at its end."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cortexfs.core.stores.json_fields import BadEntry
from cortexfs.core.stories.chat_api.name_speakers import find_answering_speaker, name_speakers
from cortexfs.core.stories.merge_visible import VisibleChat
from cortexfs.core.stories.message import Message
from cortexfs.core.stories.transcripts.transcript import ASSISTANT, USER, clean_message

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.stories.chat_api.chat_request import ChatRequest

_CONTINUE = re.compile(r"\bcontinue\b", re.IGNORECASE)


def read_exchange(
    request: ChatRequest, answers: Sequence[str], recorded: Sequence[Message], time: str
) -> VisibleChat:
    """Return the messages of a request and its answer; `time` is that of what is new.

    Several answers to one request are one message with the others as `swiped`. Without an answer
    the user's message is the last one.
    """
    said = name_speakers(request, recorded)
    if said and said[-1].role == USER:
        said[-1] = said[-1]._replace(time=time)
    answer = _make_answer(request, answers, said, time)
    if answer is None:
        return VisibleChat(tuple(said))
    kept = said[:-1] if is_continued(request) else said
    return VisibleChat((*kept, answer), has_answer=True)


def is_continued(request: ChatRequest) -> bool:
    """Return whether the answer goes on with the last message, which is an assistant's."""
    if not request.messages:
        return False
    said = [each for each in request.messages if each.is_said]
    if not said or said[-1].role != ASSISTANT:
        return False
    last = request.messages[-1]
    return last is said[-1] or (last.is_prompt and bool(_CONTINUE.search(last.text)))


def _make_answer(
    request: ChatRequest, answers: Sequence[str], said: Sequence[Message], time: str
) -> Message | None:
    if not answers:
        return None
    if said and is_continued(request):
        speaker, texts = said[-1].speaker, [f"{said[-1].text}{text}" for text in answers]
    else:
        speaker = find_answering_speaker(request, said)
        texts = [_remove_name(text, speaker) for text in answers]
    try:
        return clean_message(Message("", time, speaker, ASSISTANT, texts[0], tuple(texts[1:])))
    except BadEntry:
        return None


def _remove_name(text: str, speaker: str) -> str:
    """Return an answer without the name of its speaker before it, as front ends show it."""
    return text.strip().removeprefix(f"{speaker}:").lstrip()
