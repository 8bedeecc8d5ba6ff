"""What a person types, understood: no input is an error."""

from __future__ import annotations

import re
from datetime import date
from typing import NamedTuple

from cortexfs.core.find.stop_words import stop
from cortexfs.core.find.tokenize import fold, is_ref, is_unspaced, runs, tokens

LONGEST = 4000
"""Characters of a query that are read; somebody who pastes a file is answered by its beginning."""
MOST = 32
"""Terms that are sought."""

_PART = re.compile(r'(-?)(?:([A-Za-z]+):)?(?:"([^"]*)"?|(\S+))')
_AGO = re.compile(r"([0-9]{1,4})([dwmy])")
_DAYS = {"d": 1, "w": 7, "m": 30, "y": 365}


class Only(NamedTuple):
    """What must be true of an atom: one of each that is named, but all the tags."""

    kinds: tuple[str, ...] = ()
    projects: tuple[str, ...] = ()
    statuses: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    since: int = 0
    """A day as an ordinal."""
    but: tuple[Only, ...] = ()
    """None of these may be true."""

    def joined(self, other: Only) -> Only:
        """Ask for what both ask for."""
        return Only(
            self.kinds + other.kinds,
            self.projects + other.projects,
            self.statuses + other.statuses,
            self.tags + other.tags,
            max(self.since, other.since),
            self.but + other.but,
        )


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

    These are `tag:`, `kind:`, `status:`, `project:` and `since:`; what looks like one and is
    none (`since:soon`, `std:vector`) is words.
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
    named = (fold(value),) if value else ()
    filters = {
        "kind": Only(kinds=named),
        "project": Only(projects=named),
        "status": Only(statuses=named),
        "tag": Only(tags=named),
        "since": Only(since=since(value, today)),
    }
    asked = filters.get(key.lower())
    return asked if asked != Only() else None


def since(said: str, today: date) -> int:
    """Read `2026-03-09`, `2026-03`, `2026`, `30d`, `2w`, `6m` or `1y` as an ordinal; 0 for none."""
    if ago := _AGO.fullmatch(said):
        return max(1, today.toordinal() - int(ago[1]) * _DAYS[ago[2]])
    whole = f"{said}-01-01"[: max(10, len(said))] if re.match(r"[0-9]{4}(-|$)", said) else ""
    try:
        return date.fromisoformat(whole).toordinal()
    except ValueError:
        return 0


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
