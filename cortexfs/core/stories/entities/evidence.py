"""What passages say about names, in a form that adds up: counts, and a few texts."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypeVar

Counts = dict[str, int]
Texts = list[tuple[str, str, int]]
"""What `read_texts` returns."""


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
class Totals:
    """The sum over passages, each known by its number; a passage can be taken out again.

    `seen`, `texts`, `ties` and `colours` keep apart what each passage says.
    """

    names: dict[str, Counts] = field(default_factory=dict)
    words: Counts = field(default_factory=dict)
    together: Counts = field(default_factory=dict)
    aliases: Counts = field(default_factory=dict)
    texts: dict[str, dict[int, Texts]] = field(default_factory=dict)
    ties: dict[str, dict[int, list[int]]] = field(default_factory=dict)
    colours: dict[str, dict[int, list[int]]] = field(default_factory=dict)
    seen: dict[str, dict[int, Counts]] = field(default_factory=dict)
    passages: set[int] = field(default_factory=set)

    def add(self, number: int, evidence: PassageEvidence) -> None:
        """Add the evidence of a passage, whose number must be new."""
        if number in self.passages:
            raise ValueError(f"passage {number} is counted already")
        self.passages.add(number)
        self._count(evidence, 1)
        _put(self.seen, evidence.names, number)
        _put(self.texts, evidence.texts, number)
        _put(self.ties, evidence.ties, number)
        _put(self.colours, evidence.colours, number)

    def remove(self, number: int, evidence: PassageEvidence) -> None:
        """Take out the evidence of a passage, exactly as it was added."""
        self.passages.remove(number)
        self._count(evidence, -1)
        _take(self.seen, evidence.names, number)
        _take(self.texts, evidence.texts, number)
        _take(self.ties, evidence.ties, number)
        _take(self.colours, evidence.colours, number)

    def _count(self, evidence: PassageEvidence, sign: int) -> None:
        for form, counts in evidence.names.items():
            held = self.names.setdefault(form, {})
            _add(held, counts, sign)
            if not held:
                del self.names[form]
        _add(self.words, evidence.words, sign)
        _add(self.together, evidence.together, sign)
        _add(self.aliases, evidence.aliases, sign)


_Value = TypeVar("_Value")


def _put(held: dict[str, dict[int, _Value]], parts: dict[str, _Value], number: int) -> None:
    for key, value in parts.items():
        held.setdefault(key, {})[number] = value


def _take(held: dict[str, dict[int, _Value]], parts: dict[str, _Value], number: int) -> None:
    for key in parts:
        del held[key][number]
        if not held[key]:
            del held[key]


def _add(held: Counts, counts: Counts, sign: int) -> None:
    for key, count in counts.items():
        total = held.get(key, 0) + sign * count
        if total:
            held[key] = total
        else:
            del held[key]
