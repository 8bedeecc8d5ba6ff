"""Compounds: words of several words without blanks, as in German."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.find.language_profiles import COMPOUNDING, LANGUAGES
from cortexfs.core.find.tokenize import fold_text, tokenize

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MIN_COMPOUND = 7
"""Minimum length of a compound, as it is indexed."""
MIN_PART = 3
"""Minimum length of a part."""
MIN_SURE_PART = 4
"""Minimum length of both parts if they need not be words of the texts themselves."""
MIN_SURE_SUM = 10
"""Minimum length of both parts together in that case."""
MIN_FIRST_PART = 6
"""Minimum length of a first part that is searched although the rest of the word is unknown."""
MAX_PARTS = 4
"""Maximum number of parts of a compound that is split."""
MAX_WORD = 40
"""Maximum length of a word that is split."""
_LINKS = ("", "s", "n", "en", "es", "er", "e", "t")
"""What stands between parts, such as the `s` of `Verbindungsaufbau`."""
_PREFIXES = (
    " ver zer ent miss ge be un her hin ein ab los weg ont för för- för. over van til fra ind ud"
)


class Split(NamedTuple):
    """A word in two parts: the first as typed, without linking letters, and as stem; the rest."""

    head: str
    head_stem: str
    tail: str
    tail_stem: str


def list_long_words(text: str, language: str) -> list[str]:
    """Return the words of a text that may be compounds, as indexed, each once, sorted."""
    if language not in COMPOUNDING:
        return []
    words = set(tokenize(text, language).words.split())
    return sorted(w for w in words if MIN_COMPOUND <= len(w) <= MAX_WORD and w.isalpha())


def list_splits(word: str, language: str) -> list[Split]:
    """Return the possible splits of a folded word in two parts."""
    return list(_iter_splits(word, language)) if MIN_COMPOUND <= len(word) <= MAX_WORD else []


def choose_parts(word: str, language: str, known: Iterable[str]) -> tuple[str, ...]:
    """Return the stems of the parts of a compound that are all among known terms; or nothing."""
    return _find_parts(word, language, frozenset(known), MAX_PARTS)


def choose_first_part(word: str, language: str, known: Iterable[str]) -> tuple[str, ...]:
    """Return the stem of the longest first part of a compound that is a known term; or nothing."""
    terms = frozenset(known)
    parts = [
        (len(each.head), each.head_stem)
        for each in list_splits(word, language)
        if each.head_stem in terms and len(each.head) >= MIN_FIRST_PART
    ]
    return (max(parts)[1],) if parts else ()


def may_end_with(compound: str, stem: str, language: str) -> tuple[str, ...] | None:
    """Return which terms, any of which must exist, make a stem the last part of a compound.

    Nothing needs to exist if both parts are long; None if it cannot be the last part.
    """
    head = compound.removesuffix(stem)
    if len(head) < MIN_PART or head in _load_short_words(language):
        return None
    if _is_sure(head, stem):
        return ()
    return tuple(dict.fromkeys(_stem(each, language) for each in _strip_links(head)))


def may_begin_with(compound: str, word: str, stem: str) -> tuple[str, ...] | None:
    """Return the same as `may_end_with` for a word, and its stem, as the first part."""
    start = word if compound.startswith(word) else stem
    tails = [
        tail
        for link in _LINKS
        if (rest := compound.removeprefix(start)).startswith(link)
        and len(tail := rest.removeprefix(link)) >= MIN_PART
    ]
    if not tails:
        return None
    return () if start == word and _is_sure(word, tails[0]) else tuple(tails)


def _iter_splits(word: str, language: str) -> Iterator[Split]:
    short = _load_short_words(language)
    for at in range(MIN_PART, len(word) - MIN_PART + 1):
        whole, tail = word[:at], word[at:]
        if whole not in short:
            for head in filter(lambda head: head not in short, _strip_links(whole)):
                yield Split(head, _stem(head, language), tail, _stem(tail, language))


def _find_parts(word: str, language: str, known: frozenset[str], most: int) -> tuple[str, ...]:
    best: tuple[int, tuple[str, ...]] = (0, ())
    for head, head_stem, tail, tail_stem in list_splits(word, language) if most > 1 else ():
        if head_stem not in known:
            continue
        if tail_stem in known and tail not in _load_short_words(language):
            best = max(best, (min(len(head), len(tail)), (head_stem, tail_stem)))
        elif rest := _find_parts(tail, language, known, most - 1):
            best = max(best, (MIN_PART, (head_stem, *rest)))
    return best[1]


def _strip_links(head: str) -> Iterator[str]:
    """Yield the first part of a compound without each linking element that it may end in."""
    for link in _LINKS:
        if head.endswith(link) and len(head) - len(link) >= MIN_PART:
            yield head.removesuffix(link)


def _is_sure(head: str, tail: str) -> bool:
    return min(len(head), len(tail)) >= MIN_SURE_PART and len(head) + len(tail) >= MIN_SURE_SUM


def _stem(word: str, language: str) -> str:
    return tokenize(word, language).words


@cache
def _load_short_words(language: str) -> frozenset[str]:
    """Return the words that begin other words without being part of a compound: `unter`."""
    return frozenset(fold_text(LANGUAGES[language].words + _PREFIXES).split())
