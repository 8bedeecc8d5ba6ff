"""What is left of a command's output at the end of its pipeline."""

from __future__ import annotations

from dataclasses import replace
from enum import IntEnum
from typing import TYPE_CHECKING

from cortexfs.core.access_events import programs
from cortexfs.core.access_events.command_effects import (
    Deed,
    Prints,
    Reads,
    Searches,
    Silent,
    deed,
    expand_all,
)
from cortexfs.core.access_events.command_options import program, read_options
from cortexfs.core.access_events.search_output import Style

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.access_events.shell_expansion import Shell
    from cortexfs.core.access_events.shell_parser import Command


class Passes(IntEnum):
    """What a command hands on of its input."""

    NOTHING = 0
    TEXT = 1
    SOME_LINES = 2
    LINES = 3


def pipeline(stages: Sequence[Command], shell: Shell) -> Deed:
    """Tell what a pipeline does. Raises Unclear where a word becomes too many."""
    first, rest = deed(stages[0], shell), stages[1:]
    if not rest:
        return first
    if rest[-1].away:
        return Silent()
    passed = min(_passes(stage, shell) for stage in rest)
    match first:
        case Reads() if passed >= Passes.TEXT:
            return first
        case Searches() if passed >= _needed(first):
            return first if passed is Passes.LINES else replace(first, projects=frozenset())
    return Prints()


def _needed(searches: Searches) -> Passes:
    """Tell how much must be left of a search's output for its atoms to be known."""
    alone = searches.bare and searches.search.style is Style.TEXT
    return Passes.TEXT if alone else Passes.SOME_LINES


def _passes(command: Command, shell: Shell) -> Passes:
    if command.away or command.source or not command.words:
        return Passes.NOTHING
    name, words = program(expand_all(command.words, shell))
    if name == "tee":
        return Passes.LINES
    if searcher := programs.SEARCHERS.get(name):
        options, operands = read_options(words, searcher.valued)
        given = operands if options & programs.PATTERN else operands[1:]
        if given or options & (programs.QUIET | programs.COUNTING | programs.NAMING):
            return Passes.NOTHING
        return Passes.TEXT if options & programs.CUTTING else Passes.SOME_LINES
    if reader := programs.READERS.get(name):
        return _passes_reader(name, words, reader)
    return Passes.NOTHING if name != "tr" else Passes.TEXT


def _passes_reader(name: str, words: Sequence[str], reader: programs.Reader) -> Passes:
    options, operands = read_options(words, reader.valued)
    script = bool(reader.script) and not options & reader.script
    if set(operands[script:]) - {"-"} or options & reader.writes:
        return Passes.NOTHING
    keeps = name in programs.KEEPERS and not options & programs.KEEPERS[name]
    return Passes.LINES if keeps else Passes.TEXT
