"""What a person may correct of an entity, and which value a correction needs."""

from __future__ import annotations

from enum import StrEnum


class Correction(StrEnum):
    """What is corrected."""

    RENAME = "rename"
    TYPE = "type"
    STATUS = "status"
    ADD_ALIAS = "alias"
    ALIAS = "strike-alias"
    SPLIT = "split"
    MERGE = "merge"
    ADD_FACT = "fact"
    FACT = "strike-fact"
    RELATION = "strike-relation"
    OWNER = "owner"
    USAGE = "usage"
    COLOUR = "strike-colour"
    REMOVE = "remove"

    @property
    def needs_item(self) -> bool:
        """Whether it concerns one thing of several that the entity has."""
        return self in _OF_AN_ITEM

    @property
    def needs_value(self) -> bool:
        """Whether it needs a new value."""
        return self in _WITH_A_VALUE


_OF_COLOURS = frozenset({Correction.OWNER, Correction.USAGE, Correction.COLOUR})
_OF_AN_ITEM = _OF_COLOURS | {
    Correction.ALIAS,
    Correction.SPLIT,
    Correction.FACT,
    Correction.RELATION,
}
_WITH_A_VALUE = frozenset(
    {
        Correction.RENAME,
        Correction.TYPE,
        Correction.STATUS,
        Correction.ADD_ALIAS,
        Correction.MERGE,
        Correction.ADD_FACT,
        Correction.OWNER,
        Correction.USAGE,
    }
)
