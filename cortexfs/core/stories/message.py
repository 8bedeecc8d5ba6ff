"""One message of a conversation, as its record keeps it."""

from __future__ import annotations

from typing import NamedTuple


class Message(NamedTuple):
    """A message.

    `ident` is unique in its record and never changes; `time` is an ISO 8601 date and time in UTC,
    or empty. `role` is `user`, `assistant` or `system`. `swiped` has the texts that were generated
    at this place and not kept.
    """

    ident: str
    time: str
    speaker: str
    role: str
    text: str
    swiped: tuple[str, ...] = ()
