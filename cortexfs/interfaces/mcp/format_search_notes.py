"""The lines about corrected words and excluded matches in the result of a search."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.find.search_notes import format_notes
from cortexfs.core.text.untrusted_text import clean_line

if TYPE_CHECKING:
    from cortexfs.core.find.search_notes import SearchNotes


def add_notes(header: str, notes: SearchNotes) -> str:
    """Return a header with one line for each note after it."""
    lines = [header.rstrip("\n"), *map(clean_line, format_notes(notes))]
    return "\n".join(lines) + header[len(lines[0]) :]
