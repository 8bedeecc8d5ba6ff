"""Labels of a drawn graph touch neither nodes nor each other."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.graph.place_labels import (
    BASELINE,
    HEIGHT,
    Box,
    Circle,
    PlacedLabel,
    place_labels,
)

PLACES = st.floats(30, 330)
CIRCLES = st.lists(st.builds(Circle, PLACES, PLACES, st.floats(1, 12)), max_size=40)
WIDTH, SIZE = 50.0, (360.0, 360.0)


def make_box(label: PlacedLabel) -> Box:
    middle, half = label.y - BASELINE, WIDTH / 2
    return Box(label.x - half, middle - HEIGHT / 2, label.x + half, middle + HEIGHT / 2)


def is_over(one: Box, other: Box) -> bool:
    is_beside = one.right <= other.left or other.right <= one.left
    return not (is_beside or one.bottom <= other.top or other.bottom <= one.top)


@given(CIRCLES)
def test_no_label_touches_an_atom_or_another_label(circles: list[Circle]) -> None:
    labels = list(place_labels(circles, [WIDTH] * len(circles), SIZE))
    boxes = [make_box(label) for label in labels]
    drawn = [Box(x - size, y - size, x + size, y + size) for x, y, size in circles]
    slack = 1e-6  # of the middle of a line, which is computed twice
    boxes = [Box(b.left, b.top + slack, b.right, b.bottom - slack) for b in boxes]
    for at, box in enumerate(boxes):
        assert not any(is_over(box, other) for other in (*drawn, *boxes[:at]))
        assert min(box) >= 0
        assert max(box) <= SIZE[0]
    assert bool(labels) == bool(circles) or len(circles) > 1


def test_the_largest_node_has_its_label_first_and_above() -> None:
    circles = [Circle(100, 100, 4), Circle(100, 112, 10)]
    first, second = place_labels(circles, [WIDTH, WIDTH], SIZE)
    assert (first.number, second.number) == (1, 0)
    assert second.y < 100
    assert first.y > 112
