"""The forms of one person, and how people are told apart by first names, genders and titles."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cortexfs.core.stories.entities.given_names import FIRST_NAMES
from cortexfs.core.stories.entities.nicknames import RELATED, SHORT_FORMS, is_short_form, respell
from cortexfs.core.stories.entities.titles import MARRIED, RELATIVES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from cortexfs.core.stories.entities.name_form import NameForm

WIVES = MARRIED | {"lady"}
_RANKS = frozenset({"sir", "lord", "lady", "dame"})
_PREFIX = 3
OFTEN = 5
_TITLED = 4
"""A title and a surname tell as much of who is called by the surname as so many full names."""
_FIRST_AND_FATHER = 2
_PATRONYMICS = ("vitch", "vich", "itch", "ovna", "evna", "ichna", "yitch", "yich")
"""Endings of the second name of a Russian."""


@dataclass(slots=True, eq=False)
class Person:
    """The forms of one person. `first` and `last` are in lower case, empty while unknown.

    `wife_of`: `Mrs` stands before her husband's first name.
    """

    forms: list[NameForm] = field(default_factory=list)
    first: str = ""
    last: str = ""
    gender: str = ""
    wife_of: bool = False

    @property
    def mentions(self) -> int:
        """How often its forms stand in the text."""
        return sum(form.mentions for form in self.forms)

    @property
    def is_ranked(self) -> bool:
        """Whether it is nearly always called with a title of rank, `Lady Catherine`."""
        ranked = sum(form.mentions for form in self.forms if _RANKS.issuperset(form.titles[:1]))
        plain = sum(form.mentions for form in self.forms if not form.titles)
        return ranked > 0 and plain * 4 < ranked

    def has_title(self, titles: Iterable[str]) -> bool:
        """Tell whether a form has one of these titles."""
        return any(title in titles for form in self.forms for title in form.titles)


def get_likely_gender(person: Person) -> str:
    """Return which gender the few pronouns after the forms tell of."""
    he, she = (sum(f.counts.get(cue, 0) for f in person.forms) for cue in ("he", "she"))
    return "m" if he > she == 0 else "f" if she > he == 0 else ""


def may_be_wife(person: Person, namesakes: list[Person]) -> bool:
    """Tell whether somebody may be the one wife among those with her surname."""
    if person.gender != "f":
        return not person.gender and not namesakes and get_likely_gender(person) == "f"
    return all(other.gender != "f" for other in namesakes)


def is_called_by_first_name(person: Person) -> bool:
    """Tell whether a form is a first name alone."""
    return any(len(form.words) == 1 and form.words[0] != person.last for form in person.forms)


class FirstNames:
    """People by first name, in any of its forms."""

    def __init__(self) -> None:
        self._by_first: dict[str, list[Person]] = {}
        self._by_prefix: dict[str, list[str]] = {}

    def add(self, person: Person) -> None:
        """Add somebody whose first name is known."""
        if person.first not in self._by_first:
            self._by_first[person.first] = []
            self._by_prefix.setdefault(person.first[:_PREFIX], []).append(person.first)
            if len(person.first) > 1:
                self._by_prefix.setdefault(person.first[0], []).append(person.first)
        self._by_first[person.first].append(person)

    def find(self, first: str) -> list[Person]:
        """Return the people with this first name; if there are none, with a form of it."""
        if first in self._by_first:
            return self._by_first[first]
        related = RELATED.get(first) or RELATED.get(respell(first), frozenset())
        similar = {*related, *self._by_prefix.get(first[:_PREFIX], ())}
        names = sorted(name for name in similar if name in self._by_first)
        return [p for name in names if is_same_first(name, first) for p in self._by_first[name]]


def may_be_same_first(one: str, other: str) -> bool:
    """Tell whether two first names of one surname may be one; Mike and Mickey are Michael."""
    if is_same_first(one, other):
        return True
    forms = (SHORT_FORMS.get(full, ()) for full in RELATED.get(one, ()))
    return any(one in short and other in short for short in forms)


def is_same_first(one: str, other: str) -> bool:
    """Tell whether two first names may be one: equal, a short form, or an initial."""
    if one == other:
        return True
    if min(len(one), len(other)) == 1:
        return one[0] == other[0]
    return is_short_form(one, other) or is_short_form(other, one)


def get_last_name(words: Sequence[str]) -> str:
    """Return the last name of a full name; empty for `Pavel Andreyevitch`."""
    patronymic = len(words) == _FIRST_AND_FATHER and words[1].endswith(_PATRONYMICS)
    return "" if patronymic else words[-1]


def is_longer_form(person: Person, form: NameForm) -> bool:
    """Tell whether one of two full names is a part of the other: `Pavel Andreyevitch Lutov`."""
    if person.first == form.words[0] and not (person.last and get_last_name(form.words)):
        return True
    for other in person.forms:
        short, long = other.words, form.words
        if len(short) > len(long):
            short, long = long, short
        if len(short) > 1 and long[: len(short)] == short:
            return True
    return False


def is_apart(person: Person, form: NameForm, apart: Callable[[str, str, int], bool]) -> bool:
    """Tell whether the text speaks against one person; `apart` is what `link_people` takes."""
    return any(
        apart(other.name, form.name, min(other.mentions, form.mentions)) for other in person.forms
    )


def agree(one: str, other: str) -> bool:
    """Tell whether two genders may be one person's."""
    return not one or not other or one == other


def order_titled(form: NameForm) -> int:
    """Return first names with a title first, wives last: what is sure helps with the rest."""
    if form.titles and form.titles[0] in WIVES:
        return 2
    return 0 if form.words[0] in FIRST_NAMES else 1


def choose(people: list[Person], title: str, surname: str = "") -> Person | None:
    """Return the one who bears the title already, or the most mentioned one."""
    bearers = [p for p in people if p.has_title({title})] or people
    return choose_by_surname(bearers, surname) if surname else choose_frequent(bearers)


def choose_by_surname(people: list[Person], surname: str) -> Person | None:
    """Return who is called by the surname most often, a title counting much: not a child."""
    return max(people, key=lambda person: _weigh_surname(person, surname), default=None)


def _weigh_surname(person: Person, surname: str) -> tuple[int, int, int, str]:
    called = [form for form in person.forms if form.words and form.words[-1] == surname]
    weight = sum(f.mentions * (1 if RELATIVES.issuperset(f.titles) else _TITLED) for f in called)
    return weight, *_prominence(person)


def choose_frequent(people: list[Person]) -> Person | None:
    """Return the most mentioned one."""
    return max(people, key=_prominence, default=None)


def _prominence(person: Person) -> tuple[int, int, str]:
    related = sum(form.counts.get("kin", 0) for form in person.forms)
    return person.mentions, -related, person.forms[0].name
