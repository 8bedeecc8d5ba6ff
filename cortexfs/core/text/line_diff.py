"""Compare two texts line by line, in time that does not grow faster than their length.

Lines that occur once in both texts are matched first (a patience diff), then the lines between
them. A general longest common subsequence takes quadratic time: hours for a hostile text.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    Pair = tuple[int, int]

CONTEXT_LINES = 3
"""Number of equal lines shown before and after a change."""
MAX_DEPTH = 6
"""Maximum recursion depth; below it, each line is matched with its first equal line."""


class _Span(NamedTuple):
    """Lines `start` to `end` of the old text, and `new_start` to `new_end` of the new one."""

    start: int
    end: int
    new_start: int
    new_end: int


def match_lines(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """Return pairs of line numbers (from 0) of equal lines, ascending in both texts."""
    pairs: list[Pair] = []
    pending = [(_Span(0, len(old), 0, len(new)), 0)]
    while pending:
        span, depth = pending.pop()
        span, ends = _trim_equal_ends(old, new, span)
        pairs += ends
        if span.start == span.end or span.new_start == span.new_end:
            continue
        anchors = _match_unique_lines(old, new, span) if depth < MAX_DEPTH else []
        if anchors:
            pairs += anchors
            pending += ((gap, depth + 1) for gap in _iter_gaps(span, anchors))
        else:
            pairs += _match_first_equal(old, new, span)
    return sorted(pairs)


def format_unified_diff(
    old: Sequence[str], new: Sequence[str], path: str, new_path: str
) -> Iterator[str]:
    """Yield the lines of a unified diff; the given lines include their line ends."""
    hunks = list(_iter_hunks(list(_iter_changes(match_lines(old, new), len(old), len(new)))))
    if hunks:
        yield f"--- {path}\n"
        yield f"+++ {new_path}\n"
    for hunk in hunks:
        yield from _format_hunk(old, new, hunk)


def _trim_equal_ends(
    old: Sequence[str], new: Sequence[str], span: _Span
) -> tuple[_Span, list[Pair]]:
    """Return the span without its common first and last lines, and the pairs of these."""
    start, end, new_start, new_end = span
    pairs = []
    while start < end and new_start < new_end and old[start] == new[new_start]:
        pairs.append((start, new_start))
        start, new_start = start + 1, new_start + 1
    while start < end and new_start < new_end and old[end - 1] == new[new_end - 1]:
        end, new_end = end - 1, new_end - 1
        pairs.append((end, new_end))
    return _Span(start, end, new_start, new_end), pairs


def _match_unique_lines(old: Sequence[str], new: Sequence[str], span: _Span) -> list[Pair]:
    """Return the pairs of lines that occur once on both sides, as many as are in order."""
    inside = old[span.start : span.end], new[span.new_start : span.new_end]
    once, new_once = (
        {line for line, count in Counter(lines).items() if count == 1} for lines in inside
    )
    place = {line: at for at, line in enumerate(inside[1], span.new_start) if line in new_once}
    found = [
        (at, place[line])
        for at, line in enumerate(inside[0], span.start)
        if line in once and line in place
    ]
    return _find_longest_rising(found)


def _find_longest_rising(pairs: Sequence[Pair]) -> list[Pair]:
    """Return the longest subsequence, of pairs sorted by the first, with rising second numbers."""
    lasts: list[int] = []
    ends: list[int] = []
    before: list[int] = []
    for at, (_, place) in enumerate(pairs):
        length = bisect_left(lasts, place)
        before.append(ends[length - 1] if length else -1)
        lasts[length : length + 1] = [place]
        ends[length : length + 1] = [at]
    chosen = []
    at = ends[-1] if ends else -1
    while at >= 0:
        chosen.append(pairs[at])
        at = before[at]
    return chosen[::-1]


def _iter_gaps(span: _Span, anchors: Sequence[Pair]) -> Iterator[_Span]:
    """Yield the spans between matched lines that are not empty on either side."""
    start, new_start = span.start, span.new_start
    for at, place in (*anchors, (span.end, span.new_end)):
        if start < at and new_start < place:
            yield _Span(start, at, new_start, place)
        start, new_start = at + 1, place + 1


def _match_first_equal(old: Sequence[str], new: Sequence[str], span: _Span) -> Iterator[Pair]:
    """Yield pairs of each line of the old text with the next equal line of the new text."""
    places: dict[str, list[int]] = defaultdict(list)
    for place in range(span.new_start, span.new_end):
        places[new[place]].append(place)
    least = span.new_start
    for at in range(span.start, span.end):
        equal = places.get(old[at], [])
        found = bisect_left(equal, least)
        if found < len(equal):
            yield at, equal[found]
            least = equal[found] + 1


def _iter_changes(pairs: Sequence[Pair], old_end: int, new_end: int) -> Iterator[_Span]:
    """Yield the spans in which two texts differ."""
    start = new_start = 0
    for at, place in (*pairs, (old_end, new_end)):
        if start < at or new_start < place:
            yield _Span(start, at, new_start, place)
        start, new_start = at + 1, place + 1


def _iter_hunks(changes: Sequence[_Span]) -> Iterator[list[_Span]]:
    """Yield groups of changes whose context overlaps."""
    hunk: list[_Span] = []
    for change in changes:
        if hunk and change.start - hunk[-1].end > 2 * CONTEXT_LINES:
            yield hunk
            hunk = []
        hunk.append(change)
    if hunk:
        yield hunk


def _format_hunk(old: Sequence[str], new: Sequence[str], changes: Sequence[_Span]) -> Iterator[str]:
    """Yield the lines of one hunk: its changes with the equal lines around and between them."""
    first, last = changes[0], changes[-1]
    lead = min(CONTEXT_LINES, first.start)
    tail = min(CONTEXT_LINES, len(old) - last.end)
    ranges = (
        _format_range(first.start - lead, last.end + tail),
        _format_range(first.new_start - lead, last.new_end + tail),
    )
    yield f"@@ -{ranges[0]} +{ranges[1]} @@\n"
    at = first.start - lead
    for change in changes:
        yield from (f" {line}" for line in old[at : change.start])
        yield from (f"-{line}" for line in old[change.start : change.end])
        yield from (f"+{line}" for line in new[change.new_start : change.new_end])
        at = change.end
    yield from (f" {line}" for line in old[at : at + tail])


def _format_range(start: int, end: int) -> str:
    """Return a line range of a hunk: counted from 1; an empty range has the line above it."""
    if end - start == 1:
        return str(end)
    return f"{start + (end > start)},{end - start}"
