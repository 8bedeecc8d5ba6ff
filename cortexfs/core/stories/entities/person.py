"""The forms of one person, and how people are told apart by first names, genders and titles."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cortexfs.core.stories.entities.nicknames import RELATED, is_short_form
from cortexfs.core.stories.entities.titles import get_profession

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cortexfs.core.stories.entities.name_form import NameForm

_RANKS = frozenset({"sir", "lord", "lady", "dame"})
_PREFIX = 3
OFTEN = 5
_SELDOM = 10
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
        """Tell whether a form begins with one of these titles."""
        return any(form.titles and form.titles[0] in titles for form in self.forms)


def is_bearer(person: Person, title: str) -> bool:
    """Tell whether a person's name has this title, or one that says the same."""
    same = {title, get_profession(title)} - {"", "mr"}
    return any(
        form.words and same.intersection((*form.titles, *map(get_profession, form.titles)))
        for form in person.forms
    )


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
        similar = {*RELATED.get(first, ()), *self._by_prefix.get(first[:_PREFIX], ())}
        names = sorted(name for name in similar if name in self._by_first)
        return [p for name in names if is_same_first(name, first) for p in self._by_first[name]]


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


def agree(one: str, other: str) -> bool:
    """Tell whether two genders may be one person's."""
    return not one or not other or one == other


def is_younger(person: Person, form: NameForm) -> bool:
    """Tell whether she is `Miss Anne`, so that `Miss Elliot` is another of her family."""
    by_first_name = sum(
        other.mentions
        for other in person.forms
        if other.titles == form.titles and len(other.words) == 1 and other.words[0] != person.last
    )
    return by_first_name * _SELDOM > form.mentions


def needs_first_name(person: Person, form: NameForm) -> bool:
    """Tell whether `Mr. Frank Churchill` is called so to tell him from `Mr. Churchill`."""
    full = sum(f.mentions for f in person.forms if f.titles == form.titles and len(f.words) > 1)
    return full >= OFTEN and full * 2 > form.mentions


def choose(people: list[Person], title: str) -> Person | None:
    """Return the one who bears the title already, or the most mentioned one."""
    return choose_frequent([p for p in people if p.has_title({title})] or people)


def choose_frequent(people: list[Person]) -> Person | None:
    """Return the most mentioned one."""
    return max(people, key=lambda person: (person.mentions, person.forms[0].name), default=None)
