"""Score the chunks of a story that may be recalled for what was said last."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.stories.recall.choose_candidates import choose_candidates
from cortexfs.core.stories.recall.emotional_context import call_up_emotions, resonate
from cortexfs.core.stories.recall.named_entities import AskedEntities
from cortexfs.core.stories.recall.rank_chunks import Candidate, rank_chunks
from cortexfs.core.stories.recall.recall_words import is_question, select_texts
from cortexfs.core.stories.recall.score_memory import (
    QUESTION_ENTITY,
    ScorePart,
    Signals,
    score_memory,
    sum_parts,
    weigh_relevance,
)
from cortexfs.operations.stories.search_chunks import search_chunks

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cortexfs.core.settings.story_settings import RecallSettings
    from cortexfs.core.stories.message import Message
    from cortexfs.core.stories.recall.chunk_text import ChunkText
    from cortexfs.operations.stories.story_memory import KnownChunk, StoryChunks, StoryMemory


class PastStory(NamedTuple):
    """A story as far as it is recalled: `visible_from` is the first message that is visible."""

    chunks: StoryChunks
    visible_from: int

    def has(self, ref: str) -> bool:
        """Return whether a chunk is of the story and begins before what is visible."""
        known = self.chunks.by_ref.get(ref)
        return known is not None and known.memory.first < self.visible_from


class ScoredChunk(NamedTuple):
    """A chunk that may be recalled: its text without what is visible, and its score.

    `messages` has the score of each message; `score` is the sum of the parts.
    """

    chunk: KnownChunk
    text: ChunkText
    messages: tuple[float, ...]
    parts: tuple[ScorePart, ...]
    score: float


class _Asked(NamedTuple):
    """What was said last: whether it is a question, whom it names, what emotions it calls up."""

    question: str
    entities: AskedEntities
    emotions: Sequence[str]
    settings: RecallSettings
    end: int


def score_chunks(
    memory: StoryMemory, story: PastStory, said: Sequence[Message], limit: int
) -> list[ScoredChunk]:
    """Return the chunks that may be recalled, the best first; `limit` memories are sought."""
    settings, texts = memory.view.settings.stories.recall, select_texts(said)
    chunks, end = story.chunks.by_ref, story.chunks.end
    share = len(chunks) / max(1, story.chunks.project_count)
    found = search_chunks(memory.view, memory.project, texts, story.has, share)
    emotions = call_up_emotions([message.text for message in said[-len(texts) :]])
    refs = choose_candidates(story.chunks.sorted, story.visible_from, found.refs, emotions, limit)
    past = _read_past(memory, [chunks[ref] for ref in refs], story.visible_from)
    speakers = {name for text in past.values() for name in text.terms.speakers}
    entities = AskedEntities.from_texts(memory.read_names(), texts, speakers)
    question = said[-1].text if is_question(said) else ""
    asked = _Asked(question, entities, emotions, settings, end)
    candidates = [
        Candidate(chunks[ref].memory.first, text, found.similarities.get(ref))
        for ref, text in past.items()
    ]
    ranked = rank_chunks(found.terms, candidates, max(1, end), question)
    scored = [
        _score(chunks[ref], text, values, asked)
        for (ref, text), values in zip(past.items(), ranked, strict=True)
    ]
    return sorted(scored, key=lambda each: (-each.score, each.chunk.memory.first))


def _read_past(
    memory: StoryMemory, chunks: Sequence[KnownChunk], visible_from: int
) -> Mapping[str, ChunkText]:
    """Return the texts of chunks without the messages that are visible."""
    firsts = {chunk.memory.ref: chunk.memory.first for chunk in chunks}
    texts = memory.read_texts(chunks).items()
    past = {ref: text.cut_after(visible_from - firsts[ref]) for ref, text in texts}
    return {ref: text for ref, text in past.items() if text.messages}


def _score(
    chunk: KnownChunk, text: ChunkText, values: tuple[float, ...], asked: _Asked
) -> ScoredChunk:
    """Return a chunk with its score; of a question its best message decides."""
    settings, is_asked = asked.settings, bool(asked.question)
    if is_asked:
        weight = weigh_relevance(settings, is_question=True)
        shares = asked.entities.measure_messages(text.terms)
        messages = tuple(
            weight * value + QUESTION_ENTITY * settings.entity * share
            for value, share in zip(values, shares, strict=True)
        )
        best = max(range(len(messages)), key=messages.__getitem__)
        relevance, overlap = values[best], shares[best]
    else:
        messages, relevance = values, max(values)
        overlap = asked.entities.measure_overlap(text.terms)
    signals = Signals(
        relevance,
        chunk.memory.salience,
        max(0, asked.end - chunk.memory.last),
        chunk.memory.is_core,
        resonate(asked.emotions, chunk.memory.emotions),
        overlap,
        chunk.reads,
    )
    parts = score_memory(signals, settings, is_question=is_asked)
    return ScoredChunk(chunk, text, messages, parts, sum_parts(parts))
