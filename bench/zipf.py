"""Make trees of 300-word atoms from 200,000 words with frequencies by Zipf's law."""

from __future__ import annotations

import random
from itertools import accumulate
from typing import TYPE_CHECKING

from bench.corpus import PER_PROJECT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

VOCABULARY = 200_000
LENGTH = 300
"""Words of an atom."""
TELLING = (100, 50_000)
"""Ranks of the words that are asked for: neither those that all say, nor those that nobody does."""
_OPEN, _CLOSED = "aeiou", "bcdfghjklmnprstvz"


def texts(count: int) -> Iterator[list[str]]:
    """Draw the words of so many atoms; always the same ones."""
    dice, words = random.Random(count), vocabulary()
    often = list(accumulate(1 / (rank + 2.7) for rank in range(VOCABULARY)))
    return (dice.choices(words, cum_weights=often, k=LENGTH) for _ in range(count))


def questions(count: int) -> list[str]:
    """Draw questions of one to five telling words, each as often as it is used."""
    dice, words = random.Random(count), vocabulary()[slice(*TELLING)]
    often = list(accumulate(1 / rank for rank in range(*TELLING)))
    asked = (dice.choices(words, cum_weights=often, k=dice.randint(1, 5)) for _ in range(count))
    return [" ".join(one) for one in asked]


def make(root: Path, count: int) -> None:
    """Write a tree of so many experiments."""
    root.mkdir(parents=True)
    (root / "CORTEX.md").write_text("# Bench\n")
    dice = random.Random(count)
    for number, words in enumerate(texts(count)):
        project, ident = f"z{number // PER_PROJECT:03d}", number % PER_PROJECT + 1
        folder = root / "projects" / project / "experiments"
        if ident == 1:
            folder.mkdir(parents=True)
        text = _atom(dice, project, ident, words)
        (folder / f"EXP-{ident:03d}.md").write_text(text, encoding="ascii")


def vocabulary() -> list[str]:
    """Give every word, the most used first."""
    return [_word(rank + len(_CLOSED)) for rank in range(VOCABULARY)]


def _word(number: int) -> str:
    """Write a number in syllables, at least two."""
    said = ""
    while number or len(said) < 4:
        number, closed = divmod(number, len(_CLOSED))
        said += _CLOSED[closed] + _OPEN[number % len(_OPEN)]
        number //= len(_OPEN)
    return said


def _atom(dice: random.Random, project: str, ident: int, words: list[str]) -> str:
    front = {
        "id": f"EXP-{ident:03d}",
        "date": f"2026-0{dice.randint(1, 5)}-{dice.randint(10, 28)}",
        "project": project,
        "summary": " ".join(words[:10]),
        "tags": f"[few-{dice.randint(1, 100)}, half-{dice.randint(1, 2)}]",
        "status": dice.choice(("valid", "valid", "active", "partial")),
        "executor": "lab-2",
        "links": f"[EXP-{dice.randint(1, ident):03d}]",
    }
    head = "".join(f"{key}: {value}\n" for key, value in front.items())
    lines = "\n".join(" ".join(words[at : at + 15]) for at in range(10, LENGTH, 15))
    return f"---\n{head}---\n\n## Background\n\n{lines}\n"
