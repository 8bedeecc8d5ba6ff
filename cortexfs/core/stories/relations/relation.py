"""What one entity is to another."""

from __future__ import annotations

from dataclasses import dataclass

NEAR_LABEL = "appears with"

Rank = tuple[bool, float, str, str, str]
"""What orders relations."""


@dataclass(frozen=True, slots=True)
class Relation:
    """What one entity is to another: Caesar is a sibling of Melina.

    `evidence`: how many times it was told. `strength`, `confidence`: 0 to 1; `sentiment`: -1 to 1.
    `first`, `last`: numbers of passages, `passages` those of the last ones. `contradiction`: "",
    temporal (this one is older and superseded), complex (both are well supported) or suspect (the
    other one is better supported).
    """

    subject: str
    object: str
    type: str
    label: str
    evidence: int
    strength: float
    sentiment: float
    confidence: float
    first: int
    last: int
    contradiction: str = ""
    passages: tuple[int, ...] = ()


def rank(relation: Relation) -> Rank:
    """Return what orders relations: what is only near comes last."""
    weight = relation.evidence * relation.confidence
    return relation.label == NEAR_LABEL, -weight, relation.subject, relation.object, relation.type
