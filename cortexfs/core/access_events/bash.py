"""Which atoms a shell command showed: what it does, laid beside what was printed."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from cortexfs.core.access_events.command_effects import (
    Goes,
    Prints,
    Reads,
    Says,
    Searches,
    Sets,
    Silent,
)
from cortexfs.core.access_events.payload import NOWHERE, text
from cortexfs.core.access_events.pipeline_output import pipeline
from cortexfs.core.access_events.search_output import Style, leading, lines_of, matched, shown
from cortexfs.core.access_events.shell_expansion import UNKNOWN, Shell
from cortexfs.core.access_events.shell_parser import Unclear, parse
from cortexfs.core.access_events.shown_atoms import Found, Seen

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cortexfs.core.access_events.command_effects import Deed
    from cortexfs.core.access_events.path_resolution import Surroundings
    from cortexfs.core.access_events.payload import Call
    from cortexfs.core.access_events.shell_parser import Step

_SKIPS = {("&&", False), ("||", True)}
"""Joints that leave out what follows, after what failed or succeeded."""

_CD_BELOW = re.compile(r"cd [^/~$]")


def seen_in_shell(call: Call, around: Surroundings) -> Seen:
    """Tell what a command showed; nothing where it would have to be run to know."""
    try:
        steps = parse(text(call.asked, "command"))
        seen = _shown(steps, call, around)
        if seen == Seen() and steps and _CD_BELOW.match(" ".join(steps[0].stages[0].words)):
            # clients tell where the command has gone to, if that is where it stays
            seen = _shown(steps[1:], call, around)
    except Unclear:
        return Seen()
    return seen


def _shown(steps: Sequence[Step], call: Call, around: Surroundings) -> Seen:
    deeds = _deeds(steps, Shell(call.cwd, {"HOME": "~"}, around))
    if call.answer is None:  # cut off: there was so much of it
        return Seen(_read(deeds))
    if call.answer.get("backgroundTaskId"):  # it is shown later, if at all
        return Seen()
    seen = Seen()
    for those, lines in _regions(deeds, lines_of(text(call.answer, "stdout"))):
        seen |= _seen(those, lines, around)
    return Seen(seen.found) if call.answer.get("interrupted") else seen


def _deeds(steps: Sequence[Step], shell: Shell) -> list[Deed]:
    """Follow the steps as the shell does; what it surely passes over is left out."""
    deeds: list[Deed] = []
    succeeds: bool | None = True
    for step in steps:
        if (step.joint, succeeds) in _SKIPS:
            continue
        deed = pipeline(step.stages, shell)
        if step.joint == "||" and succeeds is None:
            deed = _perhaps(deed)
        shell, succeeds = _after(deed, shell)
        deeds.append(deed)
    return deeds


def _perhaps(deed: Deed) -> Deed:
    """Give what is left of a deed when nobody knows whether it was done."""
    match deed:
        case Reads():
            return Prints()
        case Says():
            return replace(deed, sure=False)
        case Goes():
            return Goes(UNKNOWN)
        case Sets(variables):
            return Sets(dict.fromkeys(variables, UNKNOWN))
    return deed


def _after(deed: Deed, shell: Shell) -> tuple[Shell, bool | None]:
    """Give the shell after a deed, and whether that succeeded as far as the deed tells."""
    match deed:
        case Goes(folder):
            apart = folder == "~" or folder.startswith(("/", "~/"))
            there = folder if apart else f"{shell.cwd}/{folder}"
            return shell._replace(cwd=NOWHERE if UNKNOWN in folder else there), True
        case Sets(variables):
            return shell._replace(variables={**shell.variables, **variables}), True
        case Reads() | Silent():
            return shell, deed.succeeds
        case Says():
            return shell, True
    return shell, None


def _regions(
    deeds: Sequence[Deed], lines: Sequence[str]
) -> Iterator[tuple[Sequence[Deed], Sequence[str]]]:
    """Part deeds and lines at what `echo` said, where it stands there as often as it was said."""
    said = [deed.text for deed in deeds if isinstance(deed, Says) and deed.sure and deed.text]
    perhaps = {deed.text for deed in deeds if isinstance(deed, Says)} - set(said)
    lines = [line for line in lines if line not in perhaps]
    sure = set(said)
    marks = [number for number, line in enumerate(lines) if line in sure]
    if [lines[mark] for mark in marks] != said:
        yield deeds, [line for line in lines if line not in sure]
        return
    group: list[Deed] = []
    start = 0
    rest = iter(marks)
    for deed in deeds:
        if not (isinstance(deed, Says) and deed.text in sure):
            group.append(deed)
            continue
        mark = next(rest)
        yield group, lines[start:mark]
        group, start = [], mark + 1
    yield group, lines[start:]


def _seen(deeds: Sequence[Deed], lines: Sequence[str], around: Surroundings) -> Seen:
    printers = [deed for deed in deeds if isinstance(deed, Reads | Searches | Prints)]
    seen = Seen(_read(printers)) if any(lines) else Seen()
    for deed, own in _shares(printers, lines, around):
        if not deed.bare:
            found = matched(own, deed.search, around)
            seen |= Seen(found, frozenset() if found else deed.projects)
        elif not shown(own, deed.search.style):
            seen |= Seen(searched=deed.projects)
        elif deed.one:
            seen |= Seen(frozenset({deed.one}))
    return seen


def _shares(
    printers: Sequence[Deed], lines: Sequence[str], around: Surroundings
) -> Iterator[tuple[Searches, Sequence[str]]]:
    """Give each search the lines that can be its own and nobody else's.

    Beside other programs these are only the lines before all of theirs, and after.
    """
    named = [isinstance(deed, Searches) and not deed.bare for deed in printers]
    if all(named) or len(printers) == 1:
        yield from ((deed, lines) for deed in printers if isinstance(deed, Searches))
        return
    first, last = named.index(False), len(named) - named[::-1].index(False)
    for part, block in ((printers[:first], lines), (printers[last:], lines[::-1])):
        searches = [deed for deed in part if isinstance(deed, Searches)]
        own = leading(block, [deed.search for deed in searches], around)
        for deed in searches:
            if deed.search.style is Style.TEXT or Prints() not in printers:  # names may be listed
                yield deed, own


def _read(deeds: Sequence[Deed]) -> frozenset[Found]:
    return frozenset(atom for deed in deeds if isinstance(deed, Reads) for atom in deed.found)
