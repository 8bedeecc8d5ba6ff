"""Whose lines a search printed: the name stands before the text, and nowhere else counts."""

from __future__ import annotations

import re
from enum import StrEnum
from itertools import islice, takewhile
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cortexfs.core.access_events.path_resolution import Surroundings
    from cortexfs.core.access_events.shown_atoms import Found


class Style(StrEnum):
    """What a search prints for a file that matched."""

    TEXT = "content"
    NAMES = "files_with_matches"
    COUNTS = "count"


_NAME_ENDS = {
    Style.TEXT: re.compile(r"\.md(?=[:\-\0])"),
    Style.NAMES: re.compile(r"\.md$"),
    Style.COUNTS: re.compile(r"\.md(?=[:\0]\d+$)"),
}
_NONE = re.compile(r"(?:^|[:\0])0+$")
_LONGEST = 4096
_MOST_ENDS = 8
"""A path is not longer, and holds no more that could end it."""

_BACK = re.compile(r"[^/.][^/]*/\.\./")
_COLOUR = re.compile(r"\x1b\[[0-9;]*[mK]")


class Search(NamedTuple):
    """One search: how it prints, from which working directory, and where below the root."""

    style: Style
    cwd: str
    scopes: tuple[str, ...]


def lines_of(text: str) -> list[str]:
    """Part what a program printed into lines; only a newline parts them."""
    return [line.rstrip("\r") for line in _COLOUR.sub("", text).split("\n")]


def owner(line: str, search: Search, around: Surroundings) -> str | None:
    """Tell which file of the tree a line is from; None where it is from none.

    The name may hold what also parts it from the text, so the first that is a file counts.
    """
    for end in islice(_NAME_ENDS[search.style].finditer(line, 0, _LONGEST), _MOST_ENDS):
        name = line[: end.end()]
        if _BACK.search(name):  # no search prints a name that climbs back: this is text
            return None
        below = around.below(name if name.startswith("/") else f"./{name}", search.cwd)
        if below and around.is_file(below):
            return below if any(_within(below, scope) for scope in search.scopes) else None
    return None


def matched(lines: Iterable[str], search: Search, around: Surroundings) -> frozenset[Found]:
    """Give the atoms that a search's lines are from."""
    owners = {owner(line, search, around) for line in shown(lines, search.style)}
    return frozenset(found for below in owners if (found := around.found(below)))


def shown(lines: Iterable[str], style: Style) -> list[str]:
    """Give the lines that tell of a match: not the empty ones, and no count of nothing."""
    counts = style is Style.COUNTS
    return [line for line in lines if line and not (counts and _NONE.search(line))]


def leading(lines: Iterable[str], searches: Sequence[Search], around: Surroundings) -> list[str]:
    """Give the lines before the first that none of the searches can have printed."""
    return list(
        takewhile(
            lambda line: line in {"", "--"} or any(owner(line, each, around) for each in searches),
            lines,
        )
    )


def _within(below: str, scope: str) -> bool:
    return not scope or below == scope or below.startswith(f"{scope}/")
