"""A place in a text where a name stands."""

from __future__ import annotations

from typing import NamedTuple


class Mention(NamedTuple):
    """A name as it stands in a text from `start` to `end`, without a possessive ending.

    `initial`: at the start of a sentence, where any word has a capital letter. `quoted`: within
    speech. `shouted`: in a line of capitals.
    """

    name: str
    start: int
    end: int
    initial: bool
    quoted: bool = False
    shouted: bool = False
