"""What a person types, understood: no input is an error."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.find.filters import Only, parse_since, parse_until, split_values
from cortexfs.core.find.stop_words import stop
from cortexfs.core.find.tokenize import fold, is_ref, is_unspaced, runs, tokens

if TYPE_CHECKING:
    from datetime import date

LONGEST = 4000
"""Characters of a query that are read; somebody who pastes a file is answered by its beginning."""
MOST = 32
"""Terms that are sought."""

_PART = re.compile(r'(-?)(?:([A-Za-z]+):)?(?:"([^"]*)"?|(\S+))')


class Query(NamedTuple):
    """What is sought: any of `terms`, all `phrases`, none of `without`."""

    terms: tuple[str, ...] = ()
    phrases: tuple[tuple[str, ...], ...] = ()
    without: tuple[tuple[str, ...], ...] = ()
    only: Only = Only()
    named: tuple[str, ...] = ()
    """Words that may be the ref of an atom as `list` prints it, or its path: it comes first."""

    @property
    def words(self) -> tuple[str, ...]:
        """Every term that speaks for an atom."""
        return tuple(dict.fromkeys([*self.terms, *(word for one in self.phrases for word in one)]))


def read_query(typed: str, today: date) -> Query:
    """Understand words, "phrases", -without, and filters, which may have a - too.

    These are `tag:`, `kind:`, `status:`, `project:`, `since:` and `until:`, each with one value
    or several after commas; what looks like one and is none (`since:soon`, `std:vector`) is words.
    """
    terms: list[str] = []
    phrases: list[tuple[str, ...]] = []
    without: list[tuple[str, ...]] = []
    named: list[str] = []
    only = Only()
    for minus, key, quoted, plain in _PART.findall(_beginning(typed)):
        if asked := _filter(key, quoted or plain, today):
            only = only.joined(Only(but=(asked,)) if minus else asked)
            continue
        said = quoted or (f"{key}:{plain}" if key else plain)
        phrase = _phrase(said)
        if minus:
            without += [phrase] if phrase else []
        elif quoted and len(phrase) > 1:
            phrases.append(phrase)
        else:
            terms += _terms(said)
            named += _named(said)
    some = tuple(named[:MOST])
    return Query(_telling(terms), tuple(phrases[:MOST]), tuple(without[:MOST]), only, some)


def spoken(typed: str, today: date) -> str:
    """Give what is sought in the words in which it was typed, without filters and -words."""
    return " ".join(
        quoted or (f"{key}:{plain}" if key else plain)
        for minus, key, quoted, plain in _PART.findall(_beginning(typed))
        if not minus and _filter(key, quoted or plain, today) is None
    )


def _beginning(typed: str) -> str:
    """Cut a long text at a blank, if it has one."""
    beginning = typed[:LONGEST]
    whole = re.match(r"(?s).*\S(?=\s)", beginning) if len(typed) > LONGEST else None
    return whole[0] if whole else beginning


def _filter(key: str, value: str, today: date) -> Only | None:
    """Read `key:value`; None where it filters nothing."""
    named = tuple(map(fold, split_values([value])))
    filters = {
        "kind": Only(kinds=named),
        "project": Only(projects=named),
        "status": Only(statuses=named),
        "tag": Only(tags=named),
        "since": Only(since=parse_since(value, today)),
        "until": Only(until=parse_until(value, today)),
    }
    asked = filters.get(key.lower())
    return asked if asked != Only() else None


def _terms(said: str) -> list[str]:
    """Give the terms of some words, and the names among them."""
    read = map(tokens, runs(said))
    return [term for words, names in read for term in (*_whole(words), *names.split())]


def _named(said: str) -> list[str]:
    """Give what may be a ref or a path, without the line that is cited and signs around it."""
    name = said.lstrip("([`'").removeprefix("./").partition(":")[0].rstrip(".,;!?)]`'")
    return [name] if "/" in name or is_ref(fold(name)) else []


def _phrase(said: str) -> tuple[str, ...]:
    return tuple(_whole(tokens(said).words)[:MOST])


def _whole(words: str) -> list[str]:
    """Leave out the single letters that end a run of pairs: only a text has them."""
    every = words.split()
    return [
        word
        for before, word in zip(["", *every], every, strict=False)
        if len(word) > 1 or not (is_unspaced(word) and before[1:] == word)
    ]


def _telling(terms: list[str]) -> tuple[str, ...]:
    """Leave out words that say nothing, unless there are no others."""
    every = dict.fromkeys(terms)
    telling = [term for term in every if term not in stop()]
    return tuple((telling or list(every))[:MOST])
