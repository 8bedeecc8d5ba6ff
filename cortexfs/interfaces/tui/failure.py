"""A failure as lines: what happened, and what to do about it."""

from __future__ import annotations

from cortexfs.errors import CortexError
from cortexfs.interfaces.tui.shown_content import Cell, Line, Tone
from cortexfs.interfaces.tui.shown_text import cell, line


def describe_failure(error: CortexError | OSError) -> tuple[Line, ...]:
    """Return why something failed, and the hint."""
    hint = error.hint if isinstance(error, CortexError) else None
    lines = (line(cell(error, Tone.BAD)),)
    return (*lines, line(Cell("hint: ", Tone.MUTED), hint)) if hint else lines
