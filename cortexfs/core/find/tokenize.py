"""Split texts into terms, the same way for atoms and for queries."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import normalize

from cortexfs.core.find.identifier_parts import find_option, list_numbers
from cortexfs.core.find.language_profiles import LANGUAGES
from cortexfs.core.find.stemmers import has_stems, load_stemmer
from cortexfs.core.find.unspaced_scripts import UNSPACED, is_unspaced_script

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from cortexfs.core.find.stemmers import Stem

MAX_TERM_CHARS = 64
"""Maximum characters of a term; longer ones (base64, minified code) are cut."""

MAX_CACHED_CHARS = 1 << 22
"""Characters in the cache of words from which it is cleared, before the next text."""
MAX_LANGUAGE_CACHES = 8
"""Maximum number of languages besides English whose words are cached: as much in all together."""

_COMBINING_MARKS = "\u0300-\u036f"
_LETTER = rf"[\w{_COMBINING_MARKS}\u0900-\u0dff{UNSPACED}]"
_NAMES_MARK = "\0"
"""A character that no term has."""
_HUMP = re.compile(r"[A-Z]+(?![a-z])[0-9]*|[A-Z]?[a-z]+[0-9]*|[0-9]+")
_LINE_CITATION = re.compile(r"(.*[./].*):[0-9]+(?:#[0-9a-z]+)?")
_REF = re.compile(r"(?:.*/)?[a-z]{1,8}-[0-9]{3,}[a-z]?")
_EMOJI = "\u2600-\u27bf\u2b50\u2b55\U0001f300-\U0001faff"


class Tokens(NamedTuple):
    """The terms of one text, separated by blanks.

    `words` are in the order of the text, folded and stemmed; `names` are the identifiers in it as
    a whole (`refresh-token`, `c++`, `src/auth/store.go`, `-xzf`), folded only.
    """

    words: str
    names: str


def tokenize(text: str, language: str = "") -> Tokens:
    """Return the terms of a text of any length, with the stems of a language; default: English.

    In a language of another script, words in Latin script are stemmed as English ones.
    """
    return tokenize_strings(text.split(), language)


def tokenize_strings(strings: Sequence[str], language: str = "") -> Tokens:
    """Return the terms of a text that was split at its blanks."""
    cache = _get_cache(language) if language else _WORD_CACHE
    if cache.size > cache.max_chars:
        cache.clear()
    words = " ".join(filter(None, map(cache.__getitem__, strings)))
    if _NAMES_MARK not in words:  # as in most texts
        return Tokens(words, "")
    # a string may have names and no words: nothing but a mark
    words = words.replace(f" {_NAMES_MARK}", "").replace(_NAMES_MARK, "").lstrip()
    return Tokens(words, " ".join(filter(None, map(cache.names.get, strings))))


def split_words(text: str) -> list[str]:
    """Return the words of a text, with identifiers as a whole."""
    return _get_run_pattern(text.isascii()).findall(text)


def fold_text(text: str) -> str:
    """Return a text without differences in case, width and accents, and without surrogates."""
    if text.isascii():
        return text.lower()
    valid = text.encode(errors="replace").decode()
    decomposed = normalize("NFKD", normalize("NFKD", valid).casefold())
    return normalize("NFKC", re.sub(f"[{_COMBINING_MARKS}]", "", decomposed))


class _WordCache(dict[str, str]):
    """A cache from a string without blanks to its words; `names` has its names.

    The words of a string with names end with a mark: one search finds out if a text has any.
    Texts repeat their words: a lookup is ten times as fast as tokenizing.
    """

    def __init__(self, stem: Stem, max_chars: int) -> None:
        self.stem = stem
        self.is_english = stem is _stem_english
        self.max_chars = max_chars
        self.names: dict[str, str] = {}
        self.size = 0

    def clear(self) -> None:
        """Remove all entries."""
        super().clear()
        self.names.clear()
        self.size = 0

    def __missing__(self, string: str) -> str:
        self.size += len(string)
        if self.is_english and string.isascii() and string.isalpha() and string.islower():
            words = load_stemmer("en")(string[:MAX_TERM_CHARS])  # nearly always
            self[string] = string if words == string else words
            return words
        words, names = _tokenize_word(string, self.stem)
        if not self.is_english:
            names = _list_english_names(words, string)
        if names:
            self.names[string] = names
            words += _NAMES_MARK
        self[string] = string if words == string else words  # one object instead of two
        return words


def _list_english_names(words: str, string: str) -> str:
    """Return the names in a string, and its words as stemmed in English where these are others.

    A text is also found by the words that it has without knowing its language, as in a query
    without accents; and a word in the same form counts twice.
    """
    english, english_names = _tokenize_word(string, _stem_english)
    pairs = zip(words.split(), english.split(), strict=False)
    return _join_terms([*(theirs for ours, theirs in pairs if ours != theirs), english_names])


def _tokenize_word(word: str, stem: Stem) -> tuple[str, str]:
    """Return the words and names of a string without blanks."""
    if _is_plain_word(word):
        return stem(word.lower()), ""
    tokens = [_tokenize_run(run, stem) for run in split_words(word)]
    names = [*(names for _, names in tokens), find_option(word) if "-" in word else ""]
    return _join_terms(words for words, _ in tokens), _join_terms(names)


def _join_terms(terms: Iterable[str]) -> str:
    return " ".join(filter(None, terms))


def _is_plain_word(word: str) -> bool:
    """Return whether a string is one word of ASCII letters without humps, as most are."""
    if not (word.isascii() and word.isalpha()):
        return False
    return word.islower() or word.istitle() or word.isupper()


def _tokenize_run(run: str, stem: Stem) -> tuple[str, str]:
    """Return the words and names of one run."""
    if _is_plain_word(run):
        return stem(run.lower()), ""
    words = " ".join(
        piece
        for part in _get_piece_pattern(run.isascii()).findall(run)
        for piece in _split_piece(part, stem)
    )
    return words, " ".join(name for name in _list_names(fold_text(run)) if name != words)


def _list_names(identifier: str) -> Iterator[str]:
    """Yield an identifier as a whole, and its parts that are names too.

    They are versions without `v`, and numbers without `0x`; of a path, the path without line
    number, and the file. Of a full ref such as `driftwood/EXP-009`, the id counts as the file.
    """
    if len(identifier) > MAX_TERM_CHARS or is_unspaced_script(identifier):
        return
    yield _stem_english(identifier) if identifier.isalpha() else identifier
    cited = _LINE_CITATION.match(identifier)
    path = cited[1] if cited else identifier
    if cited:
        yield path
    above, _, file = path.rpartition("/")
    if above and ("." in file or is_folded_ref(file)):
        yield file
    yield from (each for each in list_numbers(identifier) if each not in {identifier, file})


def is_folded_ref(text: str) -> bool:
    """Return whether a folded text is a ref, short or full."""
    return _REF.fullmatch(text) is not None


def _split_piece(piece: str, stem: Stem) -> list[str]:
    """Return the terms of a piece: split at humps (`HandleSave`), or letter pairs if unspaced."""
    if is_unspaced_script(piece):
        whole = fold_text(piece)
        return [*map("".join, pairwise(whole)), whole[-1]]
    humps = _HUMP.findall(piece) if piece.isascii() else [piece]
    return [stem(hump) for hump in humps]


@cache
def _get_run_pattern(is_ascii: bool) -> re.Pattern[str]:
    """Return the pattern of a run; the one for all scripts takes 4 ms to compile."""
    letter = r"\w" if is_ascii else _LETTER
    words = rf"{letter}+(?:[-./+#:@]+{letter}+)*(?:\+\+|#)?"
    return re.compile(words if is_ascii else rf"{words}|[{_EMOJI}]")


@cache
def _get_piece_pattern(is_ascii: bool) -> re.Pattern[str]:
    """Return the pattern of a run's pieces: words, and text in scripts without spaces."""
    return re.compile(
        r"[^\W_]+" if is_ascii else rf"[{UNSPACED}]+|(?:(?![_{UNSPACED}]){_LETTER})+|[{_EMOJI}]"
    )


def _stem_english(word: str) -> str:
    return load_stemmer("en")(fold_text(word)[:MAX_TERM_CHARS])


_WORD_CACHE = _WordCache(_stem_english, MAX_CACHED_CHARS)


@lru_cache(maxsize=MAX_LANGUAGE_CACHES)
def _get_cache(language: str) -> _WordCache:
    """Return the cache of the words of a language; that of English if it has no stemmer."""
    if not has_stems(language):
        return _WORD_CACHE
    stem, is_latin = load_stemmer(language), language in LANGUAGES

    def stem_word(word: str) -> str:
        if not is_latin and word.isascii():
            return _stem_english(word)
        return fold_text(stem(normalize("NFC", word).lower()[:MAX_TERM_CHARS]))[:MAX_TERM_CHARS]

    return _WordCache(stem_word, MAX_CACHED_CHARS // MAX_LANGUAGE_CACHES)


def forget_words() -> None:
    """Empty the caches of words: after many texts they take 20 MiB."""
    _WORD_CACHE.clear()
    _get_cache.cache_clear()
