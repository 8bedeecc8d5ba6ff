"""Put the summary of a scene in the place of old chunks that are only loosely what is meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.stories.recall.recall import RecalledMemory
    from cortexfs.core.stories.summary_file import SummaryFile

STRONG = 0.5
"""The part of the weight of `semantic` from which a chunk is what is meant, word for word."""


def prefer_scenes(
    memories: Sequence[RecalledMemory],
    scenes: Sequence[SummaryFile],
    end: int,
    semantic_weight: float,
) -> tuple[RecalledMemory, ...]:
    """Return memories, each old chunk that a scene has summed up replaced by the scene, once.

    A core memory stays as it was said, and so does one that is what was asked for.
    """
    scene_of = {source: scene for scene in scenes for source in scene.sources}
    found: dict[str, RecalledMemory] = {}
    for memory in memories:
        scene = scene_of.get(memory.ref.rpartition("/")[2])
        is_meant = dict(memory.parts)["semantic"] >= STRONG * semantic_weight
        if scene is None or not scene.prose or memory.is_core or is_meant:
            found.setdefault(memory.ref, memory)
        else:
            replaced = _to_scene(memory, scene, end)
            found.setdefault(replaced.ref, replaced)
    return tuple(found.values())


def _to_scene(memory: RecalledMemory, scene: SummaryFile, end: int) -> RecalledMemory:
    """Return the scene as a memory, which was recalled for the reasons of its chunk."""
    project, slash, _ = memory.ref.rpartition("/")
    first, last = scene.first or memory.first, scene.last or memory.last
    return memory._replace(
        ref=f"{project}{slash}{scene.ident}",
        first=first,
        last=last,
        distance=max(0, end - last),
        text=f"{scene.title}: {scene.prose}",
        speakers=(),
        excerpt=(),
    )
