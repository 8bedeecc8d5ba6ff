"""What a text says of relatives: who are not one person, and who is whose wife."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cortexfs.core.stories.entities.person import Person

_KINDS = frozenset({"parent", "child", "sibling", "lover"})
_SOURCES = frozenset({"possessive", "of"})
"""Of these, what says it in so many words: `Anne's father Walter`, `Anne, daughter of Walter`."""
_MARRIAGE = frozenset({"married", "marries", "married to", "wife", "husband", "wed"})


def find_kin(ties: Iterable[str]) -> frozenset[str]:
    """Return pairs of forms of relatives, as "A|B" in alphabetical order.

    `ties`: the keys of what `read_relations` returns.
    """
    split = (tie.split("|") for tie in ties)
    return frozenset(
        "|".join(sorted((one, other)))
        for one, other, kind, source, _ in split
        if kind in _KINDS and source in _SOURCES
    )


def find_wives(ties: Iterable[str], people: list[Person]) -> dict[str, int]:
    """Return which forms are one woman's: her name, and `Mrs.` with her husband's surname.

    As an introduction, the key is "A|B".
    """
    married = [tie.split("|")[:2] for tie in ties if tie.rpartition("|")[2] in _MARRIAGE]
    if not married:
        return {}
    named = {form.name: person for person in people for form in person.forms}
    wives = {
        form.words[0]: form.name
        for person in people
        for form in person.forms
        if form.married and len(form.words) == 1 and not person.first
    }
    both = [*married, *((other, one) for one, other in married)]
    return dict.fromkeys(_pair_wives(both, named, wives), 1)


def _pair_wives(
    married: Iterable[Iterable[str]], named: dict[str, Person], wives: dict[str, str]
) -> Iterator[str]:
    for wife, husband in married:
        woman, man = named.get(wife), named.get(husband)
        if woman is None or man is None or woman.gender == "m" or man.gender == "f":
            continue
        title = wives.get(man.last)
        if title and named[title] not in {woman, man}:
            yield f"{wife}|{title}"
