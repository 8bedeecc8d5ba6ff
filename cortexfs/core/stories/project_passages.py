"""The passages of a project, added up: what differs is taken out and put in again."""

from __future__ import annotations

from bisect import bisect_left, insort
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cortexfs.core.stories.entities.evidence import Totals
from cortexfs.core.stories.entities.kept_values import KeptValues
from cortexfs.core.stories.relations.tie_relations import TieRelations

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from cortexfs.core.stories.chunk_passage import ChunkPassage
    from cortexfs.core.stories.entities.evidence import PassageEvidence


@dataclass(slots=True)
class ProjectPassages:
    """The passages by the digest of their chunks, by number, and their sum.

    `known` may have passages that no chunk has. `unsaved` counts those that were read from a text.
    `presence` has values that were made of the chunks with some forms, until one of these changes,
    `relations` those that ties tell. `placed` has facts as files show them. `lasts` are the numbers
    of the last messages of chunks by story, ascending.
    """

    known: dict[bytes, ChunkPassage] = field(default_factory=dict)
    digests: dict[int, bytes] = field(default_factory=dict)
    by_number: dict[int, ChunkPassage] = field(default_factory=dict)
    totals: Totals = field(default_factory=Totals)
    unsaved: int = 0
    presence: KeptValues = field(default_factory=KeptValues)
    relations: TieRelations = field(default_factory=TieRelations)
    placed: KeptValues = field(default_factory=KeptValues)
    lasts: dict[str, list[int]] = field(default_factory=dict)

    def update(
        self, chunks: Mapping[int, bytes], read: Callable[[int], ChunkPassage | None]
    ) -> None:
        """Make the sum that of these chunks, by number; `read` is called for each unknown one."""
        changed = {number for number, new in chunks.items() if self.digests.get(number) != new}
        for number in sorted(changed | self.digests.keys() - chunks.keys()):
            old, new = self.digests.get(number), chunks.get(number)
            if old is not None:
                self._take(number)
            if new is not None and (found := self._find(number, new, read)):
                self._put(number, new, found)

    def _take(self, number: int) -> None:
        found = self.by_number.pop(number)
        self.totals.remove(number, found.evidence)
        self._note_change(found.evidence)
        lasts = self.lasts[found.story]
        del self.digests[number], lasts[bisect_left(lasts, found.last)]
        if not lasts:
            del self.lasts[found.story]

    def _put(self, number: int, digest: bytes, found: ChunkPassage) -> None:
        self.totals.add(number, found.evidence)
        self._note_change(found.evidence)
        self.digests[number], self.by_number[number] = digest, found
        insort(self.lasts.setdefault(found.story, []), found.last)

    def _note_change(self, evidence: PassageEvidence) -> None:
        self.presence.forget(set(evidence.names))
        self.placed.forget({*evidence.names, *evidence.texts})
        self.relations.changed.update(evidence.ties)

    def _find(
        self, number: int, digest: bytes, read: Callable[[int], ChunkPassage | None]
    ) -> ChunkPassage | None:
        if digest not in self.known and (found := read(number)):
            self.known[digest] = found
            self.unsaved += 1
        return self.known.get(digest)

    def forget_others(self) -> None:
        """Forget the passages that no chunk has."""
        self.known = {digest: self.known[digest] for digest in self.digests.values()}
