"""What passages say about names, in a form that adds up: counts, and a few texts."""

from __future__ import annotations

from bisect import bisect_left, insort
from dataclasses import dataclass, field
from typing import Any

from cortexfs.core.stories.entities.kept_values import KeptValues

Counts = dict[str, int]
Texts = list[tuple[str, str, int]]
"""What `read_texts` returns."""
PlacedText = tuple[int, int, str, str, int]
"""A text with the number of its passage and its place there."""


@dataclass(slots=True)
class PassageEvidence:
    """What one passage says. Every part is a count or a short text, so that passages add up.

    `names`: for each written form how often each cue of `read_cues` stood beside it. `words`: how
    often words stood in lower case. `together`: forms that share a sentence, as "A|B" in
    alphabetical order. `aliases`: such pairs that the text introduces as one. `texts`: for each
    form what `read_texts` returns. `ties`: what `read_relations` returns. `colours`: what
    `read_colours` returns.
    """

    names: dict[str, Counts] = field(default_factory=dict)
    words: Counts = field(default_factory=dict)
    together: Counts = field(default_factory=dict)
    aliases: Counts = field(default_factory=dict)
    texts: dict[str, Texts] = field(default_factory=dict)
    ties: dict[str, list[int]] = field(default_factory=dict)
    colours: dict[str, list[int]] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Return the evidence as JSON values, empty parts left out."""
        parts = {
            "names": self.names,
            "words": self.words,
            "together": self.together,
            "aliases": self.aliases,
            "texts": self.texts,
            "ties": self.ties,
            "colours": self.colours,
        }
        return {name: part for name, part in parts.items() if part}

    @classmethod
    def from_json(cls, parts: dict[str, Any]) -> PassageEvidence:
        """Return the evidence that `to_json` was made of."""
        texts = {
            form: [tuple(text) for text in found] for form, found in parts.get("texts", {}).items()
        }
        return cls(**parts | {"texts": texts})


@dataclass(slots=True)
class PassageSums:
    """The sums of two numbers over passages, and which passages they are, ascending."""

    first: int = 0
    second: int = 0
    passages: list[int] = field(default_factory=list)


@dataclass(slots=True)
class Totals:
    """The sum over passages, each known by its number; a passage can be taken out again.

    `seen` has the numbers of the passages with a form, ascending. `texts` keeps apart what each
    passage says; each is its number, its place in it, and what `read_texts` returns, ascending.
    `described` are values that were made of the texts of some forms, until one of these changes;
    `judged` and `scored` were made of their counts.
    """

    names: dict[str, Counts] = field(default_factory=dict)
    words: Counts = field(default_factory=dict)
    together: Counts = field(default_factory=dict)
    aliases: Counts = field(default_factory=dict)
    texts: dict[str, list[PlacedText]] = field(default_factory=dict)
    ties: dict[str, PassageSums] = field(default_factory=dict)
    colours: dict[str, PassageSums] = field(default_factory=dict)
    seen: dict[str, list[int]] = field(default_factory=dict)
    passages: set[int] = field(default_factory=set)
    described: KeptValues = field(default_factory=KeptValues, compare=False)
    judged: KeptValues = field(default_factory=KeptValues, compare=False)
    scored: KeptValues = field(default_factory=KeptValues, compare=False)

    def add(self, number: int, evidence: PassageEvidence) -> None:
        """Add the evidence of a passage, whose number must be new."""
        if number in self.passages:
            raise ValueError(f"passage {number} is counted already")
        self.passages.add(number)
        self._count(number, evidence, 1)
        for form in evidence.names:
            insort(self.seen.setdefault(form, []), number)
        for form, texts in evidence.texts.items():
            for order, text in enumerate(texts):
                insort(self.texts.setdefault(form, []), (number, order, *text))

    def remove(self, number: int, evidence: PassageEvidence) -> None:
        """Take out the evidence of a passage, exactly as it was added."""
        self.passages.remove(number)
        self._count(number, evidence, -1)
        for form in evidence.names:
            _take(self.seen, form, number, number + 1)
        for form, texts in evidence.texts.items():
            if texts:
                _take(self.texts, form, (number,), (number + 1,))

    def _count(self, number: int, evidence: PassageEvidence, sign: int) -> None:
        changed = {*evidence.names, *evidence.texts}
        for kept in (self.described, self.judged, self.scored):
            kept.forget(changed)
        for form, counts in evidence.names.items():
            held = self.names.setdefault(form, {})
            _add(held, counts, sign)
            if not held:
                del self.names[form]
        _add(self.words, evidence.words, sign)
        _add(self.together, evidence.together, sign)
        _add(self.aliases, evidence.aliases, sign)
        _sum(self.ties, evidence.ties, number, sign)
        _sum(self.colours, evidence.colours, number, sign)


def _take(held: dict[str, list[Any]], form: str, start: object, end: object) -> None:
    """Remove the values of a form from `start` to `end`, which is left."""
    values = held[form]
    del values[bisect_left(values, start) : bisect_left(values, end)]
    if not values:
        del held[form]


def _sum(held: dict[str, PassageSums], parts: dict[str, list[int]], number: int, sign: int) -> None:
    for key, (first, second) in parts.items():
        sums = held.setdefault(key, PassageSums())
        sums.first += sign * first
        sums.second += sign * second
        if sign > 0:
            insort(sums.passages, number)
        else:
            del sums.passages[bisect_left(sums.passages, number)]
        if not sums.passages:
            del held[key]


def _add(held: Counts, counts: Counts, sign: int) -> None:
    for key, count in counts.items():
        total = held.get(key, 0) + sign * count
        if total:
            held[key] = total
        else:
            del held[key]
