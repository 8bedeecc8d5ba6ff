"""Which status of ours a foreign status means."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.text.sanitize import to_one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

WORDS_BY_STATUS = {
    "active": (
        "active current open ongoing todo draft wip in-progress in-review doing new inbox fleeting"
        " seedling budding pending unfinished"
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
"""What words each status of ours stands for; of two that fit, the kind's own comes first."""

_OWN_FIRST = ("proposed", "accepted", "rejected")


def map_status(said: object, allowed: Sequence[str]) -> str:
    """Give the status that a foreign word means among those of a kind; empty where none does.

    What follows the word (`superseded by [[X]]`, `done (2026)`) says no more about it.
    """
    if not isinstance(said, str) or not said.strip():
        return ""
    words = to_one_line(said).lower().replace("_", "-").strip(" \"'[]#")
    whole, first = words.replace(" ", "-"), words.replace(":", " ").split(" ")[0]
    ranked = sorted(WORDS_BY_STATUS, key=lambda status: status not in _OWN_FIRST)
    for word in (whole, first):
        for status in ranked:
            if status in allowed and word in WORDS_BY_STATUS[status].split():
                return status
    return ""
