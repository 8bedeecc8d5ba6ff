"""Score messages as answers to a question: what a conversation has around the words themselves.

Somebody asks, and the next message answers in other words; a message that is a question itself
seldom answers one; who asks when something was wants a time.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.stories.message import Message

AFTER_QUESTION, AFTER, BEFORE = 0.4, 0.1, 0.1
"""How much of the score of the message before it an answer has, any message, and the one before.

Chosen on `bench/story_talks.json`, where 0 to 0.5 change little but that 0 loses 7 points.
"""
ASKING_SHARE = 0.8
"""How much a message counts that ends with a question."""
TIME_SHARE = 0.1
"""How much of the best score a message gains that names a time, if that is asked for."""
_WHEN = re.compile(r"(?i)\W*(?:by |since |until )?(?:when|what (?:day|date|year|month|time))\b")
_TIMES = re.compile(
    r"(?i)\b(?:(?:jan|feb)(?:ruary|uary)?|march|april|may|june|july|august|(?:sept|octo|novem|decem)"
    r"(?:ember|ber)|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|spring|summer|autumn|winters?"
    r"|days?|weeks?|weekend|months?|years?|yesterday|today|tonight|tomorrow|ago|last|next|since"
    r"|christmas|easter|midsummer|morning|evening|night|\d{1,4}|\w+teenth|\w+ieth|first|second"
    r"|third|fifth|(?:twenty|thirty)-\w+)\b"
)


def asks_for_time(text: str) -> bool:
    """Return whether a question asks when something is."""
    return bool(_WHEN.match(text))


def is_asking(text: str) -> bool:
    """Return whether a message ends with a question."""
    return text.rstrip(' "\u201d*_)').endswith(("?", "\uff1f", "\u061f"))


def score_answers(
    scores: Sequence[float],
    own: Sequence[float],
    messages: Sequence[tuple[int, Message]],
    *,
    is_time_asked: bool,
) -> list[float]:
    """Return the scores of messages as answers.

    `messages` are in their order with their numbers, `own` are their scores by their own words.
    """
    asking = [is_asking(message.text) for _, message in messages]
    found = list(scores)
    for place in range(1, len(messages)):
        if _are_neighbours(messages[place - 1], messages[place]):
            found[place] += own[place - 1] * (AFTER_QUESTION if asking[place - 1] else AFTER)
            found[place - 1] += own[place] * BEFORE
    found = [
        score * (ASKING_SHARE if asks else 1.0) for score, asks in zip(found, asking, strict=True)
    ]
    if is_time_asked:
        gain = TIME_SHARE * max(found, default=0.0)
        for place, (_, message) in enumerate(messages):
            if found[place] > 0 and _TIMES.search(message.text):
                found[place] += gain
    return found


def _are_neighbours(one: tuple[int, Message], other: tuple[int, Message]) -> bool:
    """Return whether a message follows another one on the same day."""
    return other[0] - one[0] == 1 and one[1].time[:10] == other[1].time[:10]
