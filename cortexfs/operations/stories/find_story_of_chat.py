"""Find the story that a chat goes on with: by its name, by the id of the chat, by its messages."""

from __future__ import annotations

import json
import re
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.stories.chat_api.said_in_exchange import read_exchange
from cortexfs.core.stories.end_of_record import parse_end_of_record
from cortexfs.core.stories.merge_visible import count_shared
from cortexfs.core.stories.story_name import MAX_NAME_CHARS, make_story_name
from cortexfs.core.stories.transcripts.transcript import USER
from cortexfs.operations.stories.story_record import (
    list_story_names,
    read_record,
    read_record_end,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cortexfs.core.stories.chat_api.chat_request import ChatRequest
    from cortexfs.session.view import TreeFilesAndGit

TITLE_WORDS, IDENT_CHARS = 6, 8
"""How many words of the first message name a story, and how much of the id of a chat, a UUID."""
DIGEST_CHARS = 12
"""How much of the digest of any other id: ids such as `2` end as names of other chats do."""
MAX_SOUGHT = 6
"""The last messages of a request, of which a record must have one."""
MIN_COMPARED = 200
"""Messages at the end of a record that are compared first."""
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.ASCII)


class ChatPlace(NamedTuple):
    """Where a chat is recorded: its project, the name of its story, or the id of the chat.

    Without both, its messages tell.
    """

    project: str
    story: str = ""
    chat_id: str = ""


def find_story_of_chat(view: TreeFilesAndGit, place: ChatPlace, request: ChatRequest) -> str:
    """Return the name of the story that a chat goes on with; empty if it is new."""
    names = list_story_names(view, place.project)
    if place.story:
        return place.story if place.story in names else ""
    if place.chat_id:
        ending = _make_ending(place.chat_id)
        return next((name for name in names if name.endswith(ending)), "")
    shared = list(_iter_shared(view, place.project, names, request, is_whole=False))
    if not shared and sum(each.is_said for each in request.messages) > 1:
        shared = list(_iter_shared(view, place.project, names, request, is_whole=True))
    return max(shared)[-1] if shared else ""


def name_new_story(view: TreeFilesAndGit, place: ChatPlace, request: ChatRequest) -> str:
    """Return a free name for a chat: as given, else the first words of its first question."""
    if place.story:
        return place.story
    said = [each for each in request.messages if each.is_said]
    first = next((each for each in said if each.role == USER), None)
    title = make_story_name(" ".join(first.text.split()[:TITLE_WORDS]) if first else "")
    if place.chat_id:
        ending = _make_ending(place.chat_id)
        return title[: MAX_NAME_CHARS - len(ending)].strip("-") + ending
    taken, name, number = set(list_story_names(view, place.project)), title, 1
    while name in taken:
        number += 1
        name = f"{title[: MAX_NAME_CHARS - 8].strip('-')}-{number}"
    return name


def count_sought(request: ChatRequest) -> int:
    """Return how many messages at the end of a record are compared with a request first."""
    return MIN_COMPARED + 2 * len(request.messages)


def _iter_shared(
    view: TreeFilesAndGit,
    project: str,
    names: Sequence[str],
    request: ChatRequest,
    *,
    is_whole: bool,
) -> Iterator[tuple[int, str, str]]:
    """Yield the stories that a chat may go on with: shared messages, last time, name.

    A chat nearly always goes on at the end of its story; with `is_whole` all of it is compared.
    """
    said = [each.text for each in request.messages if each.is_said]
    sought = [pattern for text in said[-MAX_SOUGHT:] for pattern in _make_patterns(text)]
    read = read_record if is_whole else read_record_end
    for name in names:
        found = read(view, project, name)
        text = found if isinstance(found, str) else found.text
        if not any(each in text for each in sought):
            continue
        count = len(text) if is_whole else count_sought(request)
        record = parse_end_of_record(text, 1, count)
        messages = record.messages
        shared = count_shared(record, read_exchange(request, (), messages, ""))
        if shared:
            yield shared, max((message.time for message in messages), default=""), name


def _make_patterns(text: str) -> Iterator[str]:
    """Yield how the end of a message is written in a record: whole, or without a name before it."""
    start, _, line = text.rstrip().rpartition("\n")
    for words in (line, line.partition(": ")[2]):
        if words:
            before = "\\n" if start else '"'
            yield f"{before}{json.dumps(words, ensure_ascii=False)[1:]}"


def _make_ending(chat_id: str) -> str:
    """Return how the name of the story of a chat ends: no other chat's does."""
    if _UUID.fullmatch(chat_id.lower()):
        return f"-{chat_id.lower()[-IDENT_CHARS:]}"
    return f"-{sha256(chat_id.encode(errors='replace')).hexdigest()[:DIGEST_CHARS]}"
