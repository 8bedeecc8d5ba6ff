"""The places of a timeline of salience in its picture, in pixels."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.stories.salience_timeline import TimelinePoint

LEFT, RIGHT, TOP, BOTTOM = 32, 12, 16, 24
"""Pixels around the points: for the numbers of the axes."""
HEIGHT = 168
"""Pixels between salience 1 and 0."""
MIN_STEP, MAX_STEP = 24, 64
"""Pixels for a point: least for a pointer, most before a few look lost."""
FULL_WIDTH = 960
"""Pixels that the points fill, if none of them gets more than the most."""
MIN_LABEL_GAP = 56
"""Pixels between the numbers below."""


class ChartPoint(NamedTuple):
    """A point: its middle, the top and the bottom of its span, and whether it has a label."""

    point: TimelinePoint
    x: float
    y: float
    low: float
    has_label: bool


class SalienceChart(NamedTuple):
    """A picture of a size with points, lines at some values, and one for the threshold."""

    width: int
    height: int
    step: float
    points: Sequence[ChartPoint]
    lines: Sequence[tuple[str, float]]
    threshold: float

    @property
    def base(self) -> int:
        """The height of salience 0."""
        return TOP + HEIGHT


def make_chart(points: Sequence[TimelinePoint], threshold: float) -> SalienceChart:
    """Return the places of the points of a timeline."""
    step = max(MIN_STEP, min(MAX_STEP, FULL_WIDTH / max(1, len(points))))
    labelled = max(1, -(-MIN_LABEL_GAP // int(step)))
    placed = [
        ChartPoint(
            point,
            LEFT + (at + 0.5) * step,
            _to_y(point.high),
            _to_y(point.low),
            at % labelled == 0,
        )
        for at, point in enumerate(points)
    ]
    return SalienceChart(
        int(LEFT + len(points) * step + RIGHT),
        TOP + HEIGHT + BOTTOM,
        step,
        placed,
        [(text, _to_y(float(text))) for text in ("0", "0.5", "1")],
        _to_y(threshold),
    )


def _to_y(share: float) -> float:
    return TOP + (1 - share) * HEIGHT
