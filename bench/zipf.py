"""Make trees of 300-word atoms from 200,000 words with frequencies by Zipf's law, or from 26."""

from __future__ import annotations

import random
from itertools import accumulate
from typing import TYPE_CHECKING

from bench.corpus import PER_PROJECT, WORDS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

VOCABULARY_SIZE = 200_000
WORDS_PER_ATOM = 300
QUESTION_RANKS = (100, 50_000)
"""Ranks of the words in questions: neither the most common words, nor words that hardly occur."""
NUMBER_COUNT = 20_000
"""Number of numbers beside the 26 words: of a million atoms each is in fifty."""
_VOWELS, _CONSONANTS = "aeiou", "bcdfghjklmnprstvz"


def draw_texts(count: int, words_per_atom: int = WORDS_PER_ATOM) -> Iterator[list[str]]:
    """Draw the words of `count` atoms; the same ones at each call."""
    rng, words = random.Random(count), make_vocabulary()
    weights = list(accumulate(1 / (rank + 2.7) for rank in range(VOCABULARY_SIZE)))
    return (rng.choices(words, cum_weights=weights, k=words_per_atom) for _ in range(count))


def draw_questions(count: int) -> list[str]:
    """Draw questions of one to five words, by the frequency of the words; the same at each call."""
    rng, words = random.Random(count), make_vocabulary()[slice(*QUESTION_RANKS)]
    weights = list(accumulate(1 / rank for rank in range(*QUESTION_RANKS)))
    drawn = (rng.choices(words, cum_weights=weights, k=rng.randint(1, 5)) for _ in range(count))
    return [" ".join(one) for one in drawn]


def draw_common_texts(count: int, words_per_atom: int) -> Iterator[list[str]]:
    """Draw texts of 26 words and a number: nearly every atom has each of the words."""
    rng = random.Random(count)
    numbers = (number % NUMBER_COUNT for number in range(count))
    return ([*rng.choices(WORDS, k=words_per_atom - 1), str(number)] for number in numbers)


def draw_common_questions(count: int) -> list[str]:
    """Draw questions of one to three of the 26 words, every other one with a number."""
    rng = random.Random(count)
    drawn = [rng.sample(WORDS, rng.randint(1, 3)) for _ in range(count)]
    numbers = [str(rng.randrange(NUMBER_COUNT)) for _ in drawn[::2]]
    for words, number in zip(drawn[::2], numbers, strict=True):
        words.append(number)
    return [" ".join(words) for words in drawn]


def write_tree(root: Path, count: int) -> None:
    """Write a tree of `count` experiments."""
    root.mkdir(parents=True)
    (root / "CORTEX.md").write_text("# Bench\n")
    rng = random.Random(count)
    for number, words in enumerate(draw_texts(count)):
        project, ident = f"z{number // PER_PROJECT:03d}", number % PER_PROJECT + 1
        folder = root / "projects" / project / "experiments"
        if ident == 1:
            folder.mkdir(parents=True)
        text = _format_atom(rng, project, ident, words)
        (folder / f"EXP-{ident:03d}.md").write_text(text, encoding="ascii")


def make_vocabulary() -> list[str]:
    """Return all words, most frequent first."""
    return [_make_word(rank + len(_CONSONANTS)) for rank in range(VOCABULARY_SIZE)]


def _make_word(number: int) -> str:
    """Return a number as syllables, at least two."""
    word = ""
    while number or len(word) < 4:
        number, closed = divmod(number, len(_CONSONANTS))
        word += _CONSONANTS[closed] + _VOWELS[number % len(_VOWELS)]
        number //= len(_VOWELS)
    return word


def _format_atom(rng: random.Random, project: str, ident: int, words: list[str]) -> str:
    front = {
        "id": f"EXP-{ident:03d}",
        "date": f"2026-0{rng.randint(1, 5)}-{rng.randint(10, 28)}",
        "project": project,
        "summary": " ".join(words[:10]),
        "tags": f"[few-{rng.randint(1, 100)}, half-{rng.randint(1, 2)}]",
        "status": rng.choice(("valid", "valid", "active", "partial")),
        "executor": "lab-2",
        "links": f"[EXP-{rng.randint(1, ident):03d}]",
    }
    head = "".join(f"{key}: {value}\n" for key, value in front.items())
    lines = "\n".join(" ".join(words[at : at + 15]) for at in range(10, WORDS_PER_ATOM, 15))
    return f"---\n{head}---\n\n## Background\n\n{lines}\n"
