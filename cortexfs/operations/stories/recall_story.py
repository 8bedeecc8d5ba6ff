"""Recall what of a story matters for what was said last."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.stories.recall.choose_excerpt import choose_excerpt
from cortexfs.core.stories.recall.diversify import diversify
from cortexfs.core.stories.recall.prefer_scenes import prefer_scenes
from cortexfs.core.stories.recall.recall import Recall, RecalledArc, RecalledMemory, RecallQuery
from cortexfs.core.stories.recall.recall_words import MAX_MESSAGES, is_question
from cortexfs.core.stories.recall.score_memory import ScorePart
from cortexfs.core.stories.recall.visible_end import count_visible
from cortexfs.operations.shared.resolve_names import require_project
from cortexfs.operations.spool_read import spool_reads
from cortexfs.operations.stories.recall_surroundings import recall_arcs, recall_entities
from cortexfs.operations.stories.score_chunks import PastStory, ScoredChunk, score_chunks
from cortexfs.operations.stories.story_memory import StoryMemory
from cortexfs.operations.stories.story_record import require_story
from cortexfs.session.view import NeededContents

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cortexfs.core.stories.recall.chunk_memory import ChunkMemory
    from cortexfs.core.stories.recall.chunk_text import ChunkText
    from cortexfs.core.stories.recall.named_entities import EntityNames
    from cortexfs.operations.stories.story_memory import StoryChunks
    from cortexfs.session.session import Session

__all__ = ["Recall", "RecallQuery", "RecalledArc", "RecalledMemory", "ScorePart", "recall_story"]

MAX_TAIL_CHUNKS = 40
"""Chunks at the end of a story in which what was said last is sought."""


def recall_story(session: Session, project: str, name: str, query: RecallQuery) -> Recall:
    """Return what of a story matters for what was said last.

    Raises `Refused` if there is no such story.
    """
    with session.read(NeededContents.TEXTS) as view:
        require_project(view, project)
        require_story(view, project, name)
        return recall_in_view(StoryMemory(session, view, project, name), query)


def recall_in_view(memory: StoryMemory, query: RecallQuery) -> Recall:
    """Return the same of a story that exists, in a view whose texts are ingested."""
    settings = memory.view.settings.stories
    chunks = memory.read_chunks()
    query = _complete_query(memory, chunks, query)
    story = _find_visible(memory, chunks, query)
    names = memory.read_names()
    limit = query.memories or settings.recall.memories
    scored = score_chunks(memory, story, query.messages, limit)
    best = diversify(scored, chunks.end, limit, _find_place)
    memories = tuple(_make_memory(story, each, names, query.shown) for each in best)
    scenes, arcs = memory.list_summaries()
    if not is_question(query.messages):
        memories = prefer_scenes(memories, scenes, chunks.end, settings.recall.semantic)
    entities = recall_entities(memory, names, query, memories, settings.prompt.entities)
    if query.record_reads:
        spool_reads(memory.view, [each.chunk.memory.path for each in best])
    return Recall(memory.story, chunks.end, memories, entities, recall_arcs(scenes, arcs))


def _complete_query(memory: StoryMemory, chunks: StoryChunks, query: RecallQuery) -> RecallQuery:
    """Return a query with the last messages of the story if it has none."""
    if query.messages:
        return query
    tail = memory.read_texts(chunks.list_last(MAX_MESSAGES)).values()
    said = [message for text in tail for message in text.messages]
    return query._replace(messages=tuple(said[-MAX_MESSAGES:]))


def _find_visible(memory: StoryMemory, chunks: StoryChunks, query: RecallQuery) -> PastStory:
    """Return the chunks that begin before what is visible."""
    visible = query.visible
    is_said = len(query.messages) > 1 or (query.messages and query.messages[0].speaker)
    texts = memory.read_texts(chunks.list_last(MAX_TAIL_CHUNKS)) if is_said or visible else {}
    if is_said:
        recorded = [message.text for text in texts.values() for message in text.messages]
        visible = max(visible, count_visible([one.text for one in query.messages], recorded))
    if not visible:
        return PastStory(chunks, chunks.end + 1)
    return PastStory(chunks, _find_start(chunks.sorted.chunks, texts, visible))


def _find_start(chunks: Sequence[ChunkMemory], texts: Mapping[str, ChunkText], visible: int) -> int:
    """Return the number of the first visible message, as if those of its chunk had no gaps.

    Messages that were deleted have numbers, but are in no chunk.
    """
    for chunk in reversed(chunks):
        text = texts.get(chunk.ref)
        count = len(text.messages) if text else chunk.last - chunk.first + 1
        if visible < count:
            return chunk.first + count - visible
        visible -= count
    return 0


def _find_place(scored: ScoredChunk) -> tuple[int, float]:
    return scored.chunk.memory.first, scored.score


def _make_memory(
    story: PastStory, scored: ScoredChunk, names: EntityNames, shown: int
) -> RecalledMemory:
    known, text = scored.chunk.memory, scored.text
    last = known.last
    if story.visible_from <= last:
        last = min(last, known.find_number(len(text.messages) - 1))
    named = names.find_in_terms(text.terms.lines).values()
    return RecalledMemory(
        ref=known.ref,
        first=known.first,
        last=last,
        distance=story.chunks.end - last,
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
        excerpt=choose_excerpt(text.messages, known.find_number, scored.messages, shown),
    )


def _format_lines(text: ChunkText) -> Iterable[str]:
    return (f"{one.speaker}: {one.text}" if one.speaker else one.text for one in text.messages)
