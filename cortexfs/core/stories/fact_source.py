"""What a fact of an entity comes from: a person, the words of a chunk, or a language model."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from cortexfs.core.text.sanitize import to_one_line

if TYPE_CHECKING:
    from cortexfs.core.stories.read_entity_file import KnownFact
    from cortexfs.core.stories.sidecar.chunk_analysis import ChunkAnalysis


class FactSource(StrEnum):
    """What says a fact."""

    PERSON = "person"
    HEURISTIC = "heuristic"
    SIDECAR = "sidecar"


def find_fact_source(fact: KnownFact, analysis: ChunkAnalysis | None) -> FactSource:
    """Return what says a fact; `analysis` is what a model said of its chunk (None: nothing)."""
    if not fact.chunk:
        return FactSource.PERSON
    told = analysis.facts if analysis else ()
    wanted = fact.text.casefold()
    is_told = any(to_one_line(each.text).casefold() == wanted for each in told)
    return FactSource.SIDECAR if is_told else FactSource.HEURISTIC
