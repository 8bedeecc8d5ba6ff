"""Ties between the names of one passage."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.stories.entities.cue_nouns import ITEM_BEFORE
from cortexfs.core.stories.relations import cues
from cortexfs.core.stories.relations.cues import Tie
from cortexfs.core.stories.word_list import parse_words

if TYPE_CHECKING:
    from cortexfs.core.stories.entities.mention import Mention

CONFIDENCE = {
    "sidecar": 0.8,
    "verb": 0.75,
    "possessive": 0.7,
    "phrase": 0.7,
    "of": 0.65,
    "together": 0.65,
    "with": 0.6,
    "coordinated": 0.5,
    "endearment": 0.5,
    "hostile": 0.45,
    "near": 0.35,
    "emotion": 0.3,
}
"""How sure one tie is, by what showed it."""

_MAX_GAP, _MAX_EMOTION_GAP = 60, 180
_MOST_WORDS, _MOST_OF_WORDS, _MOST_NOUN_WORDS = 7, 6, 3
_AFTER, _SPEECH = 40, 160
_PREPOSITIONS = parse_words("with against beside before from alongside")
_PLACING = parse_words("in at to for from into")
_HIS = parse_words("his her their")
_BE = parse_words("is was were been be")
_BECAME = parse_words("were are became become remained")
_IS = parse_words("is was became also")
_SKIPPED = parse_words("""
the a an his her their my your our poor old young dear had has have was were is then finally
bravely once again always still also just deeply truly
""")
_SPEAKS_TO = re.compile(
    r"\s(?:\w+ly\s)?(?:said|says|whispered|murmured|told|cried|called|shouted|hissed|sneered|spat|"
    r"growled|snapped|yelled|breathed)(?:\s\w+ly)?(?:\s(?:to|at))?\s"
)
_SENTENCE_END = re.compile(r"[.!?;][\"”’*]*\s|\n\s*\n")
_WORDS = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_POSSESSIVE = re.compile(r" ?['’]s ")

Ties = dict[str, list[int]]


class _Pair(NamedTuple):
    """Two names, what stands between them and what after the second."""

    first: str
    second: str
    between: str
    after: str


def read_relations(text: str, mentions: list[Mention]) -> Ties:
    """Return for "A|B|type|source|word" how many ties there are and the sum of their sentiments.

    A is something to B; sentiments are in hundredths.
    """
    ties: Ties = {}
    for first, second in pairwise(mentions):
        if first.name == second.name or first.shouted or second.shouted:
            continue
        between = text[first.end : second.start]
        if _SENTENCE_END.search(between):
            continue
        pair = _Pair(first.name, second.name, between, text[second.end : second.end + _AFTER])
        if len(between) <= _MAX_GAP:
            _read_pair(ties, pair, text[max(0, first.start - _SPEECH) : first.start])
        elif _shares_joy(between) and not first.quoted:
            _add(ties, pair, Tie("ally", 30), "emotion", "shared joy")
    return ties


def _split(text: str) -> list[str]:
    return _WORDS.findall(text.lower())


def _shares_joy(between: str) -> bool:
    words = " ".join(between.split())
    return len(words) <= _MAX_EMOTION_GAP and not cues.JOY.isdisjoint(_split(words))


def _add(
    ties: Ties, pair: _Pair, tie: Tie, source: str, word: str, *, reverse: bool = False
) -> None:
    one, other = (pair.second, pair.first) if reverse else (pair.first, pair.second)
    held = ties.setdefault(f"{one}|{other}|{tie.type}|{source}|{word}", [0, 0])
    held[0] += 1
    held[1] += tie.sentiment


def _read_pair(ties: Ties, pair: _Pair, before: str) -> None:
    if possessive := _POSSESSIVE.match(pair.between):
        _read_possessive(ties, pair, _split(pair.between[possessive.end() :]))
    elif pair.between.strip(" ,\n") in {"and", "&"}:
        _read_joint(ties, pair)
    elif _SPEAKS_TO.fullmatch(pair.between):
        _read_address(ties, pair, set(_split(before.rpartition("\n\n")[2])))
    else:
        words = _split(pair.between)
        negated = cues.NEGATIONS.intersection(words) or any("n't" in word for word in words)
        if words and len(words) <= _MOST_WORDS and not negated:
            words = _read_his(ties, pair, words)
            _ = _read_noun(ties, pair, words) or _read_verb(ties, pair, words)


def _read_possessive(ties: Ties, pair: _Pair, words: list[str]) -> None:
    """`Melina's brother Caesar`, `Melina's older brother, Caesar`, `Melina's sword Starblade`."""
    if not words or len(words) > _MOST_NOUN_WORDS:
        return
    if tie := cues.NOUNS.get(words[-1]):
        _add(ties, pair, tie, "possessive", words[-1], reverse=True)
    elif words[-1] in ITEM_BEFORE:
        _add(ties, pair, Tie("owns", 20), "possessive", words[-1])


def _read_joint(ties: Ties, pair: _Pair) -> None:
    """`Melina and Caesar fought together`, `Melina and Caesar were rivals`."""
    words = _split(pair.after)[:4]
    if cues.NEGATIONS.intersection(words):
        return
    for index, word in enumerate(words[:2]):
        following = words[index + 1 :]
        if tie := cues.JOINT_VERBS.get(word):
            if word == "fought" and {"each", "another"}.intersection(following):
                tie = Tie("enemy", -60)
            _add(ties, pair, tie, "together" if "together" in following else "coordinated", word)
            return
        noun = cues.NOUNS.get(cues.PLURALS.get(word, ""))
        if index and words[0] in _BECAME and noun and noun.type in cues.SYMMETRICAL:
            _add(ties, pair, noun, "coordinated", word)


def _read_address(ties: Ties, pair: _Pair, spoken: set[str]) -> None:
    """`"Stay close, darling," Melina said to Caesar`."""
    if word := min(spoken & cues.HOSTILE, default=""):
        _add(ties, pair, Tie("enemy", -45), "hostile", word)
    elif word := min(spoken & cues.ENDEARMENTS, default=""):
        mocking = cues.MOCKING.intersection(_split(pair.between))
        _add(ties, pair, Tie("enemy", -40) if mocking else Tie("lover", 60), "endearment", word)


def _read_his(ties: Ties, pair: _Pair, words: list[str]) -> list[str]:
    """`Caesar and his sister Melina`; return the words before `his`."""
    start = next((at for at, word in enumerate(words) if word in _HIS), len(words))
    if words[-1] not in cues.NOUNS or not 1 < len(words) - start <= _MOST_NOUN_WORDS:
        return words
    _add(ties, pair, cues.NOUNS[words[-1]], "possessive", words[-1], reverse=True)
    return words[:start] or ["and"]


def _read_noun(ties: Ties, pair: _Pair, words: list[str]) -> bool:
    """`Caesar, son of Melina`; `Caesar is Melina's brother`."""
    noun = words[:-1] if words[-1] == "the" else words
    if len(noun) > 1 and noun[-1] in {"of", "to"} and len(words) <= _MOST_OF_WORDS:
        if tie := cues.NOUNS.get(noun[-2]):
            _add(ties, pair, tie, "of", noun[-2])
        return tie is not None
    if (possessive := _POSSESSIVE.match(pair.after)) and set(words) <= _IS:
        following = _split(pair.after[possessive.end() :])[:_MOST_NOUN_WORDS]
        word = next((word for word in following if word in cues.NOUNS), "")
        if word:
            _add(ties, pair, cues.NOUNS[word], "possessive", word)
        return bool(word)
    return False


def _read_verb(ties: Ties, pair: _Pair, words: list[str]) -> bool:
    """`Melina protected Caesar`, `Caesar was betrayed by Voss`, `Kael lives in Dustwell`."""
    core = [word for word in words if word not in _SKIPPED and not word.endswith("ly")]
    if not core or not pair.between.lstrip()[:1].isalpha():
        return False
    verb, rest, passive = core[0], core[1:], bool(_BE.intersection(words))
    if phrase := cues.PHRASES.get(" ".join(core)):
        _add(ties, pair, phrase, "phrase", " ".join(core))
        return True
    if verb in cues.LEARNING and rest[-1:] in (["from"], ["under"]):
        _add(ties, pair, Tie("mentor", 50), "with", verb, reverse=True)
        return True
    if not rest or rest == ["by"]:
        tie = cues.VERBS.get(verb) if passive == bool(rest) else None
        if tie:
            _add(ties, pair, tie, "verb", verb, reverse=passive)
        return tie is not None
    table = cues.WITH_VERBS if rest[-1] in _PREPOSITIONS else cues.PLACED_VERBS
    placed = table.get(verb) or (cues.PLACED_VERBS.get(verb) if rest == ["before"] else None)
    if verb == "fought" and _is_common_fight(rest[-1], pair.after):
        placed = Tie("ally", 60)
    if len(rest) == 1 and rest[-1] in _PREPOSITIONS | _PLACING and placed:
        _add(ties, pair, placed, "with", verb)
    elif (rest[-2:-1] == ["to"] or rest[-1].endswith("ing")) and rest[-1] in cues.VERBS:
        _add(ties, pair, cues.VERBS[rest[-1]], "with", rest[-1])
    return True


def _is_common_fight(preposition: str, after: str) -> bool:
    """Tell whether two fought as allies: `beside Melina`, `with Melina against the Legion`."""
    return preposition in cues.SIDE_BY_SIDE or (
        preposition == "with" and cues.COMMON_CAUSES.match(after) is not None
    )
