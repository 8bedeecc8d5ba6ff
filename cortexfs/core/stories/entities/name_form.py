"""A written form of a name: its title, its names, its evidence."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from cortexfs.core.stories.entities.cue_nouns import PLACE_HEADS, SURNAME_HEADS
from cortexfs.core.stories.entities.find_names import normalize_word
from cortexfs.core.stories.entities.given_names import FIRST_NAMES, get_name_gender
from cortexfs.core.stories.entities.titles import (
    FOLLOWING_TITLES,
    MARRIED,
    RANKS,
    TITLES,
    get_gender,
)
from cortexfs.core.stories.word_list import parse_words

if TYPE_CHECKING:
    from cortexfs.core.stories.entities.evidence import Counts

_PARTICLE_WORDS = """
de la von van der du da di del della le al ibn bin ben ap of the y d' jr sr esq junior senior
"""
_PARTICLES = parse_words(_PARTICLE_WORDS)
_ENOUGH_PRONOUNS = 3
_HONORIFICS = parse_words("reverend rev hon honourable honorable herr monsieur right")
_OF_STREETS = parse_words("""
duke king queen prince princess bishop lord lady st saint earl canon dean abbot cardinal governor
""")
_LEADING = frozenset({"Van", "Von", "De", "Du", "Di"})
"""Particles with a capital letter, where no first name stands before them."""
_FEMALE_ENDINGS = ("ina", "etta", "issa", "anna", "ella", "iana")
EPITHETS = parse_words("old young little poor big dear good honest long black red wee tiny")
_MARKS = re.compile(r"^\W+|\W+$")


@dataclass(slots=True)
class NameForm:
    """A form with its evidence; `words` are the names in lower case, without titles and particles.

    `odds`: the log-odds that it is a name. `mentions`: how often it stands in the text or speaks.
    `written` are the names in the texts that are this form; none if a person alone says that it is.
    """

    name: str
    counts: Counts
    titles: tuple[str, ...]
    words: tuple[str, ...]
    mentions: int
    gender: str
    odds: float = 0.0
    written: tuple[str, ...] = ()

    @property
    def married(self) -> bool:
        """Whether its title is a married woman's."""
        return bool(self.titles) and self.titles[0] in MARRIED


def make_form(name: str, counts: Counts, written: tuple[str, ...] = ()) -> NameForm:
    """Return the form of a name as it is written."""
    titles, words = parse_name(name)
    mentions = sum(counts.get(cue, 0) for cue in ("mid", "initial", "speaker", "capitals"))
    gender = _find_gender(titles, words, counts)
    return NameForm(name, counts, titles, words, mentions, gender, written=written)


@lru_cache(maxsize=20_000)
def parse_name(name: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the titles and the names in lower case, without particles and marks."""
    titles: list[str] = []
    words: list[str] = []
    written = _strip_epithet(name.split())
    if len(written) > 1 and written[0] in _LEADING:
        del written[0]
    following = normalize_word(written[-1]) if len(written) > 1 else ""
    if following in FOLLOWING_TITLES and normalize_word(written[-2]) not in TITLES:
        del written[-1]
    for index, word in enumerate(written, 1):
        plain = normalize_word(word)
        titled = plain in TITLES and not words and not _is_street(written)
        if titled and (index < len(written) or not titles):
            titles.append(plain)
        elif plain not in _PARTICLES or not (words or titles):
            words.append(plain if plain.isalpha() else _MARKS.sub("", plain) or plain)
    if following in FOLLOWING_TITLES and not titles:
        titles.append(following)
    if len(titles) > 1 and titles[0] in _HONORIFICS:
        del titles[0]
    return tuple(titles), tuple(words)


def _strip_epithet(written: list[str]) -> list[str]:
    """Return the words without an epithet before a person's name: `Old Gregory`."""
    plain = [normalize_word(word) for word in written[:2]]
    personal = len(plain) > 1 and (plain[1] in FIRST_NAMES or plain[1] in TITLES)
    return written[1:] if personal and plain[0] in EPITHETS else written


def _is_street(written: list[str]) -> bool:
    """Tell whether a title is part of a place's name: `Duke Street`, `Queen Ann Street`."""
    return (
        normalize_word(written[-1]) in PLACE_HEADS - SURNAME_HEADS
        and normalize_word(written[0]) in _OF_STREETS
    )


def _find_gender(titles: tuple[str, ...], words: tuple[str, ...], counts: Counts) -> str:
    he, she = counts.get("he", 0), counts.get("she", 0)
    for title in titles:
        if gender := get_gender(title):
            return gender
    if titles and titles[0] in RANKS and she <= 3 * (he + 1):
        return "m"  # as in most of what was written; pronouns outweigh it
    if words and (len(words) > 1 or not titles) and (gender := get_name_gender(words[0])):
        return gender
    if he + she >= _ENOUGH_PRONOUNS and max(he, she) >= 2 * min(he, she):
        return "m" if he > she else "f"
    first = words[0] if words and (len(words) > 1 or not titles) else ""
    return "f" if first.endswith(_FEMALE_ENDINGS) else ""
