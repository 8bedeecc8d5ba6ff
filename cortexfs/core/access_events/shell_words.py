"""Expand a word as the shell does: variables, braces, the home folder, wildcards."""

from __future__ import annotations

import re
from fnmatch import translate
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.access_events.shell_parser import UnclearCommand, unquote_word

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cortexfs.core.access_events.path_resolution import PathResolver

UNKNOWN = "\0"
"""Replaces what only the shell knows; no file has this name."""

_MAX_EXPANSIONS = 2000
"""Maximum words that one word may expand to."""

MAX_WORD_CHARS = 16_384
"""Maximum characters of a word after variables are expanded."""
MAX_WILDCARD_CHARS = 255
"""Maximum characters of a pattern between two slashes: no file name is longer."""

_VARIABLE = re.compile(r"\$(?:(\w+)|\{(\w+)\}|(?=[{@*#?!$-]))")
_BRACE_GROUP = re.compile(r"\{([^{}]*)\}")
_RANGE = re.compile(r"(\d{1,4})\.\.(\d{1,4})")
_WILDCARD = re.compile(r"[*?\[]")
_QUOTED_WILDCARD = re.compile("[\ue02a\ue03f\ue05b]")


class ShellState(NamedTuple):
    """The state that words are expanded in: working directory, known variables, and the tree."""

    cwd: str
    variables: Mapping[str, str]
    resolver: PathResolver


def expand_word(word: str, shell: ShellState) -> list[str]:
    """Return the words that a word expands to. Raises UnclearCommand if there are too many.

    A path below the home folder keeps its `~`; a quoted `~` becomes `./~`. An unknown part is
    `UNKNOWN`, after its folder.
    """
    substituted = _VARIABLE.sub(lambda found: _get_variable(found, shell.variables), word)
    if len(substituted) > MAX_WORD_CHARS:
        raise UnclearCommand
    return [
        path
        for each in _expand_braces(substituted)
        for path in _expand_wildcards(_expand_home(each), shell)
    ]


def _get_variable(found: re.Match[str], variables: Mapping[str, str]) -> str:
    return variables.get(found[1] or found[2] or "", UNKNOWN)


def _expand_home(word: str) -> str:
    """Distinguish the home folder (`~`), another's (`~name`) and a file called `~`."""
    if unquote_word(word[:1]) != "~":
        return word
    if word.startswith("~"):
        return word if word[1:2] in {"", "/"} else UNKNOWN
    return f"./{word}"


def _expand_braces(word: str) -> list[str]:
    """Return the expansions of `{a,b}` and `{1..3}`. Raises UnclearCommand if too many."""
    expanded: list[str] = []
    pending = [word]
    while pending:
        if len(expanded) + len(pending) > _MAX_EXPANSIONS:
            raise UnclearCommand
        first = pending.pop()
        for group in _BRACE_GROUP.finditer(first):
            if choices := _list_choices(group[1]):
                head, tail = first[: group.start()], first[group.end() :]
                pending += [head + choice + tail for choice in reversed(choices)]
                break
        else:
            expanded.append(first)
    return expanded


def _list_choices(group: str) -> Sequence[str]:
    if span := _RANGE.fullmatch(group):
        width = max(map(len, span.groups())) if re.match("0.", group) else 0
        low, high = sorted(map(int, span.groups()))
        return [f"{number:0{width}}" for number in range(low, high + 1)]
    return group.split(",") if "," in group else ()


def _expand_wildcards(word: str, shell: ShellState) -> list[str]:
    """Return the expansions of `*`, `?` and `[…]` below the root, or the word if none matches."""
    steps = word.split("/")
    first_wild = next((number for number, step in enumerate(steps) if _WILDCARD.search(step)), None)
    if first_wild is None or UNKNOWN in word or word.startswith("-"):  # no file is called `--x=*`
        return [unquote_word(word)]
    head = "".join(f"{unquote_word(step)}/" for step in steps[:first_wild])
    folder = shell.resolver.to_tree_path(head or ".", shell.cwd)
    if folder is None or ".." in steps[first_wild:]:
        return [head + UNKNOWN]
    paths = [""]
    for step in steps[first_wild:]:
        paths = [
            f"{path}/{name}" if path else name
            for path in paths
            for name in _match_names(step, _join_path(folder, path), shell.resolver)
        ]
        if len(paths) > _MAX_EXPANSIONS:
            raise UnclearCommand
    return [head + path for path in paths] or [unquote_word(word)]


def _match_names(step: str, folder: str, resolver: PathResolver) -> list[str]:
    """Return the names in a folder that match one step of a path."""
    if not _WILDCARD.search(step):
        return [unquote_word(step)]
    if len(step) > MAX_WILDCARD_CHARS:
        raise UnclearCommand
    pattern = _QUOTED_WILDCARD.sub(
        lambda char: f"[{unquote_word(char[0])}]", step.replace("[^", "[!")
    )
    matches = re.compile(translate(unquote_word(pattern))).match
    is_hidden = step.startswith(".")
    return [
        name
        for name in resolver.list_folder(folder)
        if matches(name) and is_hidden >= name.startswith(".")
    ]


def _join_path(folder: str, path: str) -> str:
    return f"{folder}/{path}" if folder and path else folder or path
