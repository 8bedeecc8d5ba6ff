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
from cortexfs.core.access_events.find_and_xargs import infer_xargs_search, list_printed_scopes
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
    first, rest = _find_source(stages, shell)
    if not rest:
        return first
    passed_on = min(_infer_pass_through(stage, shell) for stage in rest)
    match first:
        case ReadFiles() if passed_on >= PassThrough.TEXT:
            return replace(first, is_filtered=True, keeps_whole_lines=passed_on > PassThrough.TEXT)
        case SearchFiles() if passed_on >= _get_required_output(first):
            return first if passed_on is PassThrough.LINES else replace(first, projects=frozenset())
    return UnknownOutput()


def _find_source(
    stages: Sequence[ShellCommand], shell: ShellState
) -> tuple[Effect, Sequence[ShellCommand]]:
    """Return the effect whose output the pipeline filters, and the stages that filter it."""
    for position in range(len(stages) - 1, 0, -1):
        name, words = unwrap_program(expand_words(stages[position].words, shell) or [""])
        if name == "xargs":
            scopes = list_printed_scopes(expand_words(stages[0].words, shell), shell)
            search = infer_xargs_search(words, scopes, shell)
            return SearchFiles(search) if search else UnknownOutput(), stages[position + 1 :]
    return infer_effect(stages[0], shell), stages[1:]


def _get_required_output(searches: SearchFiles) -> PassThrough:
    """Return how much of a search's output must be passed on to identify its atoms."""
    prints_one_file = searches.hides_names and searches.search.output_mode is SearchOutputMode.TEXT
    return PassThrough.TEXT if prints_one_file else PassThrough.SOME_LINES


def _infer_pass_through(command: ShellCommand, shell: ShellState) -> PassThrough:
    if command.is_redirected or command.input_file or not command.words:
        return PassThrough.NOTHING
    name, words = unwrap_program(expand_words(command.words, shell))
    if name == "tee":
        return PassThrough.LINES
    if searcher := shell_programs.SEARCH_PROGRAMS.get(name):
        options, operands = parse_options(words, searcher.value_options)
        files = operands if options & shell_programs.PATTERN_OPTIONS else operands[1:]
        if files or options & (
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
    if printer := shell_programs.PRINT_PROGRAMS.get(name):
        return _infer_printer_pass_through(name, words, printer)
    return PassThrough.NOTHING if name != "tr" else PassThrough.TEXT


def _infer_printer_pass_through(
    name: str, words: Sequence[str], printer: shell_programs.PrintProgram
) -> PassThrough:
    options, operands = parse_options(words, printer.value_options)
    has_script = bool(printer.script_options) and not options & printer.script_options
    if set(operands[has_script:]) - {"-"} or options & printer.write_options:
        return PassThrough.NOTHING
    line_options = shell_programs.LINE_FILTERS.get(name)
    keeps_lines = line_options is not None and not options & line_options
    return PassThrough.LINES if keeps_lines else PassThrough.TEXT
