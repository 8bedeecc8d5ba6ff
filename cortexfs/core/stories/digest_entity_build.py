"""The digest of an entity and its file: while both are the same, nothing has to be merged."""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING

from cortexfs.core.stories.generated_lines import DIGEST_CHARS

if TYPE_CHECKING:
    from cortexfs.core.stories.entity_lines import EntityPlace
    from cortexfs.core.stories.story_entity import StoryEntity

MAX_BUILDS = 512
"""Files whose digests are kept: each message of a story asks for those of all entities again."""
MAX_BUILD_CHARS = 20_000
"""Characters of a file whose digest is kept."""


def digest_entity_build(entity: StoryEntity, place: EntityPlace, text: str) -> str:
    """Return the digest of an entity, its place and the text of its file."""
    digest = _digest_kept if len(text) <= MAX_BUILD_CHARS else _digest_kept.__wrapped__
    return digest(entity, place, text)


@lru_cache(maxsize=MAX_BUILDS)
def _digest_kept(entity: StoryEntity, place: EntityPlace, text: str) -> str:
    shown = f"{place.shown}\n" if place.shown else ""
    shown += f"{place.other_names}\n" if place.other_names else ""
    build = f"{entity!r}\n{place.refs}\n{shown}{text}"
    return sha256(build.encode(errors="replace")).hexdigest()[:DIGEST_CHARS]
