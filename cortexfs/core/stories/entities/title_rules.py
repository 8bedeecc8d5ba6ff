"""Which titles one person may bear: ranks, professions, who is called by which name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.stories.entities.person import OFTEN, is_apart, may_be_same_first
from cortexfs.core.stories.entities.titles import (
    BEFORE_FIRST_NAME,
    MARRIED,
    NOBLES,
    SOLDIERS,
    UNMARRIED,
    get_profession,
)
from cortexfs.core.stories.word_list import parse_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from cortexfs.core.stories.entities.name_form import NameForm
    from cortexfs.core.stories.entities.person import Person

_PLAIN = frozenset({"mr", "mister", "squire", "farmer"})
_RANKED = frozenset({"sir", "lord"})
_RANKS = frozenset({"sir", "lord", "lady", "dame"})
_CALLED_MISTER = frozenset({"mr", "inspector", "farmer", "judge", "lieutenant"})
_SELDOM = 10
_OF_ELDERS = SOLDIERS | MARRIED | parse_words("miss dr doctor squire judge deacon parson")
_CALLED = {
    **dict.fromkeys(("earl", "viscount", "marquis", "marquess", "peer"), "lord"),
    **dict.fromkeys(("countess", "viscountess", "marchioness", "ladyship"), "lady"),
    "baronet": "sir",
}
"""Titles that stand alone, and the one before the name of who bears them."""
_MOSTLY_OLD = 8
"""Somebody who is young less often than once in so many mentions is no child."""
_YOUNGER = (("miss",), ("mr",), ("master",))


class Bearers:
    """People by the titles that they have beside a name."""

    def __init__(self, people: list[Person]) -> None:
        self._by_title: dict[str, list[Person]] = {}
        for person in people:
            named = [form for form in person.forms if form.words]
            titles = {title for f in named for title in f.titles[: 1 if f.married else None]}
            for title in titles.union(map(get_profession, titles)):
                self._by_title.setdefault(title, []).append(person)

    def find(self, title: str) -> list[Person]:
        """Return whose name has this title, or one that says the same."""
        same = {title, get_profession(title)} - {"", "mr"}
        found = [person for one in sorted(same) for person in self._by_title.get(one, ())]
        return list(dict.fromkeys(found)) or self._by_title.get(_CALLED.get(title, title), [])


def fits_rank(person: Person, form: NameForm) -> bool:
    """Tell whether somebody may have the rank of a title: not `Mr. Dane` and Sir Hugh Dane."""
    title = form.titles[0]
    if " of " in form.name and (not person.has_title(NOBLES) or is_earls_daughter(person)):
        return False
    if title in _PLAIN and person.has_title(_RANKED):
        return False
    if title in _RANKED and not person.has_title(_RANKED | NOBLES):
        plain = any(other.titles for other in person.forms)
        if plain or form.mentions * OFTEN < person.mentions:
            return False
    return True


def is_knight_and_officer(person: Person, form: NameForm) -> bool:
    """Tell whether one is Sir Hugh Dane and the other Colonel Hugh Dane, his father perhaps."""
    titled = [other for other in (*person.forms, form) if other.titles and len(other.words) > 1]
    ranks = {title for other in titled if len(other.titles) == 1 for title in other.titles}
    return bool(ranks & _RANKED) and bool(ranks - _RANKS - NOBLES)


def may_be_short_form(person: Person, form: NameForm) -> bool:
    """Tell whether a full name may have a person's in a short form: not `Sir Thomas` and Tom."""
    if not may_be_same_first(person.first, form.words[0]):
        return False
    initial = min(len(person.first), len(form.words[0])) == 1
    return initial or not (person.has_title(_RANKED) or _RANKED.intersection(form.titles))


def is_same_profession(person: Person, form: NameForm) -> bool:
    """Tell whether a title may be a person's beside those that it has.

    `Mr. Gadd` is Inspector Gadd, and no captain unless he is called so but once; `Sir Hugh Dane` is
    not Colonel Dane.
    """
    title = form.titles[0]
    profession = get_profession(title)
    titled = [form for form in person.forms if form.titles]
    if not profession or any(title in form.titles for form in titled):
        return True
    if profession != "mr" and person.has_title(_RANKS):
        return False
    others = {get_profession(form.titles[0]) for form in titled} - {"", profession}
    mister = [form for form in titled if form.titles[0] == "mr"]
    if profession in _CALLED_MISTER:
        full = any(len(form.words) > 1 for form in mister)
        once = profession == "mr" and form.mentions == 1 and len(others) == 1
        return not others or (not full and (once or others <= _CALLED_MISTER))
    return not others or (others == {"mr"} and sum(form.mentions for form in mister) == 1)


def is_unmarried(person: Person) -> bool:
    """Tell whether she is Miss, and no Mrs. that old servants call so."""
    return person.has_title(UNMARRIED) and not person.has_title(MARRIED)


def is_earls_daughter(person: Person) -> bool:
    """Tell whether she is `Lady Anne Dane`, who is never `Lady Dane`."""
    return any("lady" in form.titles and len(form.words) > 1 for form in person.forms)


def is_younger(person: Person, form: NameForm) -> bool:
    """Tell whether somebody is `Miss Anne` or `Mr. Lionel`, so that `Miss Elliot` is another."""
    by_first_name = sum(
        other.mentions
        for other in person.forms
        if other.titles[:1] in _YOUNGER and len(other.words) == 1 and other.words[0] != person.last
    )
    return by_first_name * _SELDOM > form.mentions


def is_child(person: Person, form: NameForm) -> bool:
    """Tell whether `Doctor Dane` is not young Numa Dane, nor `Miss Dane` little Kitty Dane."""
    if form.titles[0] not in _OF_ELDERS or person.has_title(form.titles):
        return False
    young = sum(other.counts.get("young", 0) for other in person.forms)
    return young * _MOSTLY_OLD >= person.mentions > 0


def find_eldest(
    people: Iterable[Person], form: NameForm, apart: Callable[[str, str, int], bool]
) -> Person | None:
    """Return who is `Miss Dane`, if the text says of one alone that she is the eldest.

    `apart` is what `link_people` takes.
    """
    if form.titles[0] not in UNMARRIED:
        return None
    found = [
        person
        for person in people
        if person.gender != "m"
        and person.last in {"", form.words[0]}
        and any("eldest" in other.counts for other in person.forms)
        and not is_apart(person, form, apart)
    ]
    return found[0] if len(found) == 1 else None


def is_anybody(people: Sequence[Person], title: str) -> bool:
    """Tell whether none of several people has a title: `Deacon Dane` may be their father."""
    titles = {title for person in people for form in person.forms for title in form.titles}
    untitled = titles <= BEFORE_FIRST_NAME
    return title in _OF_ELDERS - MARRIED - UNMARRIED and len(people) > 1 and untitled


def needs_first_name(person: Person, form: NameForm) -> bool:
    """Tell whether `Mr. Frank Churchill` is called so to tell him from `Mr. Churchill`."""
    full = sum(f.mentions for f in person.forms if f.titles == form.titles and len(f.words) > 1)
    return full >= OFTEN and full * 2 > form.mentions
