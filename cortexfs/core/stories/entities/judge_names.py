"""Whether a capitalised word is a name, or a common word with a capital letter."""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING

from cortexfs.core.stories.entities.common_nouns import COMMON_NOUNS
from cortexfs.core.stories.entities.common_words import (
    CALENDAR_WORDS,
    FUNCTION_WORDS,
    NO_NAMES,
    NO_SURNAMES,
)
from cortexfs.core.stories.entities.cue_nouns import (
    COMPASS,
    INSTITUTIONS,
    PLACE_HEADS,
    PLACE_PREFIXES,
)
from cortexfs.core.stories.entities.find_names import is_camel_case, normalize_word
from cortexfs.core.stories.entities.given_names import FIRST_NAMES
from cortexfs.core.stories.entities.known_places import KNOWN_PLACE_NAMES, KNOWN_PLACES
from cortexfs.core.stories.entities.titles import ADDRESSES, RELATIVES, TITLES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cortexfs.core.stories.entities.evidence import Counts
    from cortexfs.core.stories.entities.name_form import NameForm

_SIGNS = {
    "says": 1.5,
    "acts": 1.0,
    "vocative": 0.8,
    "kin": 1.0,
    "belongs": 0.9,
    "moves": 0.9,
    "region": 1.5,
    "placeof": 1.2,
    "towards": 0.5,
    "object": 0.6,
    "fond": 0.5,
    "within": 0.6,
    "who": 0.4,
    "wield": 1.0,
    "item": 1.0,
    "join": 0.8,
    "factionof": 1.0,
    "followers": 1.0,
    "ed": 0.8,
    "he": 0.3,
    "she": 0.3,
    "does": 0.2,
    "owns": 0.4,
    "tied": 2.0,
    "told": 1.3,
}
_OF_SPEAKERS = frozenset({"says", "vocative", "acts"})
_MOST_SIGNS = 5.0
_NEVER = -9.0
_COMMON_ENDINGS = ("ing", "ly", "ness", "tion", "ment", "ful", "less", "ous", "ity", "ism", "ed")
_OFTEN_LOWER = 2
_RARE_HEAD = 4
_NO_HEADS = NO_NAMES - PLACE_HEADS
CAPITAL_NOUNS = 0.4
"""The share of capitalised words above which a text gives a capital letter to each Noun."""
_FEW_CAPITALS = 60


def find_noun_share(names: Mapping[str, Counts], words: Counts) -> float:
    """Return which share of the words of a text has a capital letter within sentences.

    It is under a quarter where names alone have one, and over a half in prose that gives one to
    each Noun.
    """
    capitals = sum("mid" in counts for name, counts in names.items() if " " not in name)
    return capitals / (capitals + len(words)) if capitals > _FEW_CAPITALS else 0.0


def judge_name(form: NameForm, words: Counts, noun_share: float = 0.0) -> float:
    """Return the log-odds that the form is a name.

    `words` counts words in lower case; `noun_share` is what `find_noun_share` returns.
    """
    odds = _judge(form, words)
    if noun_share < CAPITAL_NOUNS or "speaker" in form.counts or form.titles or not form.words:
        return odds
    first, last = form.words[0], form.words[-1]
    known = first in FIRST_NAMES or not KNOWN_PLACES.isdisjoint({first, last})
    known = known or last in PLACE_HEADS - {first}
    return odds if known else odds - 6.0 * noun_share + 0.5 * _count_signs(form.counts)


def _judge(form: NameForm, words: Counts) -> float:
    if "speaker" in form.counts:
        return 6.0
    if not form.words:
        return _judge_title(form) if form.titles else _NEVER
    if len(form.words) > 1 or form.titles:
        return _judge_several(form, words)
    word = normalize_word(form.name)
    if word in COMPASS and "mid" in form.counts:
        return 1.0  # in English prose a point of the compass has a capital letter as a region
    speaks = word in FIRST_NAMES and _is_spoken_of(form.counts)
    if not speaks and (word in NO_NAMES or word.partition("-")[0] in CALENDAR_WORDS):
        return _NEVER
    return _judge_word(form, word, words)


def _is_spoken_of(counts: Counts) -> bool:
    """Tell whether a word is that of somebody who speaks: Christian, May."""
    return not _OF_SPEAKERS.isdisjoint(counts) and counts.keys().isdisjoint({"the", "a", "like"})


def _count_signs(counts: Counts) -> float:
    found = sum(weight * min(3, counts[sign]) for sign, weight in _SIGNS.items() if sign in counts)
    return min(_MOST_SIGNS, found)


def _judge_title(form: NameForm) -> float:
    """Judge `Captain` or `Mother` without a name, by whether it stands as a name does."""
    counts, title = form.counts, form.titles[-1]
    if title in ADDRESSES:
        return _NEVER
    used = counts.get("mid", 0) - counts.get("a", 0) - counts.get("like", 0)
    if title in RELATIVES:
        used -= counts.get("the", 0)
        return -2.2 + log(1 + max(0, used)) + 0.15 * _count_signs(counts)
    return -3.0 + log(1 + max(0, used)) + 0.3 * _count_signs(counts)


def _judge_several(form: NameForm, words: Counts) -> float:
    """Judge a name of several words, or with a title."""
    mid, first, last = form.counts.get("mid", 0), form.words[0], form.words[-1]
    odds = 0.5 + log(1 + mid) + _count_signs(form.counts)
    if last in (NO_SURNAMES if form.titles else _NO_HEADS):
        odds -= 2.0 if len(form.words) > 1 else 2 * _MOST_SIGNS
    if form.titles or first in FIRST_NAMES or " ".join(form.words) in KNOWN_PLACE_NAMES:
        odds += 2.0
    elif not mid and last not in PLACE_HEADS:
        odds -= 1.5
    if first in PLACE_PREFIXES and last not in words:
        odds += 2.0
    common = all(words.get(word, 0) > _OFTEN_LOWER or word in FUNCTION_WORDS for word in form.words)
    return odds - (1.5 if common and last not in PLACE_HEADS else 0.0)


def _judge_word(form: NameForm, word: str, words: Counts) -> float:
    counts = form.counts
    mid, initial, low = counts.get("mid", 0), counts.get("initial", 0), words.get(word, 0)
    if (not mid and not initial) or (
        word in PLACE_HEADS
        and word not in KNOWN_PLACES
        and mid < _RARE_HEAD
        and not _is_spoken_of(counts)
    ):
        met = not low and "inthe" in counts and word not in INSTITUTIONS
        return 0.2 if met else _NEVER  # we met "in the Park"
    signs = _count_signs(counts)
    known = 1.8 if word in FIRST_NAMES or word in KNOWN_PLACES else 0.0
    if word in COMMON_NOUNS:
        known -= 1.8
    elif word in FIRST_NAMES:
        known += 0.5
    if word in FUNCTION_WORDS or word in TITLES:
        return -4.2 + known + log(1 + mid) + 0.4 * signs
    if is_camel_case(form.name):
        return 1.5 + signs - 2.0 * log(1 + low)
    if mid:
        share = (low + 0.2) / (low + mid + 0.3 * initial + 0.4)
        return 0.4 + known + log(1 + mid) + 0.5 * signs - 5.0 * share - 0.4 * log(1 + low)
    acts = 1.4 if "acts" in counts else 0.0
    ending = 2.0 if word.endswith(_COMMON_ENDINGS) and word not in FIRST_NAMES else 0.0
    repeated = 0.2 * log(1 + initial)
    return -2.2 + known + acts + 0.9 * signs + repeated - 1.5 * log(1 + low) - ending
