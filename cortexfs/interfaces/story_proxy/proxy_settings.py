"""What the proxy is told when it is started."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from cortexfs.core.stories.chat_api.place_memories import MemoryPlace
    from cortexfs.interfaces.story_proxy.upstream_address import UpstreamAddress


class ProxySettings(NamedTuple):
    """The server behind the proxy and its key, or an empty text; the project and the story.

    Without a story each chat has its own. `memory_place` is where memories are put into a prompt.
    """

    upstream: UpstreamAddress
    project: str
    memory_place: MemoryPlace
    story: str = ""
    key: str = ""
