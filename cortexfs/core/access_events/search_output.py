"""Find the files that the output lines of a search are from, by the name before the text."""

from __future__ import annotations

import re
from enum import StrEnum
from itertools import islice, pairwise, takewhile
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.access_events import shell_programs

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cortexfs.core.access_events.path_resolution import PathResolver
    from cortexfs.core.access_events.shown_atom_types import AtomFileName


class SearchOutputMode(StrEnum):
    """What a search prints for a matching file."""

    TEXT = "content"
    NAMES = "files_with_matches"
    COUNTS = "count"


_NAME_ENDS = {
    SearchOutputMode.TEXT: re.compile(r"\.md(?=[:\-\0])"),
    SearchOutputMode.NAMES: re.compile(r"\.md$"),
    SearchOutputMode.COUNTS: re.compile(r"\.md(?=[:\0]\d+$)"),
}
_ZERO_COUNT = re.compile(r"(?:^|[:\0])0+$")
_MAX_PATH_CHARS = 4096
_MAX_NAME_ENDS = 8
"""Limits for a path in a line: its characters, and the places at which it could end."""

_COLOR_CODE = re.compile(r"\x1b\[[0-9;]*[mK]")


class FileSearch(NamedTuple):
    """One search: its output mode, its working directory, and the paths below the root."""

    output_mode: SearchOutputMode
    cwd: str
    scopes: tuple[str, ...]


def parse_output_mode(options: shell_programs.OptionSet) -> SearchOutputMode:
    """Return the output mode of a search with these options."""
    if options & shell_programs.NAMES_ONLY_OPTIONS:
        return SearchOutputMode.NAMES
    return (
        SearchOutputMode.COUNTS if options & shell_programs.COUNT_OPTIONS else SearchOutputMode.TEXT
    )


def split_output_lines(text: str) -> list[str]:
    """Return the lines of an output, split at newlines only and without color codes."""
    return [line.rstrip("\r") for line in _COLOR_CODE.sub("", text).split("\n")]


def find_line_file(line: str, search: FileSearch, resolver: PathResolver) -> str | None:
    """Return the path below the root of the file a line is from; None for any other line.

    A name may contain the separator, so the first prefix that is a file counts.
    """
    for end in islice(
        _NAME_ENDS[search.output_mode].finditer(line, 0, _MAX_PATH_CHARS), _MAX_NAME_ENDS
    ):
        name = line[: end.end()]
        if _leaves_folder(name):  # no search prints `a/../b`: this is text
            return None
        tree_path = resolver.to_tree_path(name if name.startswith("/") else f"./{name}", search.cwd)
        if tree_path and resolver.is_file(tree_path):
            is_in_scope = any(_is_in_scope(tree_path, scope) for scope in search.scopes)
            return tree_path if is_in_scope else None
    return None


def _leaves_folder(name: str) -> bool:
    """Return whether a path goes into a folder and out of it again, as in `a/../b`."""
    return "/../" in name and any(
        step == ".." and before.strip(".") for before, step in pairwise(name.split("/"))
    )


def find_matched_atoms(
    lines: Iterable[str], search: FileSearch, resolver: PathResolver
) -> frozenset[AtomFileName]:
    """Return the atoms that the lines of a search are from."""
    files = {
        find_line_file(line, search, resolver)
        for line in filter_match_lines(lines, search.output_mode)
    }
    return frozenset(atom for file in files if (atom := resolver.find_atom(file)))


def filter_match_lines(lines: Iterable[str], output_mode: SearchOutputMode) -> list[str]:
    """Return the lines that report a match: not empty, and not a count of 0."""
    has_counts = output_mode is SearchOutputMode.COUNTS
    return [line for line in lines if line and not (has_counts and _ZERO_COUNT.search(line))]


def take_search_lines(
    lines: Iterable[str], searches: Sequence[FileSearch], resolver: PathResolver
) -> list[str]:
    """Return the lines before the first one that none of the searches can have printed."""
    return list(
        takewhile(
            lambda line: (
                line in {"", "--"} or any(find_line_file(line, each, resolver) for each in searches)
            ),
            lines,
        )
    )


def _is_in_scope(path: str, scope: str) -> bool:
    return not scope or path == scope or path.startswith(f"{scope}/")
