"""Recall what of a story matters for what was said last."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.stories.recall.choose_candidates import choose_candidates
from cortexfs.core.stories.recall.choose_excerpt import choose_excerpt
from cortexfs.core.stories.recall.diversify import diversify
from cortexfs.core.stories.recall.emotional_context import call_up_emotions, resonate
from cortexfs.core.stories.recall.named_entities import EntityNames, NamedInQuery
from cortexfs.core.stories.recall.prefer_scenes import prefer_scenes
from cortexfs.core.stories.recall.rank_chunks import Relevance, rank_chunks
from cortexfs.core.stories.recall.recall import Recall, RecalledArc, RecalledMemory, RecallQuery
from cortexfs.core.stories.recall.recall_words import MAX_MESSAGES, is_question, select_texts
from cortexfs.core.stories.recall.score_memory import ScorePart, Signals, score_memory, sum_parts
from cortexfs.core.stories.recall.visible_end import count_visible
from cortexfs.operations.shared.resolve_names import require_project
from cortexfs.operations.spool_read import spool_reads
from cortexfs.operations.stories.recall_surroundings import recall_arcs, recall_entities
from cortexfs.operations.stories.search_chunks import search_chunks
from cortexfs.operations.stories.story_memory import KnownChunk, StoryMemory
from cortexfs.operations.stories.story_record import require_story
from cortexfs.session.view import NeededContents

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cortexfs.core.settings.story_settings import RecallSettings
    from cortexfs.core.stories.recall.chunk_text import ChunkText
    from cortexfs.session.session import Session
    from cortexfs.session.view import View

__all__ = ["Recall", "RecallQuery", "RecalledArc", "RecalledMemory", "ScorePart", "recall_story"]

MAX_TAIL_CHUNKS = 40
"""Chunks at the end of a story in which what was said last is sought."""


class _Story(NamedTuple):
    """A story as it is recalled: its chunks, the number of its last message, and what is visible.

    `visible_from` is the number of the first message that is.
    """

    chunks: Mapping[str, KnownChunk]
    end: int
    visible_from: int


class _Asked(NamedTuple):
    """What a query asks for: its texts, whether they are a question, entities, emotions, count."""

    texts: Sequence[str]
    is_question: bool
    named: NamedInQuery
    emotions: Sequence[str]
    limit: int


class _Scored(NamedTuple):
    """A chunk that may be recalled: its text without what is visible, and its score."""

    chunk: KnownChunk
    text: ChunkText
    relevance: Relevance
    parts: tuple[ScorePart, ...]

    @property
    def score(self) -> float:
        """The sum of the parts."""
        return sum_parts(self.parts)


def recall_story(session: Session, project: str, name: str, query: RecallQuery) -> Recall:
    """Return what of a story matters for what was said last.

    Raises `Refused` if there is no such story.
    """
    with session.read(NeededContents.TEXTS) as view:
        require_project(view, project)
        require_story(view, project, name)
        memory = StoryMemory(session, view, project, name)
        settings = view.settings.stories
        chunks = memory.list_chunks()
        query = _complete_query(memory, chunks, query)
        story = _find_visible(memory, chunks, query)
        names = memory.read_names()
        asked = _read_query(query, names, query.memories or settings.recall.memories)
        scored = _score_chunks(view, memory, story, asked)
        best = diversify(scored, story.end, asked.limit, _find_place)
        memories = tuple(_make_memory(story, each, names) for each in best)
        scenes, arcs = memory.list_summaries()
        if not asked.is_question:
            memories = prefer_scenes(memories, scenes, story.end, settings.recall.semantic)
        entities = recall_entities(memory, names, query, memories, settings.prompt.entities)
        if query.record_reads:
            spool_reads(view, [each.chunk.memory.path for each in best])
        return Recall(name, story.end, memories, entities, recall_arcs(scenes, arcs))


def _complete_query(
    memory: StoryMemory, chunks: Sequence[KnownChunk], query: RecallQuery
) -> RecallQuery:
    """Return a query with the last messages of the story if it has none."""
    if query.messages:
        return query
    tail = memory.read_texts(chunks[-MAX_MESSAGES:]).values()
    said = [message for text in tail for message in text.messages]
    return query._replace(messages=tuple(said[-MAX_MESSAGES:]))


def _find_visible(memory: StoryMemory, chunks: Sequence[KnownChunk], query: RecallQuery) -> _Story:
    """Return the chunks that begin before what is visible."""
    end = max((chunk.memory.last for chunk in chunks), default=0)
    visible = query.visible
    if len(query.messages) > 1 or (query.messages and query.messages[0].speaker):
        texts = memory.read_texts(chunks[-MAX_TAIL_CHUNKS:]).values()
        recorded = [message.text for text in texts for message in text.messages]
        visible = max(visible, count_visible([one.text for one in query.messages], recorded))
    start = end - visible + 1
    past = {each.memory.ref: each for each in chunks if each.memory.first < start}
    return _Story(past, end, start)


def _read_query(query: RecallQuery, names: EntityNames, limit: int) -> _Asked:
    texts = select_texts(query.messages)
    said = [message.text for message in query.messages[-len(texts) :]] if texts else []
    named = NamedInQuery.from_texts(names, texts)
    return _Asked(texts, is_question(query.messages), named, call_up_emotions(said), limit)


def _score_chunks(view: View, memory: StoryMemory, story: _Story, asked: _Asked) -> list[_Scored]:
    """Return the chunks that may be recalled, the best first."""
    chunks = story.chunks
    found = search_chunks(view, memory.project, asked.texts, chunks, memory.chunk_count)
    known = [chunk.memory for chunk in chunks.values()]
    refs = choose_candidates(known, found.refs, asked.emotions, asked.limit)
    texts = _read_past(memory, [chunks[ref] for ref in refs], story.visible_from)
    relevances = rank_chunks(
        found.terms, texts, found.similarities, max(1, story.end), is_question=asked.is_question
    )
    settings = view.settings.stories.recall
    scored = (
        _score(chunks[ref], text, relevances[ref], asked, (story.end, settings))
        for ref, text in texts.items()
    )
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
    chunk: KnownChunk,
    text: ChunkText,
    relevance: Relevance,
    asked: _Asked,
    place: tuple[int, RecallSettings],
) -> _Scored:
    """Return a chunk with its score; `place` is the end of the story, and the settings."""
    end, settings = place
    signals = Signals(
        relevance.value,
        chunk.memory.salience,
        end - chunk.memory.last,
        chunk.memory.is_core,
        resonate(asked.emotions, chunk.memory.emotions),
        asked.named.measure_overlap(text.terms.texts),
        chunk.reads,
    )
    parts = score_memory(signals, settings, is_question=asked.is_question)
    return _Scored(chunk, text, relevance, parts)


def _find_place(scored: _Scored) -> tuple[int, float]:
    return scored.chunk.memory.first, scored.score


def _make_memory(story: _Story, scored: _Scored, names: EntityNames) -> RecalledMemory:
    known, text = scored.chunk.memory, scored.text
    last = min(known.last, story.visible_from - 1)
    named = names.find_in_terms("".join(text.terms.texts)).values()
    return RecalledMemory(
        ref=known.ref,
        first=known.first,
        last=last,
        distance=story.end - last,
        time=next((one.time for one in text.messages if one.time), ""),
        text="\n".join(_format_lines(text)),
        score=scored.score,
        parts=scored.parts,
        salience=known.salience,
        is_core=known.is_core,
        emotions=known.emotions,
        flags=known.flags,
        entities=tuple(each.names[0] for each in named),
        speakers=tuple(dict.fromkeys(one.speaker for one in text.messages if one.speaker)),
        excerpt=choose_excerpt(text.messages, known.first, scored.relevance.messages),
    )


def _format_lines(text: ChunkText) -> Iterable[str]:
    return (f"{one.speaker}: {one.text}" if one.speaker else one.text for one in text.messages)
