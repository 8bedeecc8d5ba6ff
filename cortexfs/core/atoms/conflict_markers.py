"""The markers that an unresolved merge leaves in a text."""

from __future__ import annotations

import re

from cortexfs.core.atoms.atom import Flaw

_SIDE_MARKER = re.compile(r"^(?:<{7}|>{7})(?: |$)", re.MULTILINE)
"""A marker that cannot be Markdown: `=======` may be the underline of a title."""
_ANY_MARKER = re.compile(r"(?:<{7}|\|{7}|={7}|>{7})(?: |$)")


def find_conflict_markers(text: str) -> tuple[Flaw, ...]:
    """Return a flaw at the first conflict marker of a text; empty if there is none."""
    if "<<<<<<<" not in text and ">>>>>>>" not in text:
        return ()
    marker = _SIDE_MARKER.search(text)
    return (make_conflict_flaw(text.count("\n", 0, marker.start()) + 1),) if marker else ()


def is_conflict_marker(row: str) -> bool:
    """Return whether a line is a conflict marker."""
    return _ANY_MARKER.match(row.rstrip("\r")) is not None


def make_conflict_flaw(line: int) -> Flaw:
    """Return the flaw of a text with conflict markers from a line on."""
    return Flaw("conflict-marker", "the file contains conflict markers", line)
