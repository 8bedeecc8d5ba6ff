"""Which type each name has, with what the other names tell: surnames, families."""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING

from cortexfs.core.stories.entities.cue_nouns import PLACE_ENDINGS, PLACE_HEADS, SURNAME_HEADS
from cortexfs.core.stories.entities.given_names import FIRST_NAMES
from cortexfs.core.stories.entities.known_places import KNOWN_PLACES
from cortexfs.core.stories.entities.score_types import CHARACTER, LOCATION, TYPES, score_types

if TYPE_CHECKING:
    from cortexfs.core.stories.entities.evidence import Totals
    from cortexfs.core.stories.entities.name_form import NameForm

_NO_TYPE = 0.3
"""A type needs more log-odds than this; what has none is a concept."""
_NAMESAKE, _SURNAME, _ENDING = 2.0, 3.0, 0.8
_OF_SPEECH = frozenset({"says", "vocative", "kin", "fond", "speaker", "belongs"})
_OF_PLACES = frozenset({"within", "moves", "at", "from", "beside", "inthe", "region", "placeof"})


def decide_types(forms: list[NameForm], totals: Totals) -> list[tuple[NameForm, str]]:
    """Return each form with its type."""
    scored = [(form, _score(form, totals)) for form in forms]
    surnames: dict[str, int] = {}
    for form, scores in scored:
        several = form.words and (form.titles or len(form.words) > 1)
        if several and _best(scores) == CHARACTER and " of " not in form.name:
            surnames[form.words[-1]] = surnames.get(form.words[-1], 0) + form.mentions
    firsts = {
        form.words[0]
        for form, scores in scored
        if len(form.words) == 1 and not form.titles and _best(scores) == CHARACTER
    }
    spoken = {word for form in forms if "speaker" in form.counts for word in form.words}
    introduced = {name for pair in totals.aliases for name in pair.split("|")}
    typed = []
    for form, scores in scored:
        _use_namesakes(form, scores, surnames, spoken)
        if len(form.words) > 1 and form.words[0] in firsts and form.words[-1] in SURNAME_HEADS:
            scores[CHARACTER] += 3 * _NAMESAKE  # Teo is somebody, so that Teo Marsh is too
        if form.name in introduced:
            scores[CHARACTER] += 1.0
        typed.append((form, _decide(form, scores, surnames)))
    return typed


def _score(form: NameForm, totals: Totals) -> list[float]:
    """Return the scores of a form; they are kept while nothing of it changes."""
    if not form.written:
        return score_types(form)
    key = form.name, form.words
    return list(totals.scored.get(form.written, key, lambda: score_types(form)))


def _best(scores: list[float]) -> int:
    return scores.index(max(scores))


def _decide(form: NameForm, scores: list[float], surnames: dict[str, int]) -> str:
    if _is_family(form, surnames):
        return "faction"
    best = _best(scores)
    return TYPES[best] if scores[best] > _NO_TYPE else "concept"


def _use_namesakes(
    form: NameForm, scores: list[float], surnames: dict[str, int], spoken: set[str]
) -> None:
    """Make a word that is part of a person's name elsewhere more likely a person."""
    if not form.words or form.titles:
        return
    surname = form.words[-1] in surnames or not _OF_SPEECH.isdisjoint(form.counts)
    if form.words[-1].endswith(PLACE_ENDINGS) and not surname:
        scores[LOCATION] += _ENDING
    if len(form.words) == 1 and form.words[0] in spoken:
        scores[CHARACTER] += 2 * _NAMESAKE
    elif form.words[-1] in surnames and (
        len(form.words) == 1 or form.words[0] in FIRST_NAMES or form.words[-1] not in PLACE_HEADS
    ):
        known = form.words[-1] in KNOWN_PLACES
        scores[CHARACTER] += _NAMESAKE if known or len(form.words) > 1 else _SURNAME
        if known and _OF_PLACES.isdisjoint(form.counts):
            scores[CHARACTER] += min(_SURNAME, log(surnames[form.words[-1]]))


def _is_family(form: NameForm, surnames: dict[str, int]) -> bool:
    """Tell whether a form is a plural, `the Musgroves`."""
    if not form.words or not form.words[-1].endswith("s"):
        return False
    plural = form.words[-1]
    singular = plural[:-1] in surnames or (plural.endswith("es") and plural[:-2] in surnames)
    several = form.counts.get("the", 0) * 4 > form.mentions
    if form.titles:
        return singular and plural[:-1] not in FIRST_NAMES
    return singular and several
