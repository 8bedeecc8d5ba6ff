"""Correct a word that no text has: errors of one or two letters, and beginnings of words.

It is replaced by a word whose term is in the index: one that begins with it, else the one with the
fewest errors, and of several the one that most texts have.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, Protocol

from cortexfs.core.find.edit_distance import count_errors, list_edits
from cortexfs.core.find.stemmers import stem_words
from cortexfs.core.find.stop_words import load_stop_words
from cortexfs.core.find.tokenize import tokenize

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

MIN_LETTERS = 4
"""Minimum number of letters of a word that is corrected."""
MIN_LETTERS_FOR_TWO = 8
"""Minimum number of letters of a word in which two errors are corrected."""
MIN_LETTERS_FOR_TWO_STRICT = 10
"""The same for a word beside others that are known."""
MAX_ERRORS = 2
"""Maximum number of errors in a word."""
RIGHT_LETTERS = 3
"""Number of first letters that are right in a word with two errors."""
MAX_NEIGHBOURS = 1000
"""Maximum number of terms with the same first letters that are compared."""
MAX_COUNTED = 20
"""Maximum number of terms of which the texts are counted."""
MAX_COMPLETED = 50
"""The same for the terms that begin with a word: the shortest."""
MAX_COMPLETIONS = 3
"""Maximum number of words that replace a beginning."""
MAX_CORRECTIONS = 2
"""Maximum number of words that replace a word with an error, if no other word is known."""
MAX_TIMES_LIKELIER = 4
"""Maximum that the first of them may be likelier than another: the weights compared."""
MAX_OTHERS = 2
"""Maximum number of further suggestions for a word."""
LIKELY_WEIGHT = 26
"""How much more likely an error that people make is than one certain other."""
FIRST_WEIGHT = 3
"""How much more likely an error is after the first letter than in it."""
_ENDINGS_TEXT = """
    able ability ably al ally ance ances ancies ancy ate ated ates ating ation ations ator e ed ence
    ences encies ency ent ently er ers es ibility ible icate icated icates icating ication ications
    icity ied ies ing ings ion ions ism ist ists ity ities ive ively ization izations ize ized izer
    izes izing less ly ment ments ness or ors ous ously s y
"""
_ENDINGS = _ENDINGS_TEXT.split()
"""Endings that stemming removes."""
MIN_ENDING_LETTERS = 2
"""Minimum number of typed letters after a stem that are not an error: `configurat`."""
MAX_ENDING_LETTERS = max(map(len, _ENDINGS))


class Vocabulary(Protocol):
    """The terms of an index."""

    def find_terms(self, terms: Iterable[str]) -> set[str]:
        """Return those of some terms that a text has."""

    def count_candidates(self, candidates: Iterable[str], limit: int) -> dict[str, int]:
        """Return the first of many terms that texts have, each with about their number."""

    def list_terms(self, prefix: str, limit: int) -> list[str]:
        """Return the shortest terms that begin with a prefix, also of deleted texts."""


class Replacement(NamedTuple):
    """The words that are searched in place of one, and others that it may stand for."""

    searched: tuple[str, ...] = ()
    others: tuple[str, ...] = ()


def correct_word(
    folded: str, vocabulary: Vocabulary, *, is_last: bool, is_strict: bool, is_right: bool = False
) -> Replacement:
    """Return what an unknown word is replaced by.

    The last word of a query may be shorter: it is typed by half. Beside words that are known an
    unknown word is often right, and what it is near to would mislead; so strictly, only errors that
    people often make are corrected. Of questions that use other words than the texts
    (`python -m bench.own`), one in a hundred is changed; it was one in four. A word that `is_right`
    is only completed.
    """
    is_short = len(folded) < MIN_LETTERS
    if (is_last or not is_short) and (counts := _complete(folded, vocabulary)):
        return _choose(counts, MAX_COMPLETIONS)
    if is_right or (is_short and is_strict):
        return Replacement()
    if counts := _correct_one_error(folded, vocabulary, is_strict=is_strict):
        likely = [
            word for word in counts if MAX_TIMES_LIKELIER * counts[word] >= max(counts.values())
        ]
        return _choose(counts, 1 if is_strict else min(len(likely), MAX_CORRECTIONS))
    if counts := _complete_ending(folded, vocabulary, 1):
        return _choose(counts, 1)
    if len(folded) >= (MIN_LETTERS_FOR_TWO_STRICT if is_strict else MIN_LETTERS_FOR_TWO):
        return _choose(_correct_two_errors(folded, vocabulary, is_strict=is_strict), 1)
    suggested = {} if is_strict else _correct_two_errors(folded, vocabulary, is_strict=False)
    return _choose(suggested, 0)


def _choose(counts: dict[str, int], limit: int) -> Replacement:
    """Return the first words, and as suggestions those that are at least half as good."""
    words = list(counts)
    others = [other for other in words[limit:] if 2 * counts[other] >= counts[words[0]]]
    return Replacement(tuple(words[:limit]), tuple(others[:MAX_OTHERS]))


def _correct_one_error(folded: str, vocabulary: Vocabulary, *, is_strict: bool) -> dict[str, int]:
    """Return the known words with one error less, best first, each with its weight.

    The weight is the number of texts with the word, times that of the error. Measured with
    `python -m bench.typos`: .93 and .91 of the words with an error are answered, .90 and .91 if
    only the best word is searched.
    """
    edits = list_edits(folded)
    words = _map_terms_to_words(folded, edits, is_strict=is_strict)
    counts = vocabulary.count_candidates(words.keys(), MAX_COUNTED)
    weights = {
        words[term]: count
        * (LIKELY_WEIGHT if edits[words[term]] else 1)
        * (FIRST_WEIGHT if words[term][0] == folded[0] else 1)
        for term, count in counts.items()
    }
    return dict(sorted(weights.items(), key=lambda each: (-each[1], each[0])))


def _map_terms_to_words(
    folded: str, edits: Mapping[str, bool], *, is_strict: bool
) -> dict[str, str]:
    """Return the terms of edits, the likely ones first, each with a whole word, not its stem."""
    only_usual = is_strict or len(folded) < MIN_LETTERS
    tried = [
        edit for edit in edits if len(edit) >= MIN_LETTERS - 1 and (edits[edit] or not only_usual)
    ]
    tried.sort(key=lambda edit: (edits[edit], len(edit) == len(folded), len(edit)), reverse=True)
    words: dict[str, str] = {}
    for term, edit in zip(stem_words(tried), tried, strict=True):
        words.setdefault(term, edit)
    stem = stem_words([folded])[0]
    is_ending_right = is_strict and stem != folded
    return {
        term: word
        for term, word in words.items()
        if term not in load_stop_words()
        and not (is_ending_right and count_errors(stem, term)[-1] > 1)
    }


def _complete(folded: str, vocabulary: Vocabulary) -> dict[str, int]:
    """Return the known words that begin with a word, each with its number of texts, best first."""
    begun = vocabulary.list_terms(folded, MAX_COMPLETED)
    if counts := vocabulary.count_candidates(begun, MAX_COMPLETED):
        terms = sorted(counts, key=lambda term: (-counts[term], term))[
            : MAX_COMPLETIONS + MAX_OTHERS
        ]
        return {_spell_term(term): counts[term] for term in terms}
    return _complete_ending(folded, vocabulary, MIN_ENDING_LETTERS)


def _complete_ending(folded: str, vocabulary: Vocabulary, min_letters: int) -> dict[str, int]:
    """Return a word that ends the beginning of a known one, of which the stem is right."""
    words = dict(_iter_ended_words(folded, min_letters))
    best = next(iter(vocabulary.count_candidates(words.keys(), 1)), "")
    return {words[best]: 1} if best else {}


def _spell_term(term: str) -> str:
    """Return a word with a term: mostly the term itself, but `precis` is that of "precision"."""
    words = [term, *(term + ending for ending in _ENDINGS)]
    if term.endswith("i"):
        words.insert(0, f"{term[:-1]}y")
    return next((word for word in words if term in _list_terms(word)), term)


def _list_terms(word: str) -> list[str]:
    words, names = tokenize(word)
    return f"{words} {names}".split()


def _iter_ended_words(folded: str, min_letters: int) -> Iterator[tuple[str, str]]:
    """Yield the terms of words that end a beginning, longest first, each with one word.

    At least `min_letters` of the ending are in the beginning.
    """
    last = len(folded) - min_letters
    for at in range(last, max(MIN_LETTERS, len(folded) - MAX_ENDING_LETTERS) - 1, -1):
        words = (folded[:at] + end for end in _ENDINGS if end.startswith(folded[at:]))
        if right := next((word for word in words if tokenize(word).words == folded[:at]), ""):
            yield folded[:at], right


def _correct_two_errors(folded: str, vocabulary: Vocabulary, *, is_strict: bool) -> dict[str, int]:
    """Return the known words with two errors less and the same first letters, nearest first.

    Each has its number of texts.
    """
    letters, near = set(folded), dict[str, tuple[int, str]]()
    for term in vocabulary.list_terms(folded[:RIGHT_LETTERS], MAX_NEIGHBOURS):
        if (
            len(folded) - MAX_ENDING_LETTERS <= len(term) <= len(folded) + MAX_ERRORS
            and len(set(term) - letters) <= MAX_ERRORS
            and (found := _find_near_word(term, folded))
            and not (is_strict and found[0] < MAX_ERRORS)
        ):
            near[term] = found
    nearest = sorted(near, key=near.__getitem__)
    counts = vocabulary.count_candidates(nearest, MAX_COUNTED)
    known = sorted(counts, key=lambda t: (near[t][0], -counts[t], t))
    return {near[term][1]: counts[term] for term in known}


def _find_near_word(term: str, folded: str) -> tuple[int, str] | None:
    """Return the errors in a word compared with a term and an ending, and the right word."""
    found = [
        (errors + more, term + ending)
        for at, errors in enumerate(count_errors(term, folded, MAX_ERRORS))
        if errors <= MAX_ERRORS
        for more, ending in _list_near_endings(folded[at:], MAX_ERRORS - errors)
    ]
    right = [(errors, word) for errors, word in found if tokenize(word).words == term]
    return min(right, default=None)


@lru_cache(maxsize=256)
def _list_near_endings(rest: str, limit: int) -> list[tuple[int, str]]:
    """Return the endings that differ from the rest of a word by at most some errors."""
    near = [end for end in ("", *_ENDINGS) if abs(len(end) - len(rest)) <= limit]
    counted = ((count_errors(end, rest)[-1], end) for end in near)
    return [(errors, end) for errors, end in counted if errors <= limit]
