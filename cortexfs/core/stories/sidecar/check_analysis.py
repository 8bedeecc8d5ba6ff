"""Check what a language model says of a chunk: names must be in the text, numbers in range.

What is not plausible is left out; the rest counts.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from cortexfs.core.checks.secrets import redact
from cortexfs.core.stories.colours.speaker_colour import ColourUsage
from cortexfs.core.stories.salience.emotion_terms import Emotion
from cortexfs.core.stories.sidecar.analysis_lines import NAME
from cortexfs.core.stories.sidecar.chunk_analysis import (
    FULL_IMPORTANCE,
    FULL_SENTIMENT,
    MAX_EMOTIONS,
    ChunkAnalysis,
    StatusChange,
    ToldColour,
    ToldEntity,
    ToldFact,
    ToldRelation,
    ToldStatus,
)
from cortexfs.core.stories.story_entity import EntityType, RelationType
from cortexfs.core.text.sanitize import to_one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

MAX_TEXT_CHARS = 160
MAX_SUMMARY_CHARS = 300
MIN_TEXT_CHARS = 3
MAX_ITEMS = 20
"""Items of each kind that count."""
_NAME = re.compile(NAME)
_CAPITALIZED = re.compile(r"(?:(?<=\w )|(?<=[,;] ))[A-ZÀ-ÖØ-ÞΑ-ΩА-Я][^\W\d_]{2,}")
_COLOUR = re.compile(r"#[0-9a-f]{6}")
_MARKUP = re.compile(r"[<>\[\]`{}|\\]|https?:|www\.", re.IGNORECASE)
_CAPITAL_SHARE = 0.15
"""Share of words from which a text capitalizes more than names, as German does."""

_Item = TypeVar("_Item")


class KnownWords(NamedTuple):
    """The text of what was said, folded, and whether its capital letters tell names apart."""

    text: str
    has_names: bool

    def has(self, name: str) -> bool:
        """Return whether a name stands in the text, not as a part of a word."""
        pattern = rf"(?<!\w){re.escape(_fold(name))}(?!\w)"
        return re.search(pattern, self.text) is not None


def read_known_words(parts: Iterable[str]) -> KnownWords:
    """Return the words of what was said and of who says it."""
    text = "\n".join(parts)
    words, capitals = len(text.split()), len(_CAPITALIZED.findall(text))
    return KnownWords(_fold(text), capitals < _CAPITAL_SHARE * words)


def check_analysis(said: Mapping[str, Any], known: KnownWords) -> ChunkAnalysis | None:
    """Return what is plausible of an answer about one chunk; None if its importance is not."""
    importance = said.get("importance")
    if not isinstance(importance, int) or not 1 <= importance <= FULL_IMPORTANCE:
        return None
    emotions = [each for each in said.get("emotions", ()) if each in {*Emotion}]
    return ChunkAnalysis(
        importance,
        tuple(dict.fromkeys(emotions))[:MAX_EMOTIONS],
        check_text(said.get("summary", ""), known, MAX_SUMMARY_CHARS),
        _keep(_check_status(each, known) for each in said.get("status", ())),
        _keep(_check_entity(each, known) for each in said.get("entities", ())),
        _keep(_check_fact(each, known) for each in said.get("facts", ())),
        _keep(_check_relation(each, known) for each in said.get("relations", ())),
        _keep(_check_colour(each, known) for each in said.get("colours", ())),
    )


def check_text(text: str, known: KnownWords, most: int = MAX_TEXT_CHARS) -> str:
    """Return a text on one line; empty if it is too long, has markup, or names that are unknown."""
    line = to_one_line(redact(text)).strip()
    if not MIN_TEXT_CHARS <= len(line) <= most or _MARKUP.search(line):
        return ""
    names = _CAPITALIZED.findall(line) if known.has_names else ()
    return line if all(map(known.has, names)) else ""


def _check_name(name: str, known: KnownWords) -> str:
    line = to_one_line(name).strip()
    return line if _NAME.fullmatch(line) and known.has(line) and line == redact(line) else ""


def _check_status(said: Mapping[str, str], known: KnownWords) -> ToldStatus | None:
    name, change = _check_name(said["name"], known), said["change"]
    return ToldStatus(name, StatusChange(change)) if name and change in {*StatusChange} else None


def _check_entity(said: Mapping[str, str], known: KnownWords) -> ToldEntity | None:
    name, kind = _check_name(said["name"], known), said["type"]
    description = check_text(said.get("description", ""), known)
    return ToldEntity(name, kind, description) if name and kind in {*EntityType} else None


def _check_fact(said: Mapping[str, Any], known: KnownWords) -> ToldFact | None:
    name, text = _check_name(said["name"], known), check_text(said["text"], known)
    importance = int(said["importance"])
    is_good = name and text and 1 <= importance <= FULL_IMPORTANCE
    return ToldFact(name, text, importance) if is_good else None


def _check_relation(said: Mapping[str, Any], known: KnownWords) -> ToldRelation | None:
    name, other = _check_name(said["name"], known), _check_name(said["other"], known)
    kind, sentiment = said["type"], int(said["sentiment"])
    label = check_text(said.get("label", ""), known)
    is_good = name and other and name != other and kind in {*RelationType}
    return (
        ToldRelation(name, other, kind, sentiment, label)
        if is_good and abs(sentiment) <= FULL_SENTIMENT
        else None
    )


def _check_colour(said: Mapping[str, str], known: KnownWords) -> ToldColour | None:
    colour, name, usage = said["colour"].lower(), _check_name(said["name"], known), said["usage"]
    is_good = name and usage in {*ColourUsage} and _COLOUR.fullmatch(colour)
    is_there = colour in known.text or f"#{colour[1::2]}" in known.text
    return ToldColour(colour, name, ColourUsage(usage)) if is_good and is_there else None


def _keep(items: Iterable[_Item | None]) -> tuple[_Item, ...]:
    found: Sequence[_Item] = list(dict.fromkeys(item for item in items if item is not None))
    return tuple(found[:MAX_ITEMS])


def _fold(text: str) -> str:
    return " ".join(text.casefold().replace("’", "'").split())
