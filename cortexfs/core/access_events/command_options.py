"""Parse the words of a command as its program does: options, their values, operands."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.access_events.shell_programs import WRAPPERS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.access_events.shell_programs import OptionSet

ASSIGNMENT = re.compile(r"([A-Za-z_]\w*)=(.*)", re.DOTALL | re.ASCII)


class ParsedOptions(NamedTuple):
    """The options and operands of a program; the values of options are omitted."""

    options: OptionSet
    operands: tuple[str, ...]


def parse_options(words: Sequence[str], value_options: OptionSet) -> ParsedOptions:
    """Return options and operands as GNU programs parse them: operands may precede options."""
    options: set[str] = set()
    operands: list[str] = []
    rest = iter(words)
    for word in rest:
        if word == "--":
            operands.extend(rest)
        elif not word.startswith("-") or word == "-":
            operands.append(word)
        elif _add_options(word, value_options, options):
            next(rest, None)
    return ParsedOptions(frozenset(options), tuple(operands))


def _add_options(word: str, value_options: OptionSet, options: set[str]) -> bool:
    """Add the options in one word; return whether the next word is the value of the last one."""
    if word.startswith("--"):
        name, equals, _ = word[2:].partition("=")
        options.add(name)
        return not equals and name in value_options
    for at, letter in enumerate(word[1:], start=2):
        options.add(letter)
        if letter in value_options:
            return at == len(word)
    return False


def unwrap_program(words: Sequence[str]) -> tuple[str, Sequence[str]]:
    """Return the name of the program that is run, without wrappers, and the words after it."""
    name, rest = words[0].rpartition("/")[2], words[1:]
    while name in WRAPPERS:
        skipped = WRAPPERS[name]
        while rest and (rest[0].startswith("-") or ASSIGNMENT.match(rest[0])):
            rest = rest[1:]
        rest = rest[skipped:]
        name, rest = (rest[0].rpartition("/")[2], rest[1:]) if rest else ("", ())
    return name, rest
