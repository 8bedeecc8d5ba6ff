"""The places of a graph of relations in its picture, in pixels."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.graph.place_labels import Circle, place_labels
from cortexfs.core.text.sanitize import truncate_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.graph.lay_out_graph import GraphLayout
    from cortexfs.core.stories.read_entity_file import KnownEntity
    from cortexfs.core.stories.relation_map import RelatedPair, RelationMap

MIN_SCALE, MAX_SCALE = 72, 200
"""Pixels for a unit of the layout: fewer entities have more room."""
FULL_WIDTH = 900
MARGIN = 64
MIN_RADIUS, MAX_RADIUS = 12.0, 24.0
"""Pixels of the radius of an entity: at least what a pointer needs."""
MIN_WIDTH, MAX_WIDTH = 1.5, 9.0
"""Pixels of the line of a relation of strength 0 and 1."""
LETTER = 7.2
LABEL_WIDTH = 24
"""Maximum number of characters of a label."""


class DrawnEntity(NamedTuple):
    """An entity: its middle, its radius, and its label with the middle of its baseline."""

    entity: KnownEntity
    x: float
    y: float
    radius: float
    label: str
    label_x: float
    label_y: float


class DrawnPair(NamedTuple):
    """A line between two entities, its width, and where its sign is."""

    pair: RelatedPair
    x1: float
    y1: float
    x2: float
    y2: float
    width: float
    sign: str

    @property
    def middle(self) -> tuple[float, float]:
        """The middle of the line."""
        return (self.x1 + self.x2) / 2, (self.y1 + self.y2) / 2


class RelationChart(NamedTuple):
    """A picture of a size."""

    width: int
    height: int
    entities: Sequence[DrawnEntity]
    pairs: Sequence[DrawnPair]


def make_relation_chart(graph: RelationMap, layout: GraphLayout) -> RelationChart:
    """Return the places of a graph that was laid out."""
    xs, ys = ([place[at] for place in layout.places] or [0.0] for at in (0, 1))
    span = max(max(xs) - min(xs), 1.0)
    scale = max(MIN_SCALE, min(MAX_SCALE, (FULL_WIDTH - 2 * MARGIN) / span))
    places = [
        (MARGIN + (x - min(xs)) * scale, MARGIN + (y - min(ys)) * scale) for x, y in layout.places
    ]
    width, height = (max(each) - min(each) for each in (xs, ys))
    size = (width * scale + 2 * MARGIN, height * scale + 2 * MARGIN)
    return RelationChart(
        int(size[0]),
        int(size[1]),
        _draw_entities(graph.entities, places, size),
        [_draw_pair(pair, places) for pair in graph.pairs],
    )


def _draw_entities(
    entities: Sequence[KnownEntity],
    places: Sequence[tuple[float, float]],
    size: tuple[float, float],
) -> list[DrawnEntity]:
    most = max((each.mentions for each in entities), default=0) or 1
    radii = [
        MIN_RADIUS + (MAX_RADIUS - MIN_RADIUS) * (each.mentions / most) ** 0.5 for each in entities
    ]
    labels = [truncate_line(each.name, LABEL_WIDTH) for each in entities]
    circles = [Circle(*place, radius) for place, radius in zip(places, radii, strict=True)]
    found = {
        each.number: each
        for each in place_labels(circles, [LETTER * len(label) for label in labels], size)
    }
    drawn = []
    for at, (entity, (x, y), radius) in enumerate(zip(entities, places, radii, strict=True)):
        label = found.get(at)
        text = labels[at] if label else ""
        drawn.append(
            DrawnEntity(
                entity, x, y, radius, text, label.x if label else x, label.y if label else y
            )
        )
    return drawn


def _draw_pair(pair: RelatedPair, places: Sequence[tuple[float, float]]) -> DrawnPair:
    width = MIN_WIDTH + (MAX_WIDTH - MIN_WIDTH) * pair.strength
    sign = {"good": "+", "bad": "\N{MINUS SIGN}"}.get(pair.tone, "·")
    return DrawnPair(pair, *places[pair.one], *places[pair.other], width, sign)
