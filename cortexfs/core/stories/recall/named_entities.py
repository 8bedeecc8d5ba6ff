"""Which entities a text names: by their names and aliases, as words."""

from __future__ import annotations

from math import log2
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.find.stop_words import load_stop_words
from cortexfs.core.find.tokenize import tokenize

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

MIN_NAME_CHARS = 2


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
        for word in dict.fromkeys(spaced.split()):
            for terms, place in self.by_first.get(word, ()):
                if terms in spaced:
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


class NamedInQuery(NamedTuple):
    """The entities that were named last: how each looks in terms, and how much it counts."""

    patterns: tuple[tuple[tuple[str, ...], float], ...]

    @classmethod
    def from_texts(cls, names: EntityNames, texts: Sequence[str]) -> NamedInQuery:
        """Return the entities that texts name; those that everything mentions count less."""
        named = names.find_in(" . ".join(texts)).values()
        return cls(
            tuple((list_name_patterns(each.names), 1 / log2(2 + each.mentions)) for each in named)
        )

    def measure_overlap(self, texts: Sequence[str]) -> float:
        """Return from 0 to 1 how many of the entities a chunk with these terms names."""
        every = sum(weight for _, weight in self.patterns)
        if not every:
            return 0.0
        whole = "".join(texts)
        found = (
            weight
            for patterns, weight in self.patterns
            if any(pattern in whole for pattern in patterns)
        )
        return sum(found) / every
