"""Typed relations between memories, as items of the field `relations`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import isqrt
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import split_string_list

if TYPE_CHECKING:
    from cortexfs.core.atoms.atom import FrontmatterValue

SUPERSEDES = "supersedes"
RELATION_TYPES = ("references", "relates_to", "follows", SUPERSEDES, "contradicts")
"""The types of relations that agents make, in an order that never changes: edge ids need it."""
UPDATES = "updates"
"""The type of the relation from a memory to the one that it was merged into, by maintenance."""
RELATIONS_KEY = "relations"
"""The field that holds the relations of a memory to others."""
DEFAULT_WEIGHT = 1.0
"""The weight of a relation that names none, or 0."""
WEIGHT_RANGE = (0.0, 10.0)
"""The lowest and the highest weight."""

_REF = re.compile(r"(?:[a-z0-9][a-z0-9._-]{0,63}/)?[A-Z]{1,8}-[0-9]{1,12}[a-z]?")
_WEIGHT = re.compile(r"[0-9]{1,2}(?:\.[0-9]{1,12})?(?:e-?[0-9]{1,2})?")
_MIN_WORDS, _MAX_WORDS = 2, 3


class Relation(NamedTuple):
    """A relation to another memory: its type, the ref of the other memory, and its weight."""

    type: str
    ref: str
    weight: float = DEFAULT_WEIGHT


def parse_relation(item: str) -> Relation | None:
    """Return the relation in `supersedes OBS-101` or `relates_to flywheel/OBS-9 0.5`, or None."""
    words = item.split(maxsplit=_MAX_WORDS)
    if not _MIN_WORDS <= len(words) <= _MAX_WORDS:
        return None
    weight = _parse_weight(words[2]) if len(words) == _MAX_WORDS else DEFAULT_WEIGHT
    if words[0] not in (*RELATION_TYPES, UPDATES) or not _REF.fullmatch(words[1]) or weight is None:
        return None
    return Relation(words[0], words[1], weight)


def list_other_items(value: FrontmatterValue) -> tuple[str, ...] | None:
    """Return the items of a field that are no relations, which stay as somebody wrote them.

    None if the field has another form than a list of texts.
    """
    items = split_string_list(value)
    if isinstance(value, Mapping) or (isinstance(value, tuple) and len(items) != len(value)):
        return None
    return tuple(item for item in items if parse_relation(item) is None)


def format_relation(relation: Relation) -> str:
    """Return a relation as an item of the field; the default weight is left out."""
    weight = f" {relation.weight:g}" if relation.weight != DEFAULT_WEIGHT else ""
    return f"{relation.type} {relation.ref}{weight}"


def make_edge_id(from_number: int, to_number: int, relation_type: str) -> int:
    """Return a number for a relation that no other one has, computed from both ends and the type.

    It is stored nowhere: Cantor's pairing of the numbers, then the type.
    """
    both = from_number + to_number
    pair = both * (both + 1) // 2 + to_number
    return pair * len(RELATION_TYPES) + RELATION_TYPES.index(relation_type) + 1


def parse_edge_id(edge_id: int) -> tuple[int, int, str] | None:
    """Return the numbers of both ends and the type of a relation; None if no edge has that id."""
    if edge_id < 1:
        return None
    pair, at = divmod(edge_id - 1, len(RELATION_TYPES))
    both = (isqrt(8 * pair + 1) - 1) // 2
    to_number = pair - both * (both + 1) // 2
    return both - to_number, to_number, RELATION_TYPES[at]


def _parse_weight(typed: str) -> float | None:
    if not _WEIGHT.fullmatch(typed):
        return None
    weight = float(typed) or DEFAULT_WEIGHT
    return weight if WEIGHT_RANGE[0] <= weight <= WEIGHT_RANGE[1] else None
