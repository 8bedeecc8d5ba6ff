"""The messages of a chunk that a memory shows: those that match best, with who said them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cortexfs.core.stories.message import Message

MAX_MESSAGES = 3
"""Messages of an excerpt."""
LEAST_SHARE = 0.65
"""A message belongs to it whose score is at least this part of the best one's."""


class RecalledMessage(NamedTuple):
    """A message of a memory: its number in the record, when and by whom it was said, its score."""

    number: int
    time: str
    speaker: str
    text: str
    score: float


def choose_excerpt(
    messages: Sequence[Message],
    find_number: Callable[[int], int],
    scores: Sequence[float],
    most: int = MAX_MESSAGES,
) -> tuple[RecalledMessage, ...]:
    """Return at most so many best messages of a chunk in their order.

    `find_number` returns the number of the one at a place, from 0.

    Where none matches, they are the longest ones. If more than `MAX_MESSAGES` are wanted, weak ones
    are among them.
    """
    is_matched = any(scores)
    values = scores if is_matched else [float(len(message.text)) for message in messages]
    places = sorted(range(len(messages)), key=lambda place: (-values[place], place))
    best = values[places[0]] if places else 0.0
    least = LEAST_SHARE * best if most <= MAX_MESSAGES else 0.0
    chosen = [place for place in places[:most] if values[place] >= least]
    return tuple(
        RecalledMessage(
            find_number(place),
            messages[place].time,
            messages[place].speaker,
            messages[place].text,
            round(scores[place], 4) if is_matched else 0.0,
        )
        for place in sorted(chosen)
    )
