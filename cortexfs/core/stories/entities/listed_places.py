"""Names that are listed after a place."""

from __future__ import annotations

from cortexfs.core.stories.entities.given_names import FIRST_NAMES
from cortexfs.core.stories.entities.known_places import KNOWN_PLACE_NAMES, KNOWN_PLACES
from cortexfs.core.stories.word_list import parse_words

_GAPS = frozenset({",", "and", "or", ", and", ", or", ";", "; and"})
_GAPS |= {f"{gap} the" for gap in _GAPS}
_LISTING = parse_words("within moves at from placeof listed inthe")
_PLACES = (KNOWN_PLACES - FIRST_NAMES) | KNOWN_PLACE_NAMES


def is_listed(gap: str, cues: list[str], first: str = "") -> bool:
    """Tell whether a name is listed after a place: `in Bonny and Calabar`, `from Cairo to Oran`.

    `gap`: what stands between them; `first`: the other name; `cues`: what `read_cues` told of it.
    """
    between = " ".join(gap.split())
    if between == "to":
        return "from" in cues or "moves" in cues
    return between in _GAPS and (not _LISTING.isdisjoint(cues) or first.lower() in _PLACES)
