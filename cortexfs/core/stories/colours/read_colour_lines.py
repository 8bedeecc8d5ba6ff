"""The colours that the file of an entity shows, hand edits included."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.markdown.sections import find_section_in_text
from cortexfs.core.stories.colours.speaker_colour import SECTION, parse_colour_line

if TYPE_CHECKING:
    from cortexfs.core.stories.colours.speaker_colour import SpeakerColour

TITLES = (SECTION, "Colors")


def read_colour_lines(text: str) -> tuple[SpeakerColour, ...]:
    """Return the colours in the section of a file; of one usage the first."""
    section = find_section_in_text(text, TITLES)
    if section is None:
        return ()
    lines = text[section.body_start : section.end].split("\n")
    found: dict[str, SpeakerColour] = {}
    for colour in filter(None, map(parse_colour_line, lines)):
        found.setdefault(colour.usage, colour)
    return tuple(found.values())
