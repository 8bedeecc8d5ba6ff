"""Determine how much of a command's output reaches the end of its pipeline."""

from __future__ import annotations

from dataclasses import replace
from enum import IntEnum
from typing import TYPE_CHECKING

from cortexfs.core.access_events import shell_programs
from cortexfs.core.access_events.command_effects import (
    Effect,
    NoOutput,
    ReadFiles,
    SearchFiles,
    UnknownOutput,
    expand_words,
    infer_effect,
)
from cortexfs.core.access_events.command_options import parse_options, unwrap_program
from cortexfs.core.access_events.find_and_xargs import printed_path_scopes, search_by_xargs
from cortexfs.core.access_events.search_output import SearchOutputMode

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.access_events.shell_parser import ShellCommand
    from cortexfs.core.access_events.shell_words import ShellState


class PassThrough(IntEnum):
    """How much of its input a command passes on."""

    NOTHING = 0
    TEXT = 1
    SOME_LINES = 2
    LINES = 3


def infer_pipeline_effect(stages: Sequence[ShellCommand], shell: ShellState) -> Effect:
    """Return the effect of a pipeline. Raises UnclearCommand if a word expands to too many."""
    if len(stages) > 1 and stages[-1].is_redirected:
        return NoOutput()
    first, rest = _source(stages, shell)
    if not rest:
        return first
    passed = min(_passes(stage, shell) for stage in rest)
    match first:
        case ReadFiles() if passed >= PassThrough.TEXT:
            return replace(first, is_filtered=True, keeps_whole_lines=passed > PassThrough.TEXT)
        case SearchFiles() if passed >= _needed(first):
            return first if passed is PassThrough.LINES else replace(first, projects=frozenset())
    return UnknownOutput()


def _source(
    stages: Sequence[ShellCommand], shell: ShellState
) -> tuple[Effect, Sequence[ShellCommand]]:
    """Return the effect whose output the pipeline filters, and the stages that filter it."""
    for at in range(len(stages) - 1, 0, -1):
        name, words = unwrap_program(expand_words(stages[at].words, shell) or [""])
        if name == "xargs":
            scopes = printed_path_scopes(expand_words(stages[0].words, shell), shell)
            search = search_by_xargs(words, scopes, shell)
            return SearchFiles(search) if search else UnknownOutput(), stages[at + 1 :]
    return infer_effect(stages[0], shell), stages[1:]


def _needed(searches: SearchFiles) -> PassThrough:
    """Return how much of a search's output must be passed on to identify its atoms."""
    alone = searches.hides_names and searches.search.output_mode is SearchOutputMode.TEXT
    return PassThrough.TEXT if alone else PassThrough.SOME_LINES


def _passes(command: ShellCommand, shell: ShellState) -> PassThrough:
    if command.is_redirected or command.input_file or not command.words:
        return PassThrough.NOTHING
    name, words = unwrap_program(expand_words(command.words, shell))
    if name == "tee":
        return PassThrough.LINES
    if searcher := shell_programs.SEARCH_PROGRAMS.get(name):
        options, operands = parse_options(words, searcher.value_options)
        given = operands if options & shell_programs.PATTERN_OPTIONS else operands[1:]
        if given or options & (
            shell_programs.QUIET_OPTIONS
            | shell_programs.COUNT_OPTIONS
            | shell_programs.NAMES_ONLY_OPTIONS
        ):
            return PassThrough.NOTHING
        return (
            PassThrough.TEXT
            if options & shell_programs.PARTIAL_LINE_OPTIONS
            else PassThrough.SOME_LINES
        )
    if reader := shell_programs.PRINT_PROGRAMS.get(name):
        return _passes_reader(name, words, reader)
    return PassThrough.NOTHING if name != "tr" else PassThrough.TEXT


def _passes_reader(
    name: str, words: Sequence[str], reader: shell_programs.PrintProgram
) -> PassThrough:
    options, operands = parse_options(words, reader.value_options)
    script = bool(reader.script_options) and not options & reader.script_options
    if set(operands[script:]) - {"-"} or options & reader.write_options:
        return PassThrough.NOTHING
    keeps = name in shell_programs.LINE_FILTERS and not options & shell_programs.LINE_FILTERS[name]
    return PassThrough.LINES if keeps else PassThrough.TEXT
