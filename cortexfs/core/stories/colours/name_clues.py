"""What stands beside names in a text without tags: verbs, possessives, who a paragraph is about."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.stories.entities.common_words import FUNCTION_WORDS
from cortexfs.core.stories.entities.find_names import find_names
from cortexfs.core.stories.entities.verbs import COMMON_VERBS, PERSON_VERBS, SPEECH_VERBS
from cortexfs.core.stories.word_list import parse_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_AFTER = re.compile(
    r"(?P<own>['’]s?\b)?\s{0,3}(?:(?:\w{2,20}ly|then|only|just|almost|finally|simply|still|now|too|"
    r"himself|herself|had|has|was|is)\s{1,3}){0,2}(?P<verb>[^\W\d_]{2,30}|)"
)
_REGULAR = re.compile(r"[a-z]{2,}(?:ed|[^s\W]s)", re.ASCII)
_NO_VERBS = parse_words("""
towards besides always sometimes perhaps across backwards forwards upwards downwards afterwards
hundred sacred tired naked indeed red bed unless others
""")
_VERBS = PERSON_VERBS | SPEECH_VERBS | COMMON_VERBS
_FIRST_PERSON = re.compile(r"\b(?:I|I'm|I’m|I'd|I’d|I'll|I’ll|I've|I’ve|me|my|mine|myself)\b")
_AT_START, _WITH_VERB, _OWNING, _NAMED, _ADDRESSED = 3, 2, 1.5, 1, 0
_FAR = 2000
_CLEAR, _LIKELY = 3, 1.5
FOCUS = (0.6, 0.7, 0.8)
"""How sure it is that a paragraph is about somebody: by how much."""


class Clue(NamedTuple):
    """A mention of somebody: who, from `start` to `end`, whether quoted, and what follows.

    `has_verb`: the name is the subject of a verb; `owns`: it is a possessive.
    """

    name: str
    start: int
    end: int
    quoted: bool
    has_verb: bool
    owns: bool


class Clues(NamedTuple):
    """The mentions of a text in their order, and where its paragraphs begin."""

    plain: str
    mentions: tuple[Clue, ...]
    paragraphs: tuple[int, ...]

    def find_paragraph(self, at: int) -> tuple[int, int]:
        """Return where the paragraph with a place begins and ends; of a long one, what is near."""
        number = bisect_right(self.paragraphs, at) - 1
        last = number + 1 == len(self.paragraphs)
        end = len(self.plain) if last else self.paragraphs[number + 1]
        return max(self.paragraphs[number], at - _FAR), min(end, at + _FAR)

    def select(self, start: int, end: int) -> tuple[Clue, ...]:
        """Return the mentions from one place to another."""
        first = bisect_left(self.mentions, start, key=lambda clue: clue.start)
        return self.mentions[first : bisect_left(self.mentions, end, key=lambda clue: clue.start)]


def read_clues(plain: str, people: Mapping[str, str]) -> Clues:
    """Return the mentions of people in a text; `people` has their name by written form."""
    paragraphs = (0, *(found.end() for found in re.finditer(r"\n+", plain)))
    return Clues(plain, tuple(_iter_mentions(plain, people)), paragraphs)


def has_first_person(text: str) -> bool:
    """Return whether somebody tells in a text of himself."""
    return _FIRST_PERSON.search(text) is not None


def is_verb(word: str) -> bool:
    """Return whether a word after a name may be its verb."""
    if word in _VERBS:
        return True
    return bool(_REGULAR.fullmatch(word)) and word not in FUNCTION_WORDS | _NO_VERBS


def find_focus(clues: Clues, at: int) -> tuple[str, float] | None:
    """Return whom the paragraph of a place is about, and how sure that is; None if nobody."""
    start, end = clues.find_paragraph(at)
    scores: dict[str, float] = {}
    for clue in clues.select(start, end):
        leads = not scores and not clues.plain[start : clue.start].strip(' *_"“(-—…')
        scores[clue.name] = scores.get(clue.name, 0) + _weigh(clue, leads=leads)
    ranked = sorted(scores.items(), key=lambda item: -item[1])
    if not ranked or ranked[0][1] == 0:
        return None
    margin = ranked[0][1] - (ranked[1][1] if len(ranked) > 1 else 0)
    if margin <= 0:
        return None
    return ranked[0][0], FOCUS[(margin >= _LIKELY) + (margin >= _CLEAR)]


def _weigh(clue: Clue, *, leads: bool) -> float:
    if clue.quoted:
        return _ADDRESSED
    weight: float = _NAMED + (_WITH_VERB if clue.has_verb else 0) + (_OWNING if clue.owns else 0)
    return weight + (_AT_START if leads and (clue.has_verb or clue.owns) else 0)


def _iter_mentions(plain: str, people: Mapping[str, str]) -> Iterator[Clue]:
    for mention in find_names(plain):
        if mention.name in people:
            after = _AFTER.match(plain, mention.end)
            owns = bool(after and after["own"])
            has_verb = bool(after and not owns and is_verb(after["verb"]))
            name = people[mention.name]
            yield Clue(name, mention.start, mention.end, mention.quoted, has_verb, owns)
