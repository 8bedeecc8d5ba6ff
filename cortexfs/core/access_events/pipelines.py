"""What of a command's output comes through to the end of its pipeline."""

from __future__ import annotations

from dataclasses import replace
from enum import IntEnum
from typing import TYPE_CHECKING

from cortexfs.core.access_events import programs
from cortexfs.core.access_events.command_effects import (
    Effect,
    NoOutput,
    ReadFiles,
    SearchFiles,
    UnknownOutput,
    effect,
    expand_all,
)
from cortexfs.core.access_events.command_options import program, read_options
from cortexfs.core.access_events.found_files import scopes_of, search_by_xargs
from cortexfs.core.access_events.search_output import Style

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.access_events.shell_parser import Command
    from cortexfs.core.access_events.shell_words import Shell


class Passes(IntEnum):
    """What a command passes on of its input."""

    NOTHING = 0
    TEXT = 1
    SOME_LINES = 2
    LINES = 3


def pipeline(stages: Sequence[Command], shell: Shell) -> Effect:
    """Give the effect of a pipeline. Raises UnclearCommand where a word expands to too many."""
    if len(stages) > 1 and stages[-1].away:
        return NoOutput()
    first, rest = _source(stages, shell)
    if not rest:
        return first
    passed = min(_passes(stage, shell) for stage in rest)
    match first:
        case ReadFiles() if passed >= Passes.TEXT:
            return replace(first, filtered=True, whole_lines=passed > Passes.TEXT)
        case SearchFiles() if passed >= _needed(first):
            return first if passed is Passes.LINES else replace(first, projects=frozenset())
    return UnknownOutput()


def _source(stages: Sequence[Command], shell: Shell) -> tuple[Effect, Sequence[Command]]:
    """Give the effect whose output the pipeline filters, and the stages that filter it."""
    for at in range(len(stages) - 1, 0, -1):
        name, words = program(expand_all(stages[at].words, shell) or [""])
        if name == "xargs":
            scopes = scopes_of(expand_all(stages[0].words, shell), shell)
            search = search_by_xargs(words, scopes, shell)
            return SearchFiles(search) if search else UnknownOutput(), stages[at + 1 :]
    return effect(stages[0], shell), stages[1:]


def _needed(searches: SearchFiles) -> Passes:
    """Give how much of a search's output must come through for its atoms to be known."""
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
