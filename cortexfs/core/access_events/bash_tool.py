"""Find the atoms that a shell command showed, from its parsed effects and its output."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import takewhile
from typing import TYPE_CHECKING

from cortexfs.core.access_events.command_effects import (
    ChangeDir,
    Echo,
    NoOutput,
    ReadFiles,
    SearchFiles,
    SetVariables,
    UnknownOutput,
    expand_words,
)
from cortexfs.core.access_events.command_options import unwrap_program
from cortexfs.core.access_events.pipelines import infer_pipeline_effect
from cortexfs.core.access_events.printed_files import find_printed_atoms
from cortexfs.core.access_events.search_output import (
    SearchOutputMode,
    filter_match_lines,
    find_matched_atoms,
    split_output_lines,
    take_search_lines,
)
from cortexfs.core.access_events.shell_parser import UnclearCommand, parse_command
from cortexfs.core.access_events.shell_programs import SHELLS
from cortexfs.core.access_events.shell_words import UNKNOWN, ShellState
from cortexfs.core.access_events.shown_atom_types import AtomFileName, ShownAtoms
from cortexfs.core.access_events.tool_call import UNKNOWN_CWD, text_field
from cortexfs.core.access_events.truncated_output import require_printed_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cortexfs.core.access_events.command_effects import Effect
    from cortexfs.core.access_events.path_resolution import PathResolver
    from cortexfs.core.access_events.shell_parser import Pipeline
    from cortexfs.core.access_events.tool_call import ToolCall

_SKIPPED_AFTER = {("&&", False), ("||", True)}
"""Pairs of operator and success of the previous pipeline that skip the next pipeline."""

_SCRIPT_OPTION = re.compile(r"-[a-z]*c")
_RELATIVE_CD = re.compile(r"cd [^/~$]")


def find_atoms_shown_by_shell(call: ToolCall, resolver: PathResolver) -> ShownAtoms:
    """Return the atoms that a command showed; none if its effect cannot be determined."""
    try:
        steps = _parse_script(text_field(call.tool_input, "command"), call.cwd, resolver)
        shown = _match_output(steps, call, resolver)
        if shown == ShownAtoms() and steps and _is_relative_cd(steps[0]):
            # some clients report the directory that the command changed to
            shown = _match_output(steps[1:], call, resolver)
    except UnclearCommand:
        return ShownAtoms()
    return shown


def _parse_script(script: str, cwd: str, resolver: PathResolver) -> list[Pipeline]:
    """Return the pipelines of a script, or of the one that its only command passes to a shell."""
    steps = parse_command(script)
    command = steps[0].commands[0] if len(steps) == 1 and len(steps[0].commands) == 1 else None
    if command is None or command.is_redirected or not command.words:
        return steps
    name, words = unwrap_program(
        expand_words(command.words, ShellState(cwd, {"HOME": "~"}, resolver))
    )
    options = list(takewhile(lambda word: word.startswith("-"), words))
    scripts = words[len(options) : len(options) + 1]
    if name not in SHELLS or not scripts or not any(map(_SCRIPT_OPTION.fullmatch, options)):
        return steps
    return _parse_script(scripts[0], cwd, resolver)


def _is_relative_cd(step: Pipeline) -> bool:
    return _RELATIVE_CD.match(" ".join(step.commands[0].words)) is not None


def _match_output(steps: Sequence[Pipeline], call: ToolCall, resolver: PathResolver) -> ShownAtoms:
    effects = _infer_effects(steps, ShellState(call.cwd, {"HOME": "~"}, resolver))
    if call.tool_response is None:  # too long, so it was cut off
        return ShownAtoms(_find_read_atoms(effects, None, resolver))
    if call.tool_response.get("backgroundTaskId"):  # the output is shown later, if at all
        return ShownAtoms()
    output = split_output_lines(text_field(call.tool_response, "stdout"))
    is_truncated = bool(call.tool_response.get("truncated"))
    if is_truncated:
        effects, output = require_printed_lines(effects, output)
    shown = ShownAtoms()
    for region, lines in _split_at_echoes(effects, output):
        shown |= _find_atoms_in_region(region, lines, resolver)
    is_partial = is_truncated or call.tool_response.get("interrupted")
    return ShownAtoms(shown.atoms) if is_partial else shown


def _infer_effects(steps: Sequence[Pipeline], shell: ShellState) -> list[Effect]:
    """Return the effects of the steps in order, without those that are certainly skipped."""
    effects: list[Effect] = []
    succeeds: bool | None = True
    for step in steps:
        if (step.operator, succeeds) in _SKIPPED_AFTER:
            continue
        effect = infer_pipeline_effect(step.commands, shell)
        if step.operator == "||" and succeeds is None:
            effect = _make_uncertain(effect)
        shell, succeeds = _apply_effect(effect, shell)
        effects.append(effect)
    return effects


def _make_uncertain(effect: Effect) -> Effect:
    """Return the effect of a command that may or may not have run."""
    match effect:
        case ReadFiles():
            return UnknownOutput()
        case Echo():
            return replace(effect, is_certain=False)
        case ChangeDir():
            return ChangeDir(UNKNOWN)
        case SetVariables(variables):
            return SetVariables(dict.fromkeys(variables, UNKNOWN))
    return effect


def _apply_effect(effect: Effect, shell: ShellState) -> tuple[ShellState, bool | None]:
    """Return the shell state after an effect, and whether it succeeded (None: unknown)."""
    match effect:
        case ChangeDir(folder):
            is_absolute = folder == "~" or folder.startswith(("/", "~/"))
            cwd = folder if is_absolute else f"{shell.cwd}/{folder}"
            return shell._replace(cwd=UNKNOWN_CWD if UNKNOWN in folder else cwd), True
        case SetVariables(variables):
            return shell._replace(variables={**shell.variables, **variables}), True
        case ReadFiles() | NoOutput():
            return shell, effect.succeeds
        case Echo():
            return shell, True
    return shell, None


def _split_at_echoes(
    effects: Sequence[Effect], lines: Sequence[str]
) -> Iterator[tuple[Sequence[Effect], Sequence[str]]]:
    """Split effects and lines at the output of `echo`.

    If not every certain echo is found in order, all effects and lines form one region.
    """
    echoes = [effect for effect in effects if isinstance(effect, Echo)]
    expected = [echo.text for echo in echoes if echo.is_certain and echo.text]
    certain = set(expected)
    possible = {echo.text for echo in echoes} - certain
    lines = [line for line in lines if line not in possible]
    positions = [number for number, line in enumerate(lines) if line in certain]
    if [lines[position] for position in positions] != expected:
        yield effects, [line for line in lines if line not in certain]
        return
    region: list[Effect] = []
    start = 0
    ends = iter(positions)
    for effect in effects:
        if not (isinstance(effect, Echo) and effect.text in certain):
            region.append(effect)
            continue
        end = next(ends)
        yield region, lines[start:end]
        region, start = [], end + 1
    yield region, lines[start:]


def _find_atoms_in_region(
    effects: Sequence[Effect], lines: Sequence[str], resolver: PathResolver
) -> ShownAtoms:
    """Return the atoms that effects showed in the lines that they printed together."""
    printers = [
        effect for effect in effects if isinstance(effect, ReadFiles | SearchFiles | UnknownOutput)
    ]
    shown = ShownAtoms(_find_read_atoms(printers, lines, resolver)) if any(lines) else ShownAtoms()
    for effect, own in _assign_search_lines(printers, lines, resolver):
        if not effect.hides_names:
            found = find_matched_atoms(own, effect.search, resolver)
            shown |= ShownAtoms(found, frozenset() if found else effect.projects)
        elif not filter_match_lines(own, effect.search.output_mode):
            shown |= ShownAtoms(searched_projects=effect.projects)
        elif effect.only_atom:
            shown |= ShownAtoms(frozenset({effect.only_atom}))
    return shown


def _assign_search_lines(
    printers: Sequence[Effect], lines: Sequence[str], resolver: PathResolver
) -> Iterator[tuple[SearchFiles, Sequence[str]]]:
    """Yield each search with the lines that only a search can have printed.

    If other programs print too, these are only the lines before the first and after the last of
    them.
    """
    prints_names = [
        isinstance(effect, SearchFiles) and not effect.hides_names for effect in printers
    ]
    if all(prints_names) or len(printers) == 1:
        yield from ((effect, lines) for effect in printers if isinstance(effect, SearchFiles))
        return
    first = prints_names.index(False)
    last = len(printers) - prints_names[::-1].index(False)
    for part, block in ((printers[:first], lines), (printers[last:], lines[::-1])):
        searches = [effect for effect in part if isinstance(effect, SearchFiles)]
        own = take_search_lines(block, [effect.search for effect in searches], resolver)
        for effect in searches:
            prints_text = effect.search.output_mode is SearchOutputMode.TEXT
            if prints_text or UnknownOutput() not in printers:  # which might list names as well
                yield effect, own


def _find_read_atoms(
    effects: Sequence[Effect], lines: Sequence[str] | None, resolver: PathResolver
) -> frozenset[AtomFileName]:
    """Return the atoms whose text was printed; if `lines` is None, judge by the commands alone."""
    found: frozenset[AtomFileName] = frozenset()
    for effect in effects:
        if isinstance(effect, ReadFiles):
            if lines is not None:
                found |= find_printed_atoms(effect, lines, resolver)
            elif not effect.is_filtered or len(effect.paths) == 1:
                found |= effect.atoms
    return found
