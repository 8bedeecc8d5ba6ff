"""Which entities a text names: by their names and aliases, as words."""

from __future__ import annotations

from math import log2
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.find.stop_words import load_stop_words
from cortexfs.core.find.tokenize import tokenize

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

MIN_NAME_CHARS = 2
MENTION_SHARE = 0.3
"""How much a message counts for somebody who speaks in the story, if it only names them."""


class NamedEntity(NamedTuple):
    """An entity as the catalog knows it: its ref and path, its names, how often it is mentioned."""

    ref: str
    path: str
    names: tuple[str, ...]
    mentions: int
    salience: float
    status: str


class EntityNames(NamedTuple):
    """The names of the entities of a project, as terms between blanks, each with its entity."""

    entities: tuple[NamedEntity, ...]
    by_first: Mapping[str, Sequence[tuple[str, int]]]

    @classmethod
    def from_entities(cls, entities: Sequence[NamedEntity]) -> EntityNames:
        """Return the names of entities; a name of stop words alone is none."""
        by_first: dict[str, list[tuple[str, int]]] = {}
        for place, entity in enumerate(entities):
            for name in dict.fromkeys(entity.names):
                if terms := _to_terms(name):
                    by_first.setdefault(terms.split(" ", 1)[0], []).append((f" {terms} ", place))
        return cls(tuple(entities), by_first)

    def find_in(self, text: str) -> dict[str, NamedEntity]:
        """Return the entities that a text names, by ref, in the order of their first name."""
        return self.find_in_terms(f" {tokenize(text).words} ")

    def find_in_terms(self, spaced: str) -> dict[str, NamedEntity]:
        """Return the same of the terms of a text, with blanks around each."""
        found: dict[int, None] = {}
        for word in filter(self.by_first.__contains__, dict.fromkeys(spaced.split())):
            for terms, place in self.by_first[word]:
                if len(terms) == len(word) + 2 or terms in spaced:  # one word, or several
                    found[place] = None
        return {self.entities[place].ref: self.entities[place] for place in found}


def list_name_patterns(names: Iterable[str]) -> tuple[str, ...]:
    """Return how names look in the terms of a text."""
    return tuple(dict.fromkeys(f" {terms} " for name in names if (terms := _to_terms(name))))


def _to_terms(name: str) -> str:
    terms = tokenize(name).words
    if len(name) < MIN_NAME_CHARS or set(terms.split()) <= load_stop_words():
        return ""
    return terms


class AskedEntity(NamedTuple):
    """An entity that was named last: how its names look in terms, and how much it counts.

    `speaks` means that it is one of those who speak in the story.
    """

    patterns: tuple[str, ...]
    weight: float
    speaks: bool


class AskedEntities(NamedTuple):
    """The entities that were named last."""

    entities: tuple[AskedEntity, ...]

    @classmethod
    def from_texts(
        cls, names: EntityNames, texts: Sequence[str], speakers: Iterable[str]
    ) -> AskedEntities:
        """Return the entities that texts name; those that everything mentions count less.

        `speakers` are those who speak in the story, as terms with blanks around them; they are
        entities whatever the files say.
        """
        said = f" {' '.join(tokenize(text).words for text in texts)} "
        every = set(speakers)
        asked = {
            patterns: AskedEntity(patterns, 1 / log2(2 + each.mentions), bool(every & {*patterns}))
            for each in names.find_in_terms(said).values()
            if (patterns := list_name_patterns(each.names))
        }
        known = {pattern for patterns in asked for pattern in patterns}
        others = [each for each in every - known if each.strip() and each in said]
        unknown = (AskedEntity((each,), 1.0, speaks=True) for each in sorted(others))
        return cls((*asked.values(), *unknown))

    def measure_overlap(self, whole: str) -> float:
        """Return from 0 to 1 how many of the entities a chunk with these terms names."""
        return self._weigh([float(_has_any(whole, each.patterns)) for each in self.entities])

    def measure_message(self, speaker: str, text: str) -> float:
        """Return from 0 to 1 how much a message is of the entities.

        Of those who speak, what they say counts more than what names them: it is said to them.
        """
        return self._weigh(
            [
                1.0
                if speaker in each.patterns
                else _has_any(text, each.patterns) * (MENTION_SHARE if each.speaks else 1.0)
                for each in self.entities
            ]
        )

    def _weigh(self, shares: Sequence[float]) -> float:
        if not shares:
            return 0.0
        weights = [each.weight for each in self.entities]
        every = sum(weights)
        found = sum(share * weight for share, weight in zip(shares, weights, strict=True))
        return found / every if every else 0.0


def _has_any(text: str, patterns: Iterable[str]) -> bool:
    return any(pattern in text for pattern in patterns)
