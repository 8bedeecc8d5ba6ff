"""What a chunk is worth: by its words and, where a language model was asked, by what that says."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.stories.colours.coloured_text import remove_tags
from cortexfs.core.stories.salience.salience_weights import DEFAULT_WEIGHTS
from cortexfs.core.stories.salience.score_passage import score_passage
from cortexfs.core.stories.sidecar.chunk_analysis import SIDECAR, StatusChange

if TYPE_CHECKING:
    from cortexfs.core.settings.story_settings import StorySettings
    from cortexfs.core.stories.chunk_messages import Chunk
    from cortexfs.core.stories.salience.score_passage import Salience
    from cortexfs.core.stories.sidecar.chunk_analysis import ChunkAnalysis

HEURISTIC = "heuristic"
"""What a record names as its source if its words show it."""
_FLAGS = {
    StatusChange.DIED: "death",
    StatusChange.DEPARTED: "departure",
    StatusChange.TRANSFORMED: "transformation",
}
"""The narrative flag of what a model says to have happened."""


class ChunkWorth(NamedTuple):
    """What a chunk is worth and what says so, what it expresses, and what happens in it."""

    salience: float
    source: str
    emotions: tuple[str, ...]
    flags: tuple[str, ...]
    is_core: bool


def score_chunk(chunk: Chunk, settings: StorySettings) -> Salience:
    """Return the salience of a chunk, of whose texts tags are no part."""
    text = "\n\n".join(remove_tags(message.text) for message in chunk.messages)
    return score_passage(text, DEFAULT_WEIGHTS._replace(**dict(settings.weights)))


def weigh_chunk(
    salience: Salience, analysis: ChunkAnalysis | None, settings: StorySettings
) -> ChunkWorth:
    """Return what a chunk is worth: what a model says of it, beside what its words show."""
    emotions, flags = tuple(map(str, salience.emotions)), tuple(map(str, salience.flags))
    score, source = salience.score, HEURISTIC
    if analysis:
        score, source = analysis.salience, SIDECAR
        told = (_FLAGS[each.change] for each in analysis.statuses if each.change in _FLAGS)
        emotions = tuple(dict.fromkeys((*analysis.emotions, *emotions)))
        flags = tuple(dict.fromkeys((*flags, *told)))
    is_core = score >= settings.core_threshold or any(each in settings.core_flags for each in flags)
    return ChunkWorth(score, source, emotions, flags, is_core)
