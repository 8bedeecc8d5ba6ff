"""Which files the lines of a search are from: only a name before the text counts."""

from __future__ import annotations

import re
from enum import StrEnum
from itertools import islice, takewhile
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.access_events import shell_programs

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cortexfs.core.access_events.path_resolution import PathResolver
    from cortexfs.core.access_events.shown_atoms import AtomFile


class SearchOutputMode(StrEnum):
    """What a search prints for a file that matched."""

    TEXT = "content"
    NAMES = "files_with_matches"
    COUNTS = "count"


_NAME_ENDS = {
    SearchOutputMode.TEXT: re.compile(r"\.md(?=[:\-\0])"),
    SearchOutputMode.NAMES: re.compile(r"\.md$"),
    SearchOutputMode.COUNTS: re.compile(r"\.md(?=[:\0]\d+$)"),
}
_NONE = re.compile(r"(?:^|[:\0])0+$")
_LONGEST = 4096
_MOST_ENDS = 8
"""A path is not longer, and holds no more that could end it."""

_BACK = re.compile(r"[^/.][^/]*/\.\./")
_COLOUR = re.compile(r"\x1b\[[0-9;]*[mK]")


class FileSearch(NamedTuple):
    """One search: how it prints, from which working directory, and where below the root."""

    output_mode: SearchOutputMode
    cwd: str
    scopes: tuple[str, ...]


def parse_output_mode(options: shell_programs.OptionSet) -> SearchOutputMode:
    """Give what a search with these options prints."""
    if options & shell_programs.NAMES_ONLY_OPTIONS:
        return SearchOutputMode.NAMES
    return (
        SearchOutputMode.COUNTS if options & shell_programs.COUNT_OPTIONS else SearchOutputMode.TEXT
    )


def split_output_lines(text: str) -> list[str]:
    """Split output into lines, at newlines only."""
    return [line.rstrip("\r") for line in _COLOUR.sub("", text).split("\n")]


def find_line_file(line: str, search: FileSearch, resolver: PathResolver) -> str | None:
    """Give the file of the tree that a line is from; None for any other line.

    A name may hold the separator too, so the first prefix that is a file counts.
    """
    for end in islice(_NAME_ENDS[search.output_mode].finditer(line, 0, _LONGEST), _MOST_ENDS):
        name = line[: end.end()]
        if _BACK.search(name):  # no search prints a name that climbs back: this is text
            return None
        below = resolver.relative_path(name if name.startswith("/") else f"./{name}", search.cwd)
        if below and resolver.is_file(below):
            return below if any(_within(below, scope) for scope in search.scopes) else None
    return None


def find_matched_atoms(
    lines: Iterable[str], search: FileSearch, resolver: PathResolver
) -> frozenset[AtomFile]:
    """Give the atoms that a search's lines are from."""
    owners = {
        find_line_file(line, search, resolver)
        for line in filter_match_lines(lines, search.output_mode)
    }
    return frozenset(found for below in owners if (found := resolver.find_atom(below)))


def filter_match_lines(lines: Iterable[str], style: SearchOutputMode) -> list[str]:
    """Give the lines that report a match: no empty ones, and no count of 0."""
    counts = style is SearchOutputMode.COUNTS
    return [line for line in lines if line and not (counts and _NONE.search(line))]


def take_search_lines(
    lines: Iterable[str], searches: Sequence[FileSearch], resolver: PathResolver
) -> list[str]:
    """Give the lines before the first that none of the searches can have printed."""
    return list(
        takewhile(
            lambda line: (
                line in {"", "--"} or any(find_line_file(line, each, resolver) for each in searches)
            ),
            lines,
        )
    )


def _within(below: str, scope: str) -> bool:
    return not scope or below == scope or below.startswith(f"{scope}/")
