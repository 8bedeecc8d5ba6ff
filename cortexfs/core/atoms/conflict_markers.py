"""The markers that an unresolved merge leaves in a text."""

from __future__ import annotations

import re

from cortexfs.core.atoms.atom import Flaw

_SIDE_MARKER = r"(?m)^(?:<{7}|>{7})(?: |$)"
"""A marker that cannot be Markdown: `=======` may be the underline of a title."""
_MARKERS = tuple(sign * 7 for sign in "<|=>")


def find_conflict_markers(text: str) -> tuple[Flaw, ...]:
    """Return a flaw at the first conflict marker of a text; empty if there is none."""
    if "<<<<<<<" not in text and ">>>>>>>" not in text:
        return ()
    marker = re.search(_SIDE_MARKER, text)
    return (make_conflict_flaw(text.count("\n", 0, marker.start()) + 1),) if marker else ()


def is_conflict_marker(row: str) -> bool:
    """Return whether a line is a conflict marker."""
    line = row.rstrip("\r")
    return line[:7] in _MARKERS and line[7:8] in {"", " "}


def make_conflict_flaw(line: int) -> Flaw:
    """Return the flaw of a text with conflict markers from a line on."""
    return Flaw("conflict-marker", "the file contains conflict markers", line)
