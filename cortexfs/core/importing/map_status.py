"""Map a foreign status to one of the statuses of atoms."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.text.sanitize import to_one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

WORDS_BY_STATUS = {
    "active": (
        "active current open ongoing todo draft wip in-progress running in-review doing new inbox"
        " fleeting seedling budding pending unfinished"
    ),
    "valid": (
        "valid done complete completed finished final published stable verified confirmed resolved"
        " closed permanent evergreen"
    ),
    "stale": "stale archived archive outdated paused on-hold someday dormant inactive",
    "deprecated": "deprecated obsolete retired abandoned cancelled canceled dropped",
    "superseded": "superseded replaced",
    "invalidated": "invalidated invalid refuted disproved disproven wrong false debunked",
    "proposed": "proposed rfc proposal draft in-review pending open under-discussion",
    "accepted": "accepted approved adopted decided implemented done",
    "rejected": "rejected declined",
}
"""Foreign words for each status; if two match, a status specific to the kind comes first."""

FAILED_TAG = "failed"
"""The tag of a failed experiment: its result is valid, so no status of an atom says it."""
_FAILED_WORDS = frozenset({"failed", "failure", "fail", "unsuccessful"})
_SPECIFIC_STATUSES = ("proposed", "accepted", "rejected")


def is_failed(foreign: object) -> bool:
    """Return whether a foreign status says that the experiment failed."""
    return isinstance(foreign, str) and foreign.strip().lower() in _FAILED_WORDS


def map_status(foreign: object, allowed: Sequence[str]) -> str:
    """Return the allowed status that matches a foreign one; empty if none does.

    Text after the first word is ignored (`superseded by [[X]]`, `done (2026)`).
    """
    if not isinstance(foreign, str) or not foreign.strip():
        return ""
    words = to_one_line(foreign).lower().replace("_", "-").strip(" \"'[]#")
    whole, first = words.replace(" ", "-"), words.replace(":", " ").split(" ")[0]
    ranked = sorted(WORDS_BY_STATUS, key=lambda status: status not in _SPECIFIC_STATUSES)
    for word in (whole, first):
        for status in ranked:
            if status in allowed and word in WORDS_BY_STATUS[status].split():
                return status
    return ""
