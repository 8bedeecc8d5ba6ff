"""Which forms name one person: full names, first names, surnames, titles, short forms."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cortexfs.core.stories.entities.given_names import get_name_gender
from cortexfs.core.stories.entities.nicknames import is_short_form
from cortexfs.core.stories.entities.titles import BEFORE_FIRST_NAME, MARRIED, UNMARRIED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from cortexfs.core.stories.entities.name_form import NameForm


_WIVES = MARRIED | {"lady"}
_PLAIN = frozenset({"mr", "mister"})
_RANKED = frozenset({"sir", "lord"})
_TITLED = frozenset({"sir", "lord", "lady", "dame"})
_OFTEN = 5


@dataclass(slots=True)
class Person:
    """The forms of one person. `first` and `last` are in lower case, empty while unknown."""

    forms: list[NameForm] = field(default_factory=list)
    first: str = ""
    last: str = ""
    gender: str = ""
    wife_of: bool = False
    """Mrs with her husband's first name."""

    @property
    def mentions(self) -> int:
        """How often its forms stand in the text."""
        return sum(form.mentions for form in self.forms)

    @property
    def is_titled(self) -> bool:
        """Whether it is nearly always called with a title of rank, `Lady Catherine`."""
        titled = sum(
            form.mentions for form in self.forms if form.titles and form.titles[0] in _TITLED
        )
        return titled * 5 >= self.mentions * 4

    def has_title(self, titles: frozenset[str]) -> bool:
        """Tell whether a form has one of these titles."""
        return any(form.titles and form.titles[0] in titles for form in self.forms)


def link_people(forms: Iterable[NameForm], apart: Callable[..., bool]) -> list[Person]:
    """Return the persons whom the forms name.

    `apart` tells whether two forms share sentences so often that they name two persons.
    """
    ordered = sorted(forms, key=lambda form: (-len(form.words), -form.mentions, form.name))
    links = _Links(apart)
    full = [form for form in ordered if len(form.words) > 1]
    single = [form for form in ordered if len(form.words) == 1]
    for form in full:
        links.add_full(form)
    bare = [form for form in single if not form.titles]
    rest = [form for form in bare if not links.add_first_name(form)]
    for form in sorted(single, key=lambda form: form.titles[:1] in {("mrs",), ("lady",)}):
        if form.titles:
            links.add_titled(form)
    for form in rest:
        links.add_bare(form)
    for form in ordered:
        if not form.words:
            links.add_title(form)
    return links.people


class _Links:
    def __init__(self, apart: Callable[..., bool]) -> None:
        self.people: list[Person] = []
        self._apart = apart
        self._by_word: dict[str, list[Person]] = {}

    def _new(self, form: NameForm, first: str, last: str) -> Person:
        wife = form.married and len(form.words) > 1 and get_name_gender(first) == "m"
        person = Person([form], first, last, form.gender, wife)
        self.people.append(person)
        for word in {first, last} - {""}:
            self._by_word.setdefault(word, []).append(person)
        return person

    def _join(self, person: Person, form: NameForm, first: str = "", last: str = "") -> None:
        person.forms.append(form)
        person.gender = person.gender or form.gender
        for word in {first, last, *form.words} - {""}:
            named = self._by_word.setdefault(word, [])
            if person not in named:
                named.append(person)
        person.first = person.first or first
        person.last = person.last or last

    def add_full(self, form: NameForm) -> None:
        """Add a full name; it joins one with the same surname and first name, or a short form."""
        first, last = form.words[0], form.words[-1]
        wife = form.married and get_name_gender(first) == "m"
        for person in self._by_word.get(last, ()):
            if (
                person.last == last
                and person.wife_of == wife
                and _same_first(person.first, first)
                and _agree(person.gender, form.gender)
            ):
                self._join(person, form)
                return
        self._new(form, first, last)

    def add_first_name(self, form: NameForm) -> bool:
        """Add a word that stands alone if it is somebody's first name; tell whether it was."""
        word = form.words[0]
        found = [
            person
            for person in self._candidates(word)
            if person.first
            and _same_first(person.first, word)
            and not person.wife_of
            and _agree(person.gender, form.gender)
            and not person.is_titled
            and (person.last or word[0] == person.first[0])
        ]
        exact = [person for person in found if person.first == word]
        best = _most_mentioned(exact or found)
        if best is None:
            return False
        self._join(best, form)
        return True

    def _candidates(self, word: str) -> list[Person]:
        found = list(self._by_word.get(word, ()))
        return found or [
            person for person in self.people if person.first and _same_first(person.first, word)
        ]

    def add_titled(self, form: NameForm) -> None:
        """Add a title with one name: `Mr Oak`, `Sir Walter`, `Aunt Polly`."""
        word, title = form.words[0], form.titles[0]
        known = [
            person for person in self._by_word.get(word, ()) if not self._is_apart(person, form)
        ]
        firsts = [
            p for p in known if p.last != word and not p.wife_of and _agree(p.gender, form.gender)
        ]
        lasts = [p for p in known if p.last == word and p.first != word and self._may_be(p, form)]
        if title in BEFORE_FIRST_NAME:
            best = _most_mentioned(firsts) or _most_mentioned(lasts)
        else:
            best = _most_mentioned(lasts) or _most_mentioned(firsts if title not in MARRIED else [])
        if best is None:
            given = title in BEFORE_FIRST_NAME
            self._new(form, word if given else "", "" if given else word)
        else:
            self._join(best, form, last="" if best in firsts else word)

    def _may_be(self, person: Person, form: NameForm) -> bool:
        """Tell whether a person with this surname may bear this title."""
        if not _agree(person.gender, form.gender):
            return False
        title = form.titles[0]
        if title in _WIVES:
            return (
                not person.wife_of
                and not person.has_title(UNMARRIED)
                and (person.has_title(_WIVES) or self._is_wife(person, form))
            )
        if title in UNMARRIED:
            return not person.has_title(_WIVES)
        if title in _PLAIN:
            return not person.has_title(_RANKED)
        return not (title in _RANKED and person.has_title(_PLAIN))

    def _is_wife(self, person: Person, form: NameForm) -> bool:
        """Tell whether the only woman of a surname is the one with the title of a wife."""
        same = [
            other
            for other in self._by_word.get(person.last, ())
            if other.last == person.last and other is not person
        ]
        if any(other.gender == "f" for other in same) or person.gender != "f":
            return False
        if not same:
            return True
        often = min(person.mentions, form.mentions) >= _OFTEN
        return often and not any(self._apart(other.name, form.name, 1) for other in person.forms)

    def add_bare(self, form: NameForm) -> None:
        """Add a word that stands alone and is nobody's first name: a surname or a new name."""
        word = form.words[0]
        found = [
            p
            for p in self._by_word.get(word, ())
            if _agree(p.gender, form.gender) and not p.wife_of
        ]
        men = [p for p in found if p.gender != "f" or form.gender == "f"]
        best = _most_mentioned(men or found)
        if best is not None:
            self._join(best, form)
        elif not self.add_first_name(form):
            self._new(form, word, "")

    def add_title(self, form: NameForm) -> None:
        """Add a title that stands alone, `the Admiral`, if one person alone bears it."""
        title = form.titles[-1]
        bearers = [p for p in self.people if any(f.words and title in f.titles for f in p.forms)]
        best = _most_mentioned(bearers)
        total = sum(p.mentions for p in bearers)
        if best is not None and best.mentions * 4 >= total * 3:
            self._join(best, form)
        elif form.mentions > 1:
            self._new(form, "", "")

    def _is_apart(self, person: Person, form: NameForm) -> bool:
        return any(self._apart(other.name, form.name) for other in person.forms)


def _same_first(one: str, other: str) -> bool:
    if one == other:
        return True
    if len(one) == 1 or len(other) == 1:
        return bool(one) and bool(other) and one[0] == other[0]
    return is_short_form(one, other) or is_short_form(other, one)


def _agree(one: str, other: str) -> bool:
    return not one or not other or one == other


def _most_mentioned(people: list[Person]) -> Person | None:
    return max(people, key=lambda person: (person.mentions, person.forms[0].name), default=None)
