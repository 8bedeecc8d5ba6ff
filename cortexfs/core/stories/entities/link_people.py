"""Which forms name one person: full names, first names, surnames, titles, short forms."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.stories.entities.given_names import FIRST_NAMES
from cortexfs.core.stories.entities.person import (
    WIVES,
    FirstNames,
    Person,
    agree,
    choose,
    choose_by_surname,
    choose_frequent,
    get_last_name,
    get_likely_gender,
    is_apart,
    is_longer_form,
    order_titled,
)
from cortexfs.core.stories.entities.title_rules import (
    Bearers,
    find_eldest,
    fits_rank,
    is_anybody,
    is_child,
    is_knight_and_officer,
    is_same_profession,
    is_younger,
    may_be_short_form,
    needs_first_name,
)
from cortexfs.core.stories.entities.titles import (
    BEFORE_FIRST_NAME,
    MARRIED,
    SOLDIERS,
    UNMARRIED,
    get_equal_titles,
)
from cortexfs.core.stories.entities.wives import (
    fits_wife,
    has_husbands_name,
    is_husbands_first_name,
    unite_maiden_names,
)
from cortexfs.core.stories.word_list import parse_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from cortexfs.core.stories.entities.name_form import NameForm


_NO_FIRST = SOLDIERS | BEFORE_FIRST_NAME - parse_words(
    "master sir mars marse massa don brother sister"
)
"""After these `Alexander` is not what the only Sandy is called otherwise."""


def link_people(forms: Iterable[NameForm], apart: Callable[[str, str, int], bool]) -> list[Person]:
    """Return the persons whom the forms name.

    `apart` tells whether the text speaks against one person for two forms; its third argument is
    how often the rarer one stands there.
    """
    ordered = sorted(forms, key=lambda form: (-len(form.words), -form.mentions, form.name))
    links = _Links(apart)
    full = [form for form in ordered if len(form.words) > 1]
    single = [form for form in ordered if len(form.words) == 1]
    links.genders = {f.words[0]: f.gender for f in single if not f.titles and f.gender}
    links.girls = frozenset(f.words[0] for f in single if not f.titles and f.gender != "m")
    links.titled = frozenset(
        f.words[0] for f in single if f.titles and _NO_FIRST.issuperset(f.titles)
    )
    for form in full:
        links.add_full(form)
    bare = [form for form in single if not form.titles]
    rest = [form for form in bare if not links.add_first_name(form) and not links.add_eldest(form)]
    for form in sorted(single, key=order_titled):
        if form.titles:
            links.add_titled(form)
    for form in rest:
        links.add_bare(form)
    unite_maiden_names(links.people, apart)
    bearers = Bearers(links.people)
    for form in ordered:
        if not form.words:
            links.add_title(form, bearers.find(form.titles[-1]))
    return links.people


class _Links:
    def __init__(self, apart: Callable[[str, str, int], bool]) -> None:
        self.people: list[Person] = []
        self._apart = apart
        self._by_word: dict[str, list[Person]] = {}
        self._firsts = FirstNames()
        self.genders: dict[str, str] = {}
        """What pronouns tell of words that stand alone."""
        self.girls: frozenset[str] = frozenset()
        """Words that stand alone, and are no man's: what follows Miss may be her first name."""
        self.titled: frozenset[str] = frozenset()
        """Words that stand with such a title alone: `Aunt Polly` is not Mary."""

    def _new(self, form: NameForm, first: str, last: str) -> Person:
        wife = len(form.words) > 1 and has_husbands_name(form, self.genders)
        person = Person([form], first, last, form.gender, wife)
        self.people.append(person)
        if first:
            self._firsts.add(person)
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
        if first and not person.first:
            person.first = first
            self._firsts.add(person)
        person.last = person.last or last

    def add_full(self, form: NameForm) -> None:
        """Add a full name; it joins one with the same surname and first name, or a short form."""
        first, last = form.words[0], get_last_name(form.words)
        wife = has_husbands_name(form, self.genders)
        for person in (*self._by_word.get(last, ()), *self._by_word.get(first, ())):
            same = person.last == last and (
                person.first == first
                or (may_be_short_form(person, form) and not self._apart_from(person, form))
            )
            if (
                person.wife_of == wife
                and agree(person.gender, form.gender)
                and not is_knight_and_officer(person, form)
                and (same or is_longer_form(person, form))
            ):
                self._join(person, form)
                return
        self._new(form, first, last)

    def add_first_name(self, form: NameForm) -> bool:
        """Add a word that stands alone if it is somebody's first name; tell whether it was."""
        word = form.words[0]
        found = [p for p in self._firsts.find(word) if self._may_be_called(p, form)]
        best = choose_frequent([p for p in found if p.first == word] or found)
        if best is None:
            return False
        self._join(best, form)
        return True

    def add_eldest(self, form: NameForm) -> bool:
        """Add the first name of an eldest daughter, who is `Miss Dane`; tell whether it was."""
        if "eldest" not in form.counts or form.gender == "m":
            return False
        self._new(form, form.words[0], "")
        return True

    def _may_be_called(self, person: Person, form: NameForm) -> bool:
        """Tell whether a person with this first name, in any form, may be called by it alone."""
        word = form.words[0]
        if person.wife_of or person.is_ranked or not agree(person.gender, form.gender):
            return False
        if person.first == word:
            return True
        own = word in self.titled and not person.has_title(UNMARRIED)
        alone = not person.last and word[0] != person.first[0]
        beside = alone and any(self._apart(other.name, form.name, 0) for other in person.forms)
        return not own and not beside

    def add_titled(self, form: NameForm) -> None:
        """Add a title with one name: `Mr Oak`, `Sir Walter`, `Aunt Polly`."""
        word, title = form.words[0], form.titles[0]
        called = self._by_word.get(word) or [
            p
            for p in self._firsts.find(word)
            if title in BEFORE_FIRST_NAME and p.has_title(get_equal_titles(title))
        ]
        known = [p for p in called if self._may_be(p, form)]
        if wife := next((p for p in called if is_husbands_first_name(p, form)), None):
            self._join(wife, form)
            return
        firsts = [p for p in known if p.last != word and not p.wife_of and title not in MARRIED]
        lasts = [p for p in known if p.last == word and p.first != word and self._fits(p, form)]
        lasts = [] if is_anybody(lasts, title) else lasts
        ordered = (firsts, lasts) if title in BEFORE_FIRST_NAME else (lasts, firsts)
        if title not in BEFORE_FIRST_NAME and word in FIRST_NAMES:
            ordered = (firsts + lasts, [])
        best = next((choose(people, title, word) for people in ordered if people), None)
        if not firsts and word not in self.girls and word not in FIRST_NAMES:
            best = find_eldest(self.people, form, self._apart) or best
        if best is None:
            given = title in BEFORE_FIRST_NAME or (title == "miss" and word in self.girls)
            self._new(form, word if given else "", "" if given else word)
        else:
            self._join(best, form, last="" if best in firsts else word)

    def _may_be(self, person: Person, form: NameForm) -> bool:
        """Tell whether neither gender nor rank nor the text speaks against it."""
        if not fits_rank(person, form):
            return False
        gender = person.gender or get_likely_gender(person)
        return agree(gender, form.gender) and not self._apart_from(person, form)

    def _apart_from(self, person: Person, form: NameForm) -> bool:
        return is_apart(person, form, self._apart)

    def _fits(self, person: Person, form: NameForm) -> bool:
        """Tell whether a woman with this surname may bear this title."""
        title = form.titles[0]
        if title in WIVES:
            return fits_wife(person, form, self._by_word.get(person.last, ()), self._apart)
        if title in UNMARRIED and person.has_title(WIVES):
            return False
        if is_child(person, form) or is_younger(person, form):
            return False
        if title in {"mr", "miss"} and needs_first_name(person, form):
            return False
        return is_same_profession(person, form)

    def add_bare(self, form: NameForm) -> None:
        """Add a word that stands alone and is nobody's first name: a surname or a new name."""
        word = form.words[0]
        found = [
            p for p in self._by_word.get(word, ()) if agree(p.gender, form.gender) and not p.wife_of
        ]
        men = [p for p in found if p.gender != "f" or form.gender == "f"]
        is_man = form.counts.get("he", 0) > 1 + form.counts.get("she", 0)
        best = choose_by_surname(men if is_man else men or found, word)
        if form.counts.get("a", 0) == form.mentions:
            self._new(form, "", word)  # a Delamere is anybody of the family
        elif best is not None:
            self._join(best, form)
        elif not self.add_first_name(form):
            self._new(form, word, "")

    def add_title(self, form: NameForm, bearers: list[Person]) -> None:
        """Add a title that stands alone, `the Admiral`, if one person alone bears it."""
        best = choose_frequent(bearers)
        total = sum(p.mentions for p in bearers)
        if best is not None and best.mentions * 4 >= total * 3:
            self._join(best, form)
        elif form.mentions > 1 and form.odds >= 0:
            self._new(form, "", "")
