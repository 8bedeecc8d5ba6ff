"""Judge the effects of a command by an output of which parts were left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.access_events.command_effects import Echo, Effect, ReadFiles

if TYPE_CHECKING:
    from collections.abc import Sequence


def require_printed_lines(
    effects: Sequence[Effect], lines: Sequence[str]
) -> tuple[list[Effect], list[str]]:
    """Return effects of which only the files count that a line was printed of, and these lines.

    The files of all commands are compared together, in order, because they have lines in common:
    the first command that reads gets the files of the others. Lines printed by `echo` are removed.
    A command that alone printed the output of one file needs no comparison.
    """
    echoed = {effect.text for effect in effects if isinstance(effect, Echo)}
    printers: list[Effect] = [effect for effect in effects if not isinstance(effect, Echo)]
    reads = [effect for effect in printers if isinstance(effect, ReadFiles)]
    paths = tuple(path for effect in reads for path in effect.paths)
    if len(printers) > 1 or len(paths) > 1:
        atoms = frozenset(atom for effect in reads for atom in effect.atoms)
        merged = ReadFiles(atoms, None, (*paths, ""), is_filtered=True, keeps_whole_lines=True)
        printers = [_replace_read(effect, reads, merged) for effect in printers]
    return printers, [line for line in lines if line not in echoed]


def _replace_read(effect: Effect, reads: Sequence[ReadFiles], merged: ReadFiles) -> Effect:
    if not isinstance(effect, ReadFiles):
        return effect
    return merged if effect is reads[0] else ReadFiles(frozenset())
