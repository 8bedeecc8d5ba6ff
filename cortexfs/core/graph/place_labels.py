"""Places for the labels of a drawn graph: none touches a node or another label."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

CELL = 40.0
"""Pixels of the grid by which boxes find each other."""
HEIGHT, GAP = 13.0, 3.0
"""Pixels of a line, and between a node and its label."""
BASELINE = 4.0
"""Pixels from the middle of a line down to its baseline."""


class Circle(NamedTuple):
    """A node as it is drawn, in pixels."""

    x: float
    y: float
    radius: float


class Box(NamedTuple):
    """A rectangle, in pixels."""

    left: float
    top: float
    right: float
    bottom: float


class PlacedLabel(NamedTuple):
    """A label: the number of its node, and the middle of its baseline, in pixels."""

    number: int
    x: float
    y: float


def place_labels(
    circles: Sequence[Circle], widths: Sequence[float], size: tuple[float, float]
) -> Iterator[PlacedLabel]:
    """Yield the labels that have a place in a picture of a size; the largest nodes first.

    A label is above its node, or else below, right or left of it, or at a corner.
    """
    taken = _Boxes()
    for x, y, radius in circles:
        taken.add(Box(x - radius, y - radius, x + radius, y + radius))
    for number in sorted(range(len(circles)), key=lambda each: -circles[each].radius):
        for x, y in _list_places(circles[number], widths[number]):
            half = widths[number] / 2
            box = Box(x - half, y - HEIGHT / 2, x + half, y + HEIGHT / 2)
            is_inside = min(box) >= 0 and box.right <= size[0] and box.bottom <= size[1]
            if is_inside and not taken.touches(box):
                taken.add(box)
                yield PlacedLabel(number, x, y + BASELINE)
                break


def _list_places(circle: Circle, width: float) -> Iterable[tuple[float, float]]:
    x, y, radius = circle
    down, aside = radius + GAP + HEIGHT / 2, radius + GAP + width / 2
    drop, shift = (radius + HEIGHT) / 2 + GAP, (radius + width) / 2 + GAP
    corners = ((x + dx * shift, y + dy * drop) for dy in (-1, 1) for dx in (1, -1))
    return ((x, y - down), (x, y + down), (x + aside, y), (x - aside, y), *corners)


class _Boxes:
    """A set of boxes, found by the cells that they lie on."""

    def __init__(self) -> None:
        self._cells: dict[tuple[int, int], list[Box]] = defaultdict(list)

    def add(self, box: Box) -> None:
        for cell in _list_cells(box):
            self._cells[cell].append(box)

    def touches(self, box: Box) -> bool:
        near = (other for cell in _list_cells(box) for other in self._cells.get(cell, ()))
        return any(
            box.left < other.right
            and other.left < box.right
            and box.top < other.bottom
            and other.top < box.bottom
            for other in near
        )


def _list_cells(box: Box) -> Iterator[tuple[int, int]]:
    for column in range(int(box.left // CELL), int(box.right // CELL) + 1):
        for row in range(int(box.top // CELL), int(box.bottom // CELL) + 1):
            yield column, row
