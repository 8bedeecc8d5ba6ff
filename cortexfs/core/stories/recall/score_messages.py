"""Score the messages of a story for a query: BM25 over messages, with a share of their chunk."""

from __future__ import annotations

from math import log
from sys import intern
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.find.tokenize import tokenize

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cortexfs.core.stories.message import Message

HALF_COUNT, LENGTH_SHARE = 0.9, 0.4
"""BM25's k1 and b for turns of conversations."""
CHUNK_SHARE = 0.3
"""How much the score of its chunk adds to a message: those around it are about the same."""

MAX_FOUND = 200
"""Names that a chunk remembers to have or not."""


class TermIndex(NamedTuple):
    """The terms of the messages of a chunk, with blanks around each: a line for each message.

    `lengths` counts the terms of each message, `speakers` has those of who says it. `places` has
    for each term the messages that have it: one character, of which the code is the place of the
    message, for each time. `found` has what `has_any` has found: a chat asks for the same names
    again and again.
    """

    lines: str
    lengths: tuple[int, ...]
    speakers: tuple[str, ...]
    places: Mapping[str, str]
    found: dict[tuple[str, ...], bool]

    @property
    def texts(self) -> list[str]:
        """The terms of each message."""
        return self.lines.split("\n")[:-1]

    def find(self, form: str) -> str:
        """Return the places of a term, of several with blanks between them, or of a prefix."""
        if form in self.places:
            return self.places[form]
        if form.endswith("*"):
            return self._count_in_texts(f" {form[:-1]}")
        is_there = " " in form and self._has_words(form)
        return self._count_in_texts(f" {form} ") if is_there else ""

    def has_any(self, forms: tuple[str, ...]) -> bool:
        """Return whether any message has one of some terms, or of several with blanks between."""
        known = self.found.get(forms)
        if known is None:
            if len(self.found) >= MAX_FOUND:
                self.found.clear()
            known = self.found[forms] = any(map(self._has_words, forms))
        return known

    def _has_words(self, form: str) -> bool:
        """Return whether a message has some terms one after the other."""
        return form.partition(" ")[0] in self.places and f" {form} " in self.lines

    def _count_in_texts(self, pattern: str) -> str:
        return "".join([chr(place) * text.count(pattern) for place, text in enumerate(self.texts)])

    def cut_after(self, count: int) -> TermIndex:
        """Return the terms of the first messages."""
        end = chr(count)
        found = (
            (term, "".join(place for place in places if place < end))
            for term, places in self.places.items()
        )
        places = {term: left for term, left in found if left}
        lines = "".join([f"{text}\n" for text in self.texts[:count]])
        return TermIndex(lines, self.lengths[:count], self.speakers[:count], places, {})


class WeightedTerm(NamedTuple):
    """A term of a query: its forms, and how much it counts (0 to 1)."""

    forms: tuple[str, ...]
    weight: float


class MessageScores(NamedTuple):
    """The score of each message of each chunk by its words, and the highest that is possible."""

    own: list[list[float]]
    chunks: list[float]
    highest: float


def index_terms(messages: Iterable[Message]) -> TermIndex:
    """Return the terms of messages; who says them is part of their text."""
    lines: list[str] = []
    lengths: list[int] = []
    speakers: list[str] = []
    places: dict[str, str] = {}
    for place, message in enumerate(messages):
        words, names = tokenize(f"{message.speaker}: {message.text}")
        lines.append(f" {words} {names} \n")
        lengths.append(words.count(" ") + 1)
        speakers.append(tokenize(message.speaker).words)
        character = chr(place)
        for term in map(intern, f"{words} {names}".split()):  # one object for all chunks
            places[term] = places.get(term, "") + character
    return TermIndex("".join(lines), tuple(lengths), tuple(speakers), places, {})


def score_messages(
    terms: Sequence[WeightedTerm], chunks: Sequence[TermIndex], total: int
) -> MessageScores:
    """Return the scores of the messages of some chunks, out of `total` messages of the story."""
    sizes = [sum(chunk.lengths) for chunk in chunks]
    mean = max(1.0, sum(sizes) / max(1, sum([len(chunk.lengths) for chunk in chunks])))
    mean_chunk = max(1.0, sum(sizes) / max(1, len(chunks)))
    chunk_halves = [_half(size, mean_chunk) for size in sizes]
    halves = [[_half(length, mean) for length in chunk.lengths] for chunk in chunks]
    own = [[0.0] * len(chunk.lengths) for chunk in chunks]
    whole = [0.0] * len(chunks)
    highest = 0.0
    for term in terms:
        found = _find_places(chunks, term.forms)
        holders = sum([len(messages) for _, _, messages in found])
        weight = term.weight * log(1 + (total - holders + 0.5) / (holders + 0.5))
        highest += weight if holders else 0.0
        for number, places, messages in found:
            count = len(places)
            whole[number] += weight * count / (count + chunk_halves[number])
            scores, own_halves = own[number], halves[number]
            for character in messages:
                place, count = ord(character), places.count(character)
                scores[place] += weight * count / (count + own_halves[place])
    return MessageScores(own, whole, highest)


def _find_places(
    chunks: Sequence[TermIndex], forms: Sequence[str]
) -> list[tuple[int, str, set[str]]]:
    """Return the number of each chunk with one of some forms, their places, and each place once."""
    if len(forms) == 1 and " " not in forms[0] and not forms[0].endswith("*"):
        found = enumerate([chunk.places.get(forms[0], "") for chunk in chunks])  # nearly always
    else:
        found = enumerate(["".join(map(chunk.find, forms)) for chunk in chunks])
    return [(number, places, {*places}) for number, places in found if places]


def _half(length: int, mean: float) -> float:
    return HALF_COUNT * (1 - LENGTH_SHARE + LENGTH_SHARE * length / mean)
