"""Measure how well `find` answers words with an error, and words typed by half.

`python -m bench.typos [TREE]`. Each word of four letters or more in a title is asked alone: as it
is, with an error of each sort, with its last letters missing; with and without correction. It is
answered if one of the first five results has the word in its title. Sets: a tree (default: the
sample), and the modules of Python's standard library, each an atom with its docstring as title.
"""

from __future__ import annotations

import random
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from bench.engines import make_find
from bench.own import SAMPLE, first_sentence, format_module, read_modules
from bench.sets import build_set, load_folder
from cortexfs.core.find.correct_terms import MIN_LETTERS
from cortexfs.core.find.stop_words import load_stop_words
from cortexfs.core.find.tokenize import split_words, tokenize

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from bench.engines import Search
    from bench.sets import SearchSet

MAX_RANK = 5
LETTERS = "abcdefghijklmnopqrstuvwxyz"
SEED = 7


class DamagedWord(NamedTuple):
    """A query, and the atoms that have the right word in their titles."""

    query: str
    word: str
    gold: frozenset[str]


def main() -> None:
    """Print the share of answered queries for each set."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else SAMPLE
    with tempfile.TemporaryDirectory(prefix="cortexfs-bench-") as place:
        print_shares(folder.name, load_folder(folder, Path(place, "tree")))
        modules = {
            module.name: f"# {first_sentence(module.about)}\n{format_module(module)}"
            for module in read_modules()
            if module.about and module.parts
        }
        print_shares("standard library", build_set(modules, Path(place, "library")))


def print_shares(name: str, planted: SearchSet) -> None:
    """Print the share of answered queries for each way to damage words."""
    search, without = make_find(planted.session), make_find(planted.session, corrected=False)
    titles = read_titles(planted)
    for how, damage in DAMAGES.items():
        asked = list(damage_titles(titles, damage))
        share, before = score_words(search, asked), score_words(without, asked)
        print(f"{name}, {how}, {len(asked)} words: {share:.3f}, without correction {before:.3f}")


def score_words(search: Search, asked: Iterable[DamagedWord]) -> float:
    """Return the share of the queries with a right answer among the first five."""
    answered = [not one.gold.isdisjoint(search(one.query, MAX_RANK)) for one in asked]
    return sum(answered) / len(answered)


def read_titles(planted: SearchSet) -> dict[str, str]:
    """Return the title of each atom of a set, by path."""
    db = planted.session.catalog.db
    return dict(db.execute("SELECT path, summary FROM texts ORDER BY path"))


def damage_titles(
    titles: Mapping[str, str], damage: Callable[[random.Random, str], str]
) -> Iterator[DamagedWord]:
    """Yield each word of the titles once, damaged; not those that become another word of them."""
    rng, atoms = random.Random(SEED), dict[str, set[str]]()
    for path, title in titles.items():
        for run in split_words(title):
            if run.isalpha() and run.isascii() and len(run) >= MIN_LETTERS:
                atoms.setdefault(run.lower(), set()).add(path)
    terms = {word: tokenize(word).words for word in atoms}
    for word in sorted(atoms):
        if terms[word] not in load_stop_words():
            damaged = damage(rng, word)
            if damaged == word or tokenize(damaged).words not in terms.values():
                same = (atoms[other] for other in atoms if terms[other] == terms[word])
                yield DamagedWord(damaged, word, frozenset().union(*same))


def keep_word(_: random.Random, word: str) -> str:
    """Return a word as it is."""
    return word


def add_letter(rng: random.Random, word: str) -> str:
    """Return a word with a letter too many."""
    at = rng.randrange(len(word))
    return word[:at] + rng.choice(LETTERS) + word[at:]


def drop_letter(rng: random.Random, word: str) -> str:
    """Return a word without one of its letters."""
    at = rng.randrange(len(word))
    return word[:at] + word[at + 1 :]


def replace_letter(rng: random.Random, word: str) -> str:
    """Return a word with a wrong letter."""
    at = rng.randrange(len(word))
    return word[:at] + rng.choice(LETTERS) + word[at + 1 :]


def swap_letters(rng: random.Random, word: str) -> str:
    """Return a word with two letters in reverse order."""
    at = rng.randrange(len(word) - 1)
    return word[:at] + word[at + 1] + word[at] + word[at + 2 :]


def replace_first_letter(rng: random.Random, word: str) -> str:
    """Return a word with a wrong first letter."""
    return rng.choice(LETTERS) + word[1:]


def make_error(rng: random.Random, word: str) -> str:
    """Return a word with an error of any sort."""
    return rng.choice((add_letter, drop_letter, replace_letter, swap_letters))(rng, word)


def cut_word(rng: random.Random, word: str) -> str:
    """Return the first letters of a word, at least four."""
    return word[: rng.randint(MIN_LETTERS, max(MIN_LETTERS, len(word) - 1))]


DAMAGES = {
    "as it is": keep_word,
    "an error of any sort": make_error,
    "a letter too many": add_letter,
    "a letter missing": drop_letter,
    "a wrong letter": replace_letter,
    "two letters in reverse order": swap_letters,
    "a wrong first letter": replace_first_letter,
    "typed by half": cut_word,
}


if __name__ == "__main__":
    main()
