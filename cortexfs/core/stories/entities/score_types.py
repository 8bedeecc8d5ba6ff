"""What a name names, as log-odds summed over its evidence."""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING

from cortexfs.core.stories.entities import cue_nouns as nouns
from cortexfs.core.stories.entities.find_names import is_camel_case
from cortexfs.core.stories.entities.given_names import FIRST_NAMES
from cortexfs.core.stories.entities.known_places import KNOWN_PLACE_NAMES, KNOWN_PLACES
from cortexfs.core.stories.entities.titles import TITLES

if TYPE_CHECKING:
    from cortexfs.core.stories.entities.name_form import NameForm

TYPES = ("character", "location", "item", "faction", "concept", "event")
CHARACTER, LOCATION, _ITEM, _FACTION, _CONCEPT, _EVENT = range(6)
_WEIGHTS = {
    # character, location, item, faction, concept, event
    "says": (2.2, -1.5, -1.0, -0.3, -0.5, -1.0),
    "acts": (1.3, -0.6, -0.4, 0.0, -0.2, -0.6),
    "ed": (1.0, -0.4, -0.2, 0.0, -0.1, -0.3),
    "does": (0.35, 0.0, 0.1, 0.1, 0.1, 0.1),
    "vocative": (1.6, -1.0, -0.8, -0.6, -0.2, -0.8),
    "fond": (1.5, -0.6, -0.3, -0.5, -0.2, -0.4),
    "kin": (1.8, -0.8, -0.8, -0.8, -0.6, -0.8),
    "belongs": (1.4, -0.5, -0.4, -0.2, -0.2, -0.4),
    "owns": (0.4, 0.2, 0.0, 0.2, 0.0, 0.0),
    "object": (1.2, -0.3, -0.1, 0.1, 0.0, -0.3),
    "towards": (0.8, -0.4, -0.1, 0.1, 0.0, -0.1),
    "who": (0.9, -0.3, -0.4, 0.1, -0.2, -0.4),
    "he": (0.5, -0.1, -0.1, -0.2, -0.1, -0.1),
    "she": (0.5, -0.1, -0.1, -0.2, -0.1, -0.1),
    "it": (-0.2, 0.1, 0.3, 0.1, 0.2, 0.2),
    "they": (0.0, 0.0, 0.0, 0.2, 0.0, 0.0),
    "within": (-0.9, 1.6, -0.2, -0.2, 0.0, 0.0),
    "moves": (-0.9, 1.6, -0.4, -0.2, -0.3, -0.3),
    "at": (-0.3, 1.3, -0.1, 0.0, 0.0, 0.1),
    "from": (-0.1, 1.0, 0.0, 0.1, 0.0, 0.0),
    "beside": (0.0, 0.8, 0.0, 0.1, 0.1, 0.1),
    "inthe": (-0.3, 1.0, 0.1, 0.1, 0.1, 0.1),
    "listed": (-0.4, 1.0, 0.0, 0.0, 0.0, 0.0),
    "of": (-0.1, 0.7, 0.0, 0.2, 0.1, 0.0),
    "region": (-1.0, 2.2, -1.0, -0.6, -0.8, -0.8),
    "placeof": (-0.8, 2.0, -0.8, -0.6, -0.4, -0.4),
    "placenoun": (-0.8, 1.2, -0.2, 0.1, 0.1, 0.0),
    "the": (-1.1, 0.3, 0.25, 0.3, 0.35, 0.3),
    "a": (-0.5, -0.5, 0.2, -0.1, 0.5, 0.0),
    "like": (-0.1, -0.2, 0.1, 0.0, 0.4, 0.1),
    "wield": (-0.8, -1.0, 3.0, -0.8, 0.0, -0.8),
    "item": (-1.5, -0.5, 3.5, -0.3, 0.0, -0.5),
    "join": (-0.2, -0.3, -0.5, 2.2, 0.0, -0.2),
    "factionof": (-0.2, -0.2, -0.5, 2.2, 0.0, -0.4),
    "followers": (-0.6, -0.3, -0.4, 2.2, 0.0, -0.4),
    "when": (-0.1, -0.1, -0.3, -0.3, 0.1, 1.2),
    "tied": (0.8, -0.3, -0.3, 0.2, -0.3, -0.5),
    "speaker": (8.0, -4.0, -4.0, -4.0, -4.0, -4.0),
}
_CUES = tuple(_WEIGHTS)
"""In one order, because sums of fractions depend on it."""
_HEADS = (
    (nouns.PLACE_HEADS, LOCATION),
    (nouns.FACTION_HEADS, _FACTION),
    (nouns.ITEM_HEADS, _ITEM),
    (nouns.EVENT_HEADS, _EVENT),
)
_OF_HEADS = (
    (nouns.EVENT_HEADS, _EVENT),
    (nouns.COLLECTIVES, _FACTION),
    (nouns.ITEM_HEADS | nouns.SHIP_NAMES, _ITEM),
    (nouns.FACTION_HEADS, _FACTION),
    (nouns.PLACE_OF_NAMES, LOCATION),
)
_LONGEST_ACRONYM = 5
_OF_OFFICES = frozenset({"the", "inthe", "at", "of"})
"""Before `Captain` they tell nothing: it is "the Captain"."""
_OF_INNS = frozenset({"at", "inthe", "within", "moves", "from", "of", "placeof", "beside"})
_OF_PEOPLE = frozenset(cue for cue in _CUES if _WEIGHTS[cue][CHARACTER] > 0) - {"does"}
_OFTEN = 3
_SAINTS = frozenset({"st", "saint"})
_FULL_WEIGHT = 4
"""So many times a cue counts in full; more of the same tells less and less."""


def score_types(form: NameForm) -> list[float]:
    """Return the log-odds of each of TYPES."""
    counts = form.counts
    if form.titles and not form.words:
        counts = {cue: count for cue, count in counts.items() if cue not in _OF_OFFICES}
    if "says" in counts and counts.get("the", 0) > 1:
        counts = counts | {"the": 1}  # said the Editor: he has an article as often as he is named
    found = [(_weigh(counts[cue]), *_WEIGHTS[cue]) for cue in _CUES if cue in counts]
    character = location = item = faction = concept = event = 0.0
    for amount, for_character, for_location, for_item, for_faction, for_concept, for_event in found:
        character += amount * for_character
        location += amount * for_location
        item += amount * for_item
        faction += amount * for_faction
        concept += amount * for_concept
        event += amount * for_event
    scores = [character, location, item, faction, concept, event]
    if form.titles and form.titles[0] not in _SAINTS:
        scores[CHARACTER] += 8.0 if form.words else 1.5
        if form.words and form.words[-1] not in nouns.PLACE_HEADS:
            scores[LOCATION] = min(scores[LOCATION], 0.0)  # "at Mrs. Goddard's" is her house
    if form.words:
        _score_words(scores, form)
        if not form.titles or " of " in form.name:
            _score_head(scores, form)
    return scores


def _weigh(count: int) -> float:
    if count < _FULL_WEIGHT:
        return count
    return _FULL_WEIGHT + 3 * log(count / _FULL_WEIGHT) + (count - _FULL_WEIGHT) * 0.3


def _score_words(scores: list[float], form: NameForm) -> None:
    """Add what is known of the words of the name."""
    first, last, single = form.words[0], form.words[-1], len(form.words) == 1
    if not form.titles and "the" not in form.counts:
        scores[CHARACTER] += 0.7  # stories tell of people
    if form.mentions >= _OFTEN and _OF_PEOPLE.isdisjoint(form.counts):
        scores[CHARACTER] -= min(1.5, 0.35 * (form.mentions - 2))  # and of what people do
    if first in FIRST_NAMES:
        sure = 2.2 if single or (last in nouns.PLACE_HEADS - nouns.SURNAME_HEADS) else 3.5
        scores[CHARACTER] += sure if first not in KNOWN_PLACES else 1.0
    known = single and last in KNOWN_PLACES and not form.titles
    if single and last in nouns.COMPASS:
        scores[LOCATION] += 4.0
    if known or " ".join(form.words) in KNOWN_PLACE_NAMES:
        scores[LOCATION] += 4.0 if first not in FIRST_NAMES else 1.5
    if single and "the" in form.counts and first in FIRST_NAMES and not form.titles:
        scores[LOCATION] -= 1.5  # "in the Janet" is a ship
        scores[_ITEM] += 1.0
    if last.endswith("men") and last != "men":
        scores[_FACTION] += 3.0
    if single and form.name.isupper() and len(last) <= _LONGEST_ACRONYM:
        scores[_FACTION] += 1.0
    if is_camel_case(form.name):
        scores[_FACTION] += 3.5 if last.endswith(nouns.FACTION_ENDINGS) else 2.0


def _score_head(scores: list[float], form: NameForm) -> None:
    """Add what the name says itself of its kind: `Sons of Calydon`, `Sixth Street`, `Starblade`."""
    before, _, of = form.name.lower().partition(" of ")
    last, several = form.words[-1], len(form.words) > 1
    if of:
        head = before.rsplit(maxsplit=1)[-1]
        kind = next((kind for heads, kind in _OF_HEADS if head in heads), None)
        if kind is not None:
            scores[kind] += 4.0
        return
    if several:
        _score_last_word(scores, form)
    elif last in nouns.PLACE_HEADS:
        scores[LOCATION] += 1.2
    elif last in nouns.FACTION_HEADS:
        scores[_FACTION] += 1.5
    elif last.endswith(nouns.ITEM_ENDINGS):
        scores[_ITEM] += 1.5
    if last.endswith(nouns.PLACE_ENDINGS):
        scores[LOCATION] += 3.0 if last.endswith("shire") else 0.5


def _score_last_word(scores: list[float], form: NameForm) -> None:
    first, last = form.words[0], form.words[-1]
    personal = (
        first in FIRST_NAMES
        and last in nouns.SURNAME_HEADS
        and first not in KNOWN_PLACES
        and "the" not in form.counts
    )
    for heads, kind in _HEADS:
        if last in heads:
            scores[kind] += 2.0 if personal else 4.0
            scores[CHARACTER] -= 0.0 if personal else 2.5
    if last in nouns.INN_SIGNS and "the" in form.counts:
        placed = " and " in form.name.lower() or not _OF_INNS.isdisjoint(form.counts)
        scores[LOCATION] += 3.0 if placed else 0.5
        scores[CHARACTER] -= 1.0 if placed else 0.0
    if last in nouns.PERSON_HEADS or last in TITLES:
        scores[CHARACTER] += 4.0
    elif first in nouns.PLACE_BEFORE:
        scores[LOCATION] += 3.0
    elif first in nouns.PLACE_PREFIXES and last not in FIRST_NAMES - KNOWN_PLACES:
        vague = first in nouns.VAGUE_PREFIXES and "the" in form.counts
        scores[LOCATION] += 0.3 if vague else 2.0
