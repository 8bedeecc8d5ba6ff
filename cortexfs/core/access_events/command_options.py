"""The words of a command as its program reads them: options, their values, operands."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.access_events.shell_programs import WRAPPERS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.access_events.shell_programs import OptionSet

ASSIGNMENT = re.compile(r"([A-Za-z_]\w*)=(.*)", re.DOTALL | re.ASCII)


class ParsedOptions(NamedTuple):
    """The words after a program's name; the values of options are left out."""

    options: OptionSet
    operands: tuple[str, ...]


def parse_options(words: Sequence[str], valued: OptionSet) -> ParsedOptions:
    """Separate options and operands, as GNU programs do: operands may stand before options."""
    options: set[str] = set()
    operands: list[str] = []
    rest = iter(words)
    for word in rest:
        if word == "--":
            operands.extend(rest)
        elif not word.startswith("-") or word == "-":
            operands.append(word)
        elif _read_option(word, valued, options):
            next(rest, None)
    return ParsedOptions(frozenset(options), tuple(operands))


def _read_option(word: str, valued: OptionSet, options: set[str]) -> bool:
    """Add the options of one word; tell whether the next word is the value of the last."""
    if word.startswith("--"):
        name, equals, _ = word[2:].partition("=")
        options.add(name)
        return not equals and name in valued
    for at, letter in enumerate(word[1:], start=2):
        options.add(letter)
        if letter in valued:
            return at == len(word)
    return False


def unwrap_program(words: Sequence[str]) -> tuple[str, Sequence[str]]:
    """Give the name of the program that is run in the end, and the words after it."""
    name, rest = words[0].rpartition("/")[2], words[1:]
    while name in WRAPPERS:
        skipped = WRAPPERS[name]
        while rest and (rest[0].startswith("-") or ASSIGNMENT.match(rest[0])):
            rest = rest[1:]
        rest = rest[skipped:]
        name, rest = (rest[0].rpartition("/")[2], rest[1:]) if rest else ("", ())
    return name, rest
