"""The stories of all projects, and the chunks of one with what they are worth."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.text.plural import format_count
from cortexfs.interfaces.tui.atom_rows import format_when
from cortexfs.interfaces.tui.shown_content import Column, Row, Subject, TableContent, Target, Tone
from cortexfs.interfaces.tui.shown_text import cell, join_parts, labelled, make_note

if TYPE_CHECKING:
    from datetime import datetime

    from cortexfs.core.stories.chunk_row import ChunkRow
    from cortexfs.interfaces.tui.page import PanelContext, Request
    from cortexfs.operations.stories.browse_stories import ListedStory

STORY_COLUMNS = (
    Column("Story", 0),
    Column("State", 10),
    Column("Messages", 8, is_right=True),
    Column("Chunks", 6, is_right=True),
    Column("Last", 6),
)
CHUNK_COLUMNS = (
    Column("Chunk", 8),
    Column("Messages", 12),
    Column("Worth", 5, is_right=True),
    Column("Core", 4),
    Column("Begins with", 0),
)
STORY_ORDERS = ("newest", "salience")
"""The orders of the chunks of a story."""
NO_STORIES = "No stories yet: `cortexfs story import FILE -p PROJECT` makes one of a chat."


def load_stories(context: PanelContext, request: Request) -> TableContent:
    """Return the stories of all projects, the latest first."""
    from cortexfs.operations.stories.browse_stories import (
        StoryFilter,
        list_all_stories,
        select_stories,
    )

    found = select_stories(list_all_stories(context.session), StoryFilter()).stories
    now = context.session.clock()
    rows = tuple(_make_story_row(each, now) for each in found[: request.limit])
    return TableContent(STORY_COLUMNS, rows, len(found), NO_STORIES)


def load_story(context: PanelContext, request: Request) -> TableContent:
    """Return the chunks of a story, the newest or the most salient first."""
    from cortexfs.operations.stories.describe_story import describe_story

    project, _, name = request.argument.rpartition("/")
    story = describe_story(context.session, project, name)
    chunks = list(reversed(story.chunks))
    if request.sort == STORY_ORDERS[1]:
        chunks.sort(key=lambda each: -each.salience)
    speakers = [f"{who or '(nobody)'} {count}" for who, count in story.speakers[:6]]
    head = (
        labelled("story", request.argument, Tone.ACCENT),
        labelled("speakers", join_parts(speakers)),
    )
    rows = tuple(map(_make_chunk_row, chunks[: request.limit]))
    about = f"by {request.sort or STORY_ORDERS[0]}"
    return TableContent(CHUNK_COLUMNS, rows, len(chunks), "No chunks yet.", head, about=about)


def _make_story_row(listed: ListedStory, now: datetime) -> Row:
    figures, key = listed.figures, f"{listed.project}/{listed.figures.name}"
    state = " ".join(listed.states)
    counts = (
        format_count(figures.messages, "message"),
        format_count(figures.speakers, "speaker"),
        format_count(figures.chunks, "chunk"),
    )
    return Row(
        (
            cell(key, Tone.ACCENT),
            cell(state, Tone.MUTED if state == "current" else Tone.WARNING),
            cell(figures.messages),
            cell(figures.chunks),
            cell(format_when(figures.last_time, now), Tone.MUTED),
        ),
        key,
        target=Target("story", key),
        note=make_note(listed.problem or key, join_parts(counts)),
    )


def _make_chunk_row(chunk: ChunkRow) -> Row:
    happened = join_parts(each.replace("_", " ") for each in (*chunk.flags, *chunk.emotions))
    return Row(
        (
            cell(chunk.ident, Tone.ACCENT),
            cell(f"{chunk.first}-{chunk.last}", Tone.MUTED),
            cell(f"{chunk.salience:.2f}", Tone.GOOD if chunk.is_core else Tone.PLAIN),
            cell("core" if chunk.is_core else "", Tone.GOOD),
            cell(chunk.summary),
        ),
        chunk.ref,
        Subject.ATOM,
        Target("atom", chunk.ref),
        make_note(chunk.summary, happened or "nothing that is told apart", chunk.source),
    )
