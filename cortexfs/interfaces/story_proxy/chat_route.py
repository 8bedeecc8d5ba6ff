"""Which chat a request belongs to, as its path and its headers say."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.stories.story_name import is_story_name
from cortexfs.interfaces.http.refusal import Refusal

if TYPE_CHECKING:
    from cortexfs.interfaces.http.request_head import RequestHead

STORY_HEADER, RECORD_HEADER = "x-cortexfs-story", "x-cortexfs-record"
CHAT_ID_HEADER = "x-openwebui-chat-id"
"""How Open WebUI names a chat, where it is told to."""
COMPLETIONS = "/chat/completions"
_PATH = re.compile(r"(?:/stories/([^/]+))?/v1(/.*)?", re.DOTALL)

NO_ROUTE = Refusal(
    404,
    "nothing has this address",
    "the base URL ends with /v1, or with /stories/NAME/v1",
    "no-such-route",
)
BAD_NAME = Refusal(
    400,
    "this cannot be the name of a story",
    "use up to 64 of a-z, 0-9 and `-`; begin with a letter or digit",
    "refused",
)


class ChatRoute(NamedTuple):
    """The path below `/v1` as it was sent, the name of a story, and the id of a chat, if given."""

    path: str
    story: str
    chat_id: str
    is_recorded: bool

    @property
    def is_chat(self) -> bool:
        """Whether the request is one for a chat completion."""
        return self.path == COMPLETIONS


def read_route(head: RequestHead, raw_path: str) -> ChatRoute | Refusal:
    """Return where a request goes; a refusal for a path that leaves `/v1`."""
    found = _PATH.fullmatch(raw_path)
    if found is None or {".", ".."} & set(head.path.split("/")):
        return NO_ROUTE
    story = found[1] or head.get(STORY_HEADER).strip()
    if story and not is_story_name(story):
        return BAD_NAME
    is_recorded = head.get(RECORD_HEADER).strip().lower() != "off"
    return ChatRoute(found[2] or "", story, head.get(CHAT_ID_HEADER).strip()[:200], is_recorded)
