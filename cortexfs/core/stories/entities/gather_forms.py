"""From the totals to the forms that are names.

Variants of writing are united, the starts of sentences taken off.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.stories.entities.common_nouns import COMMON_NOUNS
from cortexfs.core.stories.entities.common_words import FUNCTION_WORDS
from cortexfs.core.stories.entities.cue_nouns import PLACE_HEADS
from cortexfs.core.stories.entities.find_names import normalize_word
from cortexfs.core.stories.entities.given_names import FIRST_NAMES
from cortexfs.core.stories.entities.judge_names import CAPITAL_NOUNS, find_noun_share, judge_name
from cortexfs.core.stories.entities.name_form import EPITHETS, make_form
from cortexfs.core.stories.entities.titles import TITLES

if TYPE_CHECKING:
    from cortexfs.core.stories.entities.entity import Corrections, EntitySettings
    from cortexfs.core.stories.entities.evidence import Counts, Totals
    from cortexfs.core.stories.entities.name_form import NameForm

    United = dict[str, tuple[Counts, tuple[str, ...]]]

_SURE, _IMPOSSIBLE = 4.0, -5.0
_NAMESAKE = 2.5
_NOUNS = PLACE_HEADS | COMMON_NOUNS
_SURNAME = 0.5


def gather_forms(
    totals: Totals, settings: EntitySettings, corrections: Corrections
) -> list[NameForm]:
    """Return the forms that are names."""
    united = _unite(totals)
    _add_protected(united, totals, settings.protected)
    forms = [
        make_form(name, counts, written)
        for name, (counts, written) in united.items()
        if name.lower() not in corrections.not_entities
    ]
    told = settings.protected | corrections.names
    helped = {name for pair in totals.aliases for name in pair.split("|")}
    spoken = {word for form in forms if "speaker" in form.counts for word in form.words}
    share = find_noun_share(totals.names, totals.words)
    for form in forms:
        form.odds = _judge(form, totals, share)
        if form.name.lower() in told:
            form.odds = max(form.odds, _SURE)
        elif form.name in helped or (len(form.words) == 1 and form.words[0] in spoken):
            form.odds += _SURE
    _help_surnames(forms)
    _strip_epithets(forms)
    _help_namesakes(forms, capital_nouns=share > CAPITAL_NOUNS)
    return [form for form in forms if form.mentions and _is_likely(form, settings)]


def _judge(form: NameForm, totals: Totals, share: float) -> float:
    """Return the log-odds that a form is a name; they are kept while nothing of it changes."""
    words = totals.words
    if not form.written:
        return judge_name(form, words, share)
    lower = words.get(normalize_word(form.name)) if len(form.words) == 1 else None
    used = (form.name, lower, share if share >= CAPITAL_NOUNS else 0, *map(words.get, form.words))
    return totals.judged.get(form.written, used, lambda: judge_name(form, words, share))


def _is_likely(form: NameForm, settings: EntitySettings) -> bool:
    """Tell whether a form is likely a name, or a title alone that may be somebody's."""
    return form.odds >= settings.minimum_odds or (not form.words and form.odds > _IMPOSSIBLE)


def _help_surnames(forms: list[NameForm]) -> None:
    """Make `Hill` a name where `Mr. Hill` or `Jane Hill` is one, though a hill is a place."""
    surnames = {
        form.words[-1]
        for form in forms
        if form.odds > 0 and form.words and form.words[-1] in _NOUNS
        if form.titles or (len(form.words) > 1 and form.words[0] in FIRST_NAMES)
    }
    for form in forms:
        alone = len(form.words) == 1 and not form.titles and "the" not in form.counts
        if alone and form.words[0] in surnames and "mid" in form.counts:
            form.odds = max(form.odds, _SURNAME)


def _strip_epithets(forms: list[NameForm]) -> None:
    """Make `Old Hobb` a form of Hobb, where that stands alone too."""
    alone = {form.words[0] for form in forms if len(form.words) == 1}
    for form in forms:
        if len(form.words) > 1 and form.words[0] in EPITHETS and form.words[1] in alone:
            form.words = form.words[1:]


def _help_namesakes(forms: list[NameForm], *, capital_nouns: bool) -> None:
    """Make what only begins sentences more likely a name if its words are names elsewhere."""
    inside = [form for form in forms if form.odds > 0 and "mid" in form.counts]
    single = {form.words[0] for form in inside if len(form.words) == 1 and not form.titles}
    full = {
        word
        for form in forms
        if form.odds > 0 and (form.titles or _is_full_name(form))
        for word in form.words
    }
    for form in forms:
        if form.odds > 0 or not form.words or ("mid" in form.counts and not capital_nouns):
            continue
        words = single if len(form.words) > 1 else full
        if not words.isdisjoint(form.words):
            form.odds += _NAMESAKE


def _is_full_name(form: NameForm) -> bool:
    """Tell whether a form looks like a first name and a surname: `Tollef Moe`."""
    if len(form.words) == 1:
        return False
    return form.words[0] in FIRST_NAMES or (
        form.odds > 1 and COMMON_NOUNS.isdisjoint(form.words) and PLACE_HEADS.isdisjoint(form.words)
    )


def _add_protected(united: United, totals: Totals, protected: frozenset[str]) -> None:
    """Add protected words that stand in the text in lower case alone."""
    known = {name.lower() for name in united}
    for word in sorted(protected - known):
        if count := totals.words.get(word):
            united[word] = ({"mid": count}, ())


def _unite(totals: Totals) -> United:
    """Return counts by name: `Mr. Oak` and `Mr Oak` are one, `Seeing Anne` counts for `Anne`.

    Beside them are the names of which they are.
    """
    variants: dict[str, list[str]] = {}
    for name in sorted(totals.names):
        variants.setdefault(_strip_start(name, totals), []).append(name)
    united: United = {}
    for key, names in variants.items():
        if len(names) == 1 and (names[0] == key or names[0].replace(".", "") == key):
            united[names[0]] = (totals.names[names[0]], (names[0],))
            continue
        written = [name for name in names if name.replace(".", "") == key] or [key]
        best = max(written, key=lambda name: (sum(totals.names.get(name, {}).values()), name))
        counts: Counts = {}
        for name in names:
            for cue, count in totals.names[name].items():
                counts[cue] = counts.get(cue, 0) + count
        united[best] = (counts, tuple(names))
    return united


def _strip_start(name: str, totals: Totals) -> str:
    plain = name.replace(".", "") if "." in name else name
    if plain.isupper() and plain.title() in totals.names:
        return plain.title()
    first, _, rest = name.partition(" ")
    if not rest or "mid" in totals.names[name] or "speaker" in totals.names[name]:
        return plain
    word = normalize_word(first)
    if word in TITLES or word in FIRST_NAMES:
        return plain
    known = totals.names.get(rest, {}).get("mid", 0) > 0
    begins = word in FUNCTION_WORDS or totals.words.get(word, 0) > 0 or word.endswith(("ing", "ly"))
    if begins and (known or normalize_word(rest.split()[0]) in TITLES):
        return rest.replace(".", "")
    return plain
