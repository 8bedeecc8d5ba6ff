"""A colour of a character, and its line in the file of an entity."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import NamedTuple

from cortexfs.core.stories.colours.colour_codes import parse_colour

SECTION = "Colours"
"""The title of the section of an entity's file."""
LOWEST_SHOWN = 0.5
"""A colour of lower confidence is not written into prompts."""
_LINE = re.compile(
    r"\s*[-*+] +(?P<usage>speech|thoughts?|narration) *: *+(?P<colour>[^\n;]{1,60}?)"
    r"(?: *+\( *confidence +(?P<confidence>[01](?:\.\d{1,9})?) *\))?\s*+",
    re.IGNORECASE | re.ASCII,
)


class ColourUsage(StrEnum):
    """What a colour shows."""

    SPEECH = "speech"
    THOUGHT = "thought"
    NARRATION = "narration"


class SpeakerColour(NamedTuple):
    """A colour (`#aabbcc`) of a character, what it shows, and how sure that is, from 0 to 1."""

    colour: str
    usage: ColourUsage
    confidence: float

    @property
    def is_shown(self) -> bool:
        """Whether it is sure enough for a prompt."""
        return self.confidence >= LOWEST_SHOWN


def format_colour_line(colour: SpeakerColour) -> str:
    """Return the line of a colour in the file of an entity."""
    return f"- {colour.usage}: {colour.colour} (confidence {colour.confidence:.2f})"


def parse_colour_line(line: str) -> SpeakerColour | None:
    """Return the colour of a line; None for any other line.

    A line without a confidence is a person's: it is sure.
    """
    found = _LINE.fullmatch(line)
    colour = parse_colour(found["colour"].strip("` ")) if found else None
    if found is None or colour is None:
        return None
    usage = ColourUsage(found["usage"].lower().removesuffix("s"))
    return SpeakerColour(colour, usage, min(1.0, float(found["confidence"] or 1)))
