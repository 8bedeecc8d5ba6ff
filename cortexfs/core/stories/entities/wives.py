"""Which titles of a wife, and names of a husband, are one woman's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.stories.entities.given_names import get_name_gender
from cortexfs.core.stories.entities.person import (
    WIVES,
    is_apart,
    is_called_by_first_name,
    may_be_wife,
)
from cortexfs.core.stories.entities.title_rules import is_child, is_earls_daughter, is_unmarried
from cortexfs.core.stories.entities.titles import MARRIED, NOBLES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from cortexfs.core.stories.entities.name_form import NameForm
    from cortexfs.core.stories.entities.person import Person

_TWO = 2
_SELDOM_FULL = 3
"""More often than this `Mrs. John Dash` is called so to tell her from `Mrs. Dash`."""


def fits_wife(
    person: Person,
    form: NameForm,
    named: Iterable[Person],
    apart: Callable[[str, str, int], bool],
) -> bool:
    """Tell whether somebody with a surname may be `Mrs.` or `Lady` with it.

    `named` are the people with this word in their name; `apart` is what `link_people` takes.
    """
    if person.wife_of:
        return form.married and person.mentions < _SELDOM_FULL
    if (
        is_unmarried(person)
        or is_child(person, form)
        or (form.titles[0] == "lady" and is_earls_daughter(person))
    ):
        return False
    noble = form.titles[0] == "lady" and person.has_title(NOBLES)
    return noble or person.has_title(WIVES) or _is_wife(person, form, named, apart)


def _is_wife(
    person: Person,
    form: NameForm,
    named: Iterable[Person],
    apart: Callable[[str, str, int], bool],
) -> bool:
    """Tell whether the only woman of a surname is the one with the title of a wife."""
    same = [p for p in named if p.last == person.last and p is not person]
    if not may_be_wife(person, same):
        return False
    if not same:
        return True
    often = min(person.mentions, form.mentions) > 1 or not is_called_by_first_name(person)
    return often and not any(apart(other.name, form.name, 0) for other in person.forms)


def has_husbands_name(form: NameForm, genders: Mapping[str, str]) -> bool:
    """Tell whether a wife is called by her husband's first name: `Mrs. Charles Musgrove`.

    `genders`: what pronouns tell of words that stand alone.
    """
    first = form.words[0]
    return form.married and (get_name_gender(first) or genders.get(first)) == "m"


def is_husbands_first_name(person: Person, form: NameForm) -> bool:
    """Tell whether `Mrs. Joe` is short for `Mrs. Joe Dash`."""
    return form.married and person.wife_of and person.first == form.words[0] != person.last


def unite_maiden_names(people: list[Person], apart: Callable[[str, str, int], bool]) -> None:
    """Unite a wife with who has her first name and another surname: that is her maiden name.

    She must be called by the first name alone, which would else tell nobody who is meant; `apart`
    is what `link_people` takes.
    """
    by_first: dict[str, list[Person]] = {}
    for person in people:
        if person.first and person.last and person.gender == "f" and not person.wife_of:
            by_first.setdefault(person.first, []).append(person)
    for first, pair in by_first.items():
        if len(pair) != _TWO or pair[0].last == pair[1].last or not _is_called(pair, first):
            continue
        wives = [person for person in pair if person.has_title(MARRIED)]
        one, other = pair
        if len(wives) == 1 and not any(is_apart(one, form, apart) for form in other.forms):
            one.forms.extend(other.forms)
            people.remove(other)


def _is_called(pair: list[Person], first: str) -> bool:
    """Tell whether the first name of one of two stands alone."""
    return any(form.words == (first,) and not form.titles for p in pair for form in p.forms)
