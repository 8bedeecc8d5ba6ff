"""Which entities a text names: by their names and aliases, as words."""

from __future__ import annotations

from functools import lru_cache
from math import log2
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.find.stop_words import load_stop_words
from cortexfs.core.find.tokenize import tokenize

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cortexfs.core.stories.recall.score_messages import TermIndex

MIN_NAME_CHARS = 2
MAX_KEPT_NAMES = 4096
"""Entities whose names are kept as terms."""
MAX_KEPT_TEXTS = 256
"""Messages whose terms are kept: those that are visible are asked about again and again."""
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


class _Name(NamedTuple):
    """What begins with some terms: the places of the entities of that name, and longer names."""

    places: list[int]
    longer: dict[str, _Name]


class EntityNames(NamedTuple):
    """The entities of a project, and their names by their first term."""

    entities: tuple[NamedEntity, ...]
    by_first: Mapping[str, _Name]

    @classmethod
    def from_entities(cls, entities: Sequence[NamedEntity]) -> EntityNames:
        """Return the names of entities; a name of stop words alone is none."""
        by_first: dict[str, _Name] = {}
        for place, entity in enumerate(entities):
            for terms in drop_longer_names(list_name_terms(entity.names)):
                name = _Name([], by_first)
                for term in terms.split(" "):
                    name = name.longer.setdefault(term, _Name([], {}))
                name.places.append(place)
        return cls(tuple(entities), by_first)

    def find_in(self, text: str) -> dict[str, NamedEntity]:
        """Return the entities that a text names, by ref, in the order in which it names them."""
        return self.find_in_terms(_list_terms(text))

    def find_in_terms(self, spaced: str) -> dict[str, NamedEntity]:
        """Return the same of the terms of a text, with blanks around each."""
        words = spaced.split(" ")
        found: dict[int, None] = {}
        for start in [at for at, word in enumerate(words) if word in self.by_first]:
            at, name = start, self.by_first.get(words[start])
            while name:
                found |= dict.fromkeys(name.places)
                at += 1
                name = name.longer.get(words[at])  # the last word is empty
        return {self.entities[place].ref: self.entities[place] for place in found}


@lru_cache(maxsize=MAX_KEPT_TEXTS)
def _list_terms(text: str) -> str:
    """Return the terms of a text with blanks around each."""
    return f" {tokenize(text).words} "


@lru_cache(maxsize=MAX_KEPT_NAMES)
def list_name_terms(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the terms of names, with blanks between those of one."""
    return tuple(dict.fromkeys(filter(None, map(_to_terms, names))))


@lru_cache(maxsize=MAX_KEPT_NAMES)
def drop_longer_names(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names that have no other one in them: who is named by the longer one is by it."""
    return tuple(
        name
        for name in names
        if not any(f" {each} " in f" {name} " for each in names if each != name)
    )


def _to_terms(name: str) -> str:
    terms = tokenize(name).words
    if len(name) < MIN_NAME_CHARS or set(terms.split()) <= load_stop_words():
        return ""
    return terms


class AskedEntity(NamedTuple):
    """An entity that was named last: its names as terms, and how much it counts.

    `sought` are the names that have no other one in them. `speaks` means that it is one of those
    who speak in the story.
    """

    names: tuple[str, ...]
    sought: tuple[str, ...]
    weight: float
    speaks: bool

    @classmethod
    def from_names(cls, names: tuple[str, ...], weight: float, speakers: set[str]) -> AskedEntity:
        """Return an entity with some names in a story where some speak."""
        return cls(names, drop_longer_names(names), weight, not speakers.isdisjoint(names))

    def list_places(self, terms: TermIndex) -> set[int]:
        """Return the places of the messages of a chunk that name it."""
        return {*map(ord, "".join(map(terms.find, self.sought)))}


class AskedEntities(NamedTuple):
    """The entities that were named last."""

    entities: tuple[AskedEntity, ...]

    @classmethod
    def from_texts(
        cls, names: EntityNames, texts: Sequence[str], speakers: Iterable[str]
    ) -> AskedEntities:
        """Return the entities that texts name; those that everything mentions count less.

        `speakers` are those who speak in the story, as terms; they are entities whatever the files
        say.
        """
        said = f" {' '.join(tokenize(text).words for text in texts)} "
        every = set(speakers)
        asked = {
            terms: AskedEntity.from_names(terms, 1 / log2(2 + each.mentions), every)
            for each in names.find_in_terms(said).values()
            if (terms := list_name_terms(each.names))
        }
        known = {name for names in asked for name in names}
        others = [each for each in every - known if each and f" {each} " in said]
        unknown = (AskedEntity.from_names((each,), 1.0, every) for each in sorted(others))
        return cls((*asked.values(), *unknown))

    def measure_overlap(self, terms: TermIndex) -> float:
        """Return from 0 to 1 how many of the entities a chunk with these terms names."""
        named = sum([each.weight for each in self.entities if terms.has_any(each.sought)])
        return named / self._total if named else 0.0

    def measure_messages(self, terms: TermIndex) -> list[float]:
        """Return from 0 to 1 how much each message of a chunk is of the entities.

        Of those who speak, what they say counts more than what names them: it is said to them.
        """
        shares = [0.0] * len(terms.lengths)
        for each in self.entities:
            mentioned = each.weight * (MENTION_SHARE if each.speaks else 1.0)
            said = [place for place, speaker in enumerate(terms.speakers) if speaker in each.names]
            for place in each.list_places(terms).difference(said):
                shares[place] += mentioned
            for place in said:
                shares[place] += each.weight
        return [share / self._total if share else 0.0 for share in shares]

    @property
    def _total(self) -> float:
        return sum([each.weight for each in self.entities])
