"""What a clause before a name says that it names: `the cape that they call Rubha`."""

from __future__ import annotations

import re

from cortexfs.core.stories.entities.cue_nouns import NAMED_THINGS

_NOUN = re.compile(
    r"([^\W\d_]+)(?:,? (?:that|which)(?: [^\W\d_]+){1,3}|,)? (?:call|calls|called|named)"
    r"(?: the)? [\"“‘*_]?$"
)
_THING = re.compile(
    r"\b(?:which(?: [^\W\d_]+){1,3} (?:call|calls|called|named)"
    r"|(?:call|calls|called|named) it) [\"“‘*_]?$"
)

_KIND = re.compile(
    r"(?:is|was) (?:an?|one)(?: [a-z]+){0,2}? ([a-z]+)(?=[,.;:!?]| (?:in|of|on|near|and|with))"
)


def find_named_thing(before: str) -> str | None:
    """Return the cue of the place or item that the text names, None if it names neither.

    What somebody calls something is more often a place than anything else.
    """
    if "call" not in before and "named" not in before:
        return None
    found = _NOUN.search(before)
    if found and found[1].lower() in NAMED_THINGS:
        return NAMED_THINGS[found[1].lower()]
    return "inthe" if _THING.search(before) else None


def is_called_place(after: str) -> bool:
    """Tell whether what follows a name says that it is a place: `is a low island`."""
    found = _KIND.match(after)
    return found is not None and found[1] in NAMED_THINGS and NAMED_THINGS[found[1]] == "placeof"
