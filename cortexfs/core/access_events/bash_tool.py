"""Find the atoms that a shell command showed, from its parsed effects and its output."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from cortexfs.core.access_events.command_effects import (
    ChangeDir,
    Echo,
    NoOutput,
    ReadFiles,
    SearchFiles,
    SetVariables,
    UnknownOutput,
)
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
from cortexfs.core.access_events.shell_words import UNKNOWN, ShellState
from cortexfs.core.access_events.shown_atoms import AtomFile, ShownAtoms
from cortexfs.core.access_events.tool_call import UNKNOWN_CWD, text_field

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cortexfs.core.access_events.command_effects import Effect
    from cortexfs.core.access_events.path_resolution import PathResolver
    from cortexfs.core.access_events.shell_parser import Pipeline
    from cortexfs.core.access_events.tool_call import ToolCall

_SKIPS = {("&&", False), ("||", True)}
"""Pairs of operator and success of the previous pipeline that skip the next pipeline."""

_CD_BELOW = re.compile(r"cd [^/~$]")


def atoms_shown_by_shell(call: ToolCall, resolver: PathResolver) -> ShownAtoms:
    """Return the atoms that a command showed; none if its effect cannot be determined."""
    try:
        steps = parse_command(text_field(call.tool_input, "command"))
        seen = _shown(steps, call, resolver)
        if seen == ShownAtoms() and steps and _CD_BELOW.match(" ".join(steps[0].commands[0].words)):
            # some clients report the directory that the command changed to
            seen = _shown(steps[1:], call, resolver)
    except UnclearCommand:
        return ShownAtoms()
    return seen


def _shown(steps: Sequence[Pipeline], call: ToolCall, resolver: PathResolver) -> ShownAtoms:
    effects = _effects(steps, ShellState(call.cwd, {"HOME": "~"}, resolver))
    if call.tool_response is None:  # cut off: there was so much of it
        return ShownAtoms(_read(effects, None, resolver))
    if call.tool_response.get("backgroundTaskId"):  # it is shown later, if at all
        return ShownAtoms()
    seen = ShownAtoms()
    for those, lines in _regions(
        effects, split_output_lines(text_field(call.tool_response, "stdout"))
    ):
        seen |= _shown_atoms(those, lines, resolver)
    return ShownAtoms(seen.atoms) if call.tool_response.get("interrupted") else seen


def _effects(steps: Sequence[Pipeline], shell: ShellState) -> list[Effect]:
    """Return the effects of the steps in order, without those that are certainly skipped."""
    effects: list[Effect] = []
    succeeds: bool | None = True
    for step in steps:
        if (step.operator, succeeds) in _SKIPS:
            continue
        effect = infer_pipeline_effect(step.commands, shell)
        if step.operator == "||" and succeeds is None:
            effect = _uncertain(effect)
        shell, succeeds = _after(effect, shell)
        effects.append(effect)
    return effects


def _uncertain(effect: Effect) -> Effect:
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


def _after(effect: Effect, shell: ShellState) -> tuple[ShellState, bool | None]:
    """Return the shell state after an effect, and whether it succeeded (None: unknown)."""
    match effect:
        case ChangeDir(folder):
            apart = folder == "~" or folder.startswith(("/", "~/"))
            there = folder if apart else f"{shell.cwd}/{folder}"
            return shell._replace(cwd=UNKNOWN_CWD if UNKNOWN in folder else there), True
        case SetVariables(variables):
            return shell._replace(variables={**shell.variables, **variables}), True
        case ReadFiles() | NoOutput():
            return shell, effect.succeeds
        case Echo():
            return shell, True
    return shell, None


def _regions(
    effects: Sequence[Effect], lines: Sequence[str]
) -> Iterator[tuple[Sequence[Effect], Sequence[str]]]:
    """Split effects and lines at the output of `echo`.

    If not every certain echo is found in order, all effects and lines form one region.
    """
    said = [
        effect.text
        for effect in effects
        if isinstance(effect, Echo) and effect.is_certain and effect.text
    ]
    perhaps = {effect.text for effect in effects if isinstance(effect, Echo)} - set(said)
    lines = [line for line in lines if line not in perhaps]
    sure = set(said)
    marks = [number for number, line in enumerate(lines) if line in sure]
    if [lines[mark] for mark in marks] != said:
        yield effects, [line for line in lines if line not in sure]
        return
    group: list[Effect] = []
    start = 0
    rest = iter(marks)
    for effect in effects:
        if not (isinstance(effect, Echo) and effect.text in sure):
            group.append(effect)
            continue
        mark = next(rest)
        yield group, lines[start:mark]
        group, start = [], mark + 1
    yield group, lines[start:]


def _shown_atoms(
    effects: Sequence[Effect], lines: Sequence[str], resolver: PathResolver
) -> ShownAtoms:
    printers = [
        effect for effect in effects if isinstance(effect, ReadFiles | SearchFiles | UnknownOutput)
    ]
    seen = ShownAtoms(_read(printers, lines, resolver)) if any(lines) else ShownAtoms()
    for effect, own in _shares(printers, lines, resolver):
        if not effect.hides_names:
            found = find_matched_atoms(own, effect.search, resolver)
            seen |= ShownAtoms(found, frozenset() if found else effect.projects)
        elif not filter_match_lines(own, effect.search.output_mode):
            seen |= ShownAtoms(searched_projects=effect.projects)
        elif effect.only_atom:
            seen |= ShownAtoms(frozenset({effect.only_atom}))
    return seen


def _shares(
    printers: Sequence[Effect], lines: Sequence[str], resolver: PathResolver
) -> Iterator[tuple[SearchFiles, Sequence[str]]]:
    """Yield each search with the lines that only a search can have printed.

    If other programs print too, these are only the lines before the first and after the last of
    them.
    """
    named = [isinstance(effect, SearchFiles) and not effect.hides_names for effect in printers]
    if all(named) or len(printers) == 1:
        yield from ((effect, lines) for effect in printers if isinstance(effect, SearchFiles))
        return
    first, last = named.index(False), len(named) - named[::-1].index(False)
    for part, block in ((printers[:first], lines), (printers[last:], lines[::-1])):
        searches = [effect for effect in part if isinstance(effect, SearchFiles)]
        own = take_search_lines(block, [effect.search for effect in searches], resolver)
        for effect in searches:
            if (
                effect.search.output_mode is SearchOutputMode.TEXT
                or UnknownOutput() not in printers
            ):  # names may be listed
                yield effect, own


def _read(
    effects: Sequence[Effect], lines: Sequence[str] | None, resolver: PathResolver
) -> frozenset[AtomFile]:
    """Return the atoms whose text was printed; if `lines` is None, judge by the commands alone."""
    found: frozenset[AtomFile] = frozenset()
    for effect in effects:
        if isinstance(effect, ReadFiles):
            if lines is not None:
                found |= find_printed_atoms(effect, lines, resolver)
            elif not effect.is_filtered or len(effect.paths) == 1:
                found |= effect.atoms
    return found
