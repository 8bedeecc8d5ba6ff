"""Which atoms a shell command showed: what it does, laid beside what was printed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from cortexfs.core.looks.deeds import Goes, Prints, Reads, Says, Searches, Sets, Silent
from cortexfs.core.looks.lines import Style, leading, lines_of, matched, shown
from cortexfs.core.looks.payload import NOWHERE, text
from cortexfs.core.looks.pipes import pipeline
from cortexfs.core.looks.seen import Seen
from cortexfs.core.looks.shell import Unclear, parse
from cortexfs.core.looks.words import UNKNOWN, Shell

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cortexfs.core.looks.deeds import Deed
    from cortexfs.core.looks.payload import Call
    from cortexfs.core.looks.shell import Step
    from cortexfs.core.looks.surroundings import Surroundings


def seen_in_shell(call: Call, around: Surroundings) -> Seen:
    """Tell what a command showed; nothing where it is a program that must be run to know."""
    answer = call.answer
    if answer is not None and answer.get("backgroundTaskId"):
        return Seen()
    try:
        deeds = _deeds(parse(text(call.asked, "command")), Shell(call.cwd, {"HOME": "~"}, around))
    except Unclear:
        return Seen()
    if answer is None:  # cut off, for there was so much of it
        return Seen(frozenset().union(*(deed.found for deed in deeds if isinstance(deed, Reads))))
    seen = Seen()
    for those, lines in _regions(deeds, lines_of(text(answer, "stdout"))):
        seen |= _seen(those, lines, around)
    return Seen(seen.found) if answer.get("interrupted") else seen


def _deeds(steps: Sequence[Step], shell: Shell) -> list[Deed]:
    """Follow the steps as the shell does: what is surely not run is left out."""
    deeds: list[Deed] = []
    succeeds: bool | None = True
    for step in steps:
        if (step.joint, succeeds) in {("&&", False), ("||", True)}:
            continue
        deed = pipeline(step.stages, shell)
        if step.joint == "||" and succeeds is None:
            deed = _perhaps(deed)
        succeeds = getattr(deed, "succeeds", None)
        ...
    return deeds
