"""What the words before a name tell of gender and age: `her brother Tom`, `little Kitty Dane`."""

from __future__ import annotations

from cortexfs.core.stories.entities.cue_nouns import KIN_GENDERS

_OF_AGE = frozenset({"fond", "kin"})
_AGES = {"young": "young", "younger": "young", "little": "young", "eldest": "eldest"}
_SURE_GENDER = 3
"""So many pronouns tell as much as `her brother`."""


def add_kin(cues: list[str], cue: str, near: str, last: str) -> None:
    """Add the cues of gender and age to those of a name; `near` and `last` are words beside it."""
    if cue not in _OF_AGE:
        return
    if age := _AGES.get(last) or _AGES.get(near):
        cues.append(age)
    if cue == "kin" and (pronoun := KIN_GENDERS.get(last)):
        cues.extend([pronoun] * _SURE_GENDER)
