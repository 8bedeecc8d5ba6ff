"""An entity, and what decides besides the text."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import log

_SUREST = 0.999
"""The highest confidence that can be asked for."""


@dataclass(frozen=True, slots=True)
class Entity:
    """Somebody or something that a story names.

    `type`: character, location, item, faction, concept or event. `aliases`: the other forms, the
    most frequent first. `confidence`: 0 to 1. `gender`: "m", "f" or "". `first`, `last`: numbers of
    passages. `status`: active, inactive, deceased or destroyed. `facts`: in the order of the story,
    with their importance, 1 to 10, and their first passage. `confirmed`: mentioned often enough.
    """

    name: str
    type: str
    aliases: tuple[str, ...]
    mentions: int
    confidence: float
    gender: str
    first: int
    last: int
    status: str
    description: str
    facts: tuple[tuple[str, int, int], ...]
    confirmed: bool

    @property
    def forms(self) -> tuple[str, ...]:
        """The name and the aliases."""
        return (self.name, *self.aliases)


@dataclass(frozen=True, slots=True)
class EntitySettings:
    """What the settings of a project decide.

    `protected`: names in lower case that are always known. An entity is confirmed at `confirmed_at`
    mentions; if `prune`, an unsure one that is not is dropped after `provisional_passages` more
    passages, and there are at most `maximum`.
    """

    protected: frozenset[str] = frozenset()
    minimum_confidence: float = 0.5
    confirmed_at: int = 2
    provisional_passages: int = 50
    maximum: int = 400
    prune: bool = True
    facts: int = 30
    fact_importance: int = 3

    @property
    def minimum_odds(self) -> float:
        """The log-odds of the minimum confidence."""
        confidence = min(_SUREST, max(1 - _SUREST, self.minimum_confidence))
        return log(confidence / (1 - confidence))


@dataclass(frozen=True, slots=True)
class Corrections:
    """What a person decided; it outweighs all evidence.

    `not_entities`: names in lower case. `types`: the type by name. `same`, `different`: pairs of
    names. `colours`: a name, a usage and a colour that is of nobody else then.
    """

    not_entities: frozenset[str] = frozenset()
    types: dict[str, str] = field(default_factory=dict)
    same: tuple[tuple[str, str], ...] = ()
    different: tuple[tuple[str, str], ...] = ()
    colours: tuple[tuple[str, str, str], ...] = ()

    @property
    def names(self) -> frozenset[str]:
        """The names in lower case that a person said are names."""
        pairs = self.same + self.different
        return frozenset(name.lower() for pair in (*pairs, tuple(self.types)) for name in pair)
