"""The table of contents of a story: its arcs, their scenes, and the chunks of these."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cortexfs.core.stories.chunk_row import ChunkRow
    from cortexfs.core.stories.summary_file import SummaryFile


class SceneEntry(NamedTuple):
    """A scene with its chunks, in their order; those that are gone are left out."""

    scene: SummaryFile
    chunks: tuple[ChunkRow, ...]


class ArcEntry(NamedTuple):
    """An arc with its scenes, in their order."""

    arc: SummaryFile
    scenes: tuple[SceneEntry, ...]


class Contents(NamedTuple):
    """Arcs, then scenes of no arc, then chunks of no scene."""

    arcs: tuple[ArcEntry, ...] = ()
    scenes: tuple[SceneEntry, ...] = ()
    chunks: tuple[ChunkRow, ...] = ()

    @property
    def scene_count(self) -> int:
        """The number of scenes, in arcs or not."""
        return len(self.scenes) + sum(len(arc.scenes) for arc in self.arcs)


def make_contents(
    chunks: Sequence[ChunkRow], scenes: Iterable[SummaryFile], arcs: Iterable[SummaryFile]
) -> Contents:
    """Return the contents of one story; `chunks` are in the order of the messages.

    A scene that several arcs name stands in the first; so does a chunk of several scenes in each.
    """
    by_ident = {chunk.ident: chunk for chunk in chunks}
    entries = {
        scene.ident: SceneEntry(
            scene, tuple(by_ident[each] for each in scene.sources if each in by_ident)
        )
        for scene in scenes
    }
    in_scenes = {chunk.ref for entry in entries.values() for chunk in entry.chunks}
    found: list[ArcEntry] = []
    for arc in arcs:
        own = [entries.pop(each) for each in arc.sources if each in entries]
        found.append(ArcEntry(arc, tuple(own)))
    loose = tuple(chunk for chunk in chunks if chunk.ref not in in_scenes)
    return Contents(tuple(found), tuple(entries.values()), loose)
