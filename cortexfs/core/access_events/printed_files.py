"""Find the files from which a filtering pipeline printed a line."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.access_events.command_effects import ReadFiles
    from cortexfs.core.access_events.path_resolution import PathResolver
    from cortexfs.core.access_events.shown_atom_types import AtomFileName

MAX_CHARACTERS = 8 << 20
"""Maximum characters of all files to compare; above it every file counts as printed."""

_LINE_NUMBER = re.compile(r"\s*\d+[\t:-]")


def find_printed_atoms(
    effect: ReadFiles, lines: Sequence[str], resolver: PathResolver
) -> frozenset[AtomFileName]:
    """Return the atoms of which a filtered command printed a line.

    The output is a subsequence of the files' lines, so each line is searched for after the
    previous one. A line that is in several files counts for the files that match both when
    searching forwards and when searching backwards.
    """
    if not effect.is_filtered or len(effect.paths) <= 1:
        return effect.atoms
    texts = [resolver.read_text(path) or "" if path else "" for path in effect.paths]
    if sum(map(len, texts)) > MAX_CHARACTERS:
        return effect.atoms
    source = [(line.strip(), n) for n, text in enumerate(texts) for line in text.split("\n")]
    forwards, backwards = (
        _find_printed_files(lines, source),
        _find_printed_files(lines[::-1], source[::-1]),
    )
    printed = forwards & backwards or forwards
    if not printed and not effect.keeps_whole_lines:
        return effect.atoms
    atoms = (resolver.find_atom(effect.paths[number]) for number in printed)
    return effect.atoms & {atom for atom in atoms if atom}


def _find_printed_files(lines: Sequence[str], source: Sequence[tuple[str, int]]) -> set[int]:
    """Return the numbers of the files whose lines match the output, in order."""
    positions: dict[str, list[int]] = defaultdict(list)
    for position, (line, _) in enumerate(source):
        positions[line].append(position)
    files, start = set(), 0
    for line in lines:
        for text in (line.strip(), _LINE_NUMBER.sub("", line, count=1).strip()):
            candidates = positions.get(text, []) if text else []
            found = bisect_left(candidates, start)
            if found < len(candidates):
                start = candidates[found] + 1
                files.add(source[candidates[found]][1])
                break
    return files
