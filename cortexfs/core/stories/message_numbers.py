"""The numbers of messages in the fields of a chunk: `messages: 1-8`, `numbers: [1-2, 4-8]`."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from cortexfs.core.atoms.atom import split_string_list

if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_NUMBERS = 10_000
"""Numbers that a field may have: what has more is no field of ours."""
_RANGE = re.compile(r"(\d{1,9})-(\d{1,9})", re.ASCII)


def parse_span(value: object) -> tuple[int, int] | None:
    """Return the first and the last message in the field `messages`; None if it has none."""
    span = _RANGE.fullmatch(str(value))
    return (int(span[1]), int(span[2])) if span else None


def format_numbers(numbers: Sequence[int]) -> tuple[str, ...]:
    """Return the field `numbers`: a range for each run of consecutive numbers, in their order."""
    breaks = [at for at, (one, other) in enumerate(pairwise(numbers), 1) if other != one + 1]
    ends = pairwise((0, *breaks, len(numbers))) if numbers else ()
    return tuple(f"{numbers[start]}-{numbers[end - 1]}" for start, end in ends)


def parse_numbers(value: object) -> tuple[int, ...]:
    """Return the numbers in the field; none if it is not as `format_numbers` writes it."""
    items = split_string_list(value) if isinstance(value, str | tuple) else ()
    spans = [parse_span(item) for item in items]
    found: list[int] = []
    for span in spans:
        if span is None or not 0 <= span[1] - span[0] < MAX_NUMBERS - len(found):
            return ()
        found += range(span[0], span[1] + 1)
    return tuple(found)
