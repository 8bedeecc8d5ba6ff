"""What a language model says of a chunk, as lines of its file: written, and read again."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cortexfs.core.stories.chunk_body import list_own_lines
from cortexfs.core.stories.colours.speaker_colour import ColourUsage
from cortexfs.core.stories.escape_markdown import escape_markdown, unescape_markdown
from cortexfs.core.stories.salience.emotion_terms import Emotion
from cortexfs.core.stories.sidecar.chunk_analysis import (
    FULL_IMPORTANCE,
    FULL_SENTIMENT,
    ChunkAnalysis,
    StatusChange,
    ToldColour,
    ToldEntity,
    ToldFact,
    ToldRelation,
    ToldStatus,
)
from cortexfs.core.stories.story_entity import EntityType, RelationType

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

HEADING = "## Analysis"
NAME = r"[^,:;|()\[\]<>\n]{1,60}"
"""A pattern for names that these lines can hold."""
MAX_LINES = 200
_NUMBER = r"(10|[1-9])"
_STATUS = re.compile(rf"status: ({NAME}) ({'|'.join(StatusChange)})")
_ENTITY = re.compile(rf"entity: ({NAME}), ({'|'.join(EntityType)})(?:: (.+))?")
_FACT = re.compile(rf"fact: \[i:{_NUMBER}\] ({NAME}): (.+)")
_RELATION = re.compile(
    rf"relation: ({NAME}), ({'|'.join(RelationType)}), ({NAME}), ([-+]\d{{1,3}})(?:: (.+))?"
)
_COLOUR = re.compile(rf"colour: (#[0-9a-f]{{6}}), ({NAME}), ({'|'.join(ColourUsage)})")


def format_analysis(analysis: ChunkAnalysis) -> str:
    """Return the section of a chunk's file with what a model says of it."""
    lines = (f"- {escape_markdown(line)}" for line in _iter_lines(analysis))
    return "".join(f"{line}\n" for line in (HEADING, "", *lines))


def parse_analysis(body: str) -> ChunkAnalysis | None:
    """Return what the section says; None if there is none. Lines of another form are left out."""
    own = list_own_lines(body)
    if HEADING not in own:
        return None
    given = (line for line in own[own.index(HEADING) :] if line.startswith("- "))
    lines = [unescape_markdown(line[2:].strip()) for line in given][:MAX_LINES]
    importance = next(filter(None, map(_read_importance, lines)), 0)
    if not importance:
        return None
    emotions = next((line[10:].split(", ") for line in lines if line.startswith("emotions: ")), [])
    summary = next((line[9:] for line in lines if line.startswith("summary: ")), "")
    return ChunkAnalysis(
        importance,
        tuple(each for each in emotions if each in {*Emotion}),
        summary,
        tuple(ToldStatus(found[1], StatusChange(found[2])) for found in _match(_STATUS, lines)),
        tuple(ToldEntity(found[1], found[2], found[3] or "") for found in _match(_ENTITY, lines)),
        tuple(ToldFact(found[2], found[3], int(found[1])) for found in _match(_FACT, lines)),
        tuple(_read_relation(found) for found in _match(_RELATION, lines)),
        tuple(
            ToldColour(found[1], found[2], ColourUsage(found[3]))
            for found in _match(_COLOUR, lines)
        ),
    )


def _iter_lines(analysis: ChunkAnalysis) -> Iterator[str]:
    yield f"importance: {analysis.importance} of {FULL_IMPORTANCE}"
    if analysis.emotions:
        yield f"emotions: {', '.join(analysis.emotions)}"
    if analysis.summary:
        yield f"summary: {analysis.summary}"
    for name, change in analysis.statuses:
        yield f"status: {name} {change}"
    for name, kind, description in analysis.entities:
        yield f"entity: {name}, {kind}{_add(description)}"
    for name, text, importance in analysis.facts:
        yield f"fact: [i:{importance}] {name}: {text}"
    for name, other, kind, sentiment, label in analysis.relations:
        yield f"relation: {name}, {kind}, {other}, {sentiment:+d}{_add(label)}"
    for colour, name, usage in analysis.colours:
        yield f"colour: {colour}, {name}, {usage}"


def _add(text: str) -> str:
    return f": {text}" if text else ""


def _match(pattern: re.Pattern[str], lines: Iterable[str]) -> list[re.Match[str]]:
    return [found for line in lines if (found := pattern.fullmatch(line))]


def _read_importance(line: str) -> int:
    found = re.fullmatch(rf"importance: {_NUMBER} of {FULL_IMPORTANCE}", line)
    return int(found[1]) if found else 0


def _read_relation(found: re.Match[str]) -> ToldRelation:
    sentiment = max(-FULL_SENTIMENT, min(FULL_SENTIMENT, int(found[4])))
    return ToldRelation(found[1], found[3], found[2], sentiment, found[5] or "")
