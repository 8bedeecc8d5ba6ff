"""Split texts into terms, the same way for atoms and for queries."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import normalize

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

MAX_TERM_CHARS = 64
"""Maximum characters of a term; longer ones (base64, minified code) are cut."""

MAX_CACHED_CHARS = 1 << 22
"""Characters in the cache of words from which it is cleared, before the next text."""

_MARKS = "\u0300-\u036f"
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
)
"""Thai, Lao, Burmese, Khmer, kana, Han and Hangul: scripts without reliable spaces."""
_LETTER = rf"[\w{_MARKS}\u0900-\u0dff{_UNSPACED}]"
_HUMP = re.compile(r"[A-Z]+(?![a-z])[0-9]*|[A-Z]?[a-z]+[0-9]*|[0-9]+")
_LINE = re.compile(r"(.*[./].*):[0-9]+(?:#[0-9a-z]+)?")
_REF = re.compile(r"(?:.*/)?[a-z]{1,8}-[0-9]{3,}[a-z]?")


class Tokens(NamedTuple):
    """The terms of one text, separated by blanks.

    `words` are in the order of the text, folded and stemmed; `names` are the identifiers in it as
    a whole (`refresh-token`, `c++`, `src/auth/store.go`), folded only.
    """

    words: str
    names: str


def tokenize(text: str) -> Tokens:
    """Return the terms of a text of any length."""
    if _KNOWN.size > MAX_CACHED_CHARS:
        _KNOWN.clear()
    said = text.split()
    words = " ".join(filter(None, map(_KNOWN.__getitem__, said)))
    if _KNOWN.names.keys().isdisjoint(said):  # most texts name nothing
        return Tokens(words, "")
    return Tokens(words, " ".join(filter(None, map(_KNOWN.names.get, said))))


def split_words(text: str) -> list[str]:
    """Return the words of a text, with identifiers as a whole."""
    return _run(text.isascii()).findall(text)


def fold_text(text: str) -> str:
    """Return a text without differences in case, width and accents, and without surrogates."""
    if text.isascii():
        return text.lower()
    whole = text.encode(errors="replace").decode()
    apart = normalize("NFKD", normalize("NFKD", whole).casefold())
    return normalize("NFKC", re.sub(f"[{_MARKS}]", "", apart))


class _Said(dict[str, str]):
    """A cache from a string without blanks to its words; `names` has its names.

    Texts repeat their words: a lookup is ten times as fast as tokenizing.
    """

    def __init__(self) -> None:
        self.names: dict[str, str] = {}
        self.size = 0

    def clear(self) -> None:
        """Remove all entries."""
        super().clear()
        self.names.clear()
        self.size = 0

    def __missing__(self, said: str) -> str:
        words, names = _read_all(said)
        self[said] = said if words == said else words  # one object, found in the cache at once
        self.size += len(said)
        if names:
            self.names[said] = names
        return words


_KNOWN = _Said()


def _read_all(said: str) -> tuple[str, str]:
    """Return the words and names of a string without blanks."""
    if _is_plain(said):
        return _token(said.lower()), ""
    read = list(map(_read, split_words(said)))
    return _joined(words for words, _ in read), _joined(name for _, name in read)


def _joined(said: Iterable[str]) -> str:
    return " ".join(filter(None, said))


def _is_plain(said: str) -> bool:
    """Return whether a string is one word of ASCII letters without humps, as most are."""
    if not (said.isascii() and said.isalpha()):
        return False
    return said.islower() or said.istitle() or said.isupper()


def _read(run: str) -> tuple[str, str]:
    """Return the words and names of one run."""
    if _is_plain(run):
        return _token(run.lower()), ""
    words = " ".join(
        piece for part in _piece(run.isascii()).findall(run) for piece in _parted(part)
    )
    return words, " ".join(name for name in _names(fold_text(run)) if name != words)


def _names(whole: str) -> Iterator[str]:
    """Yield an identifier as a whole; of a path also the path without line number, and the file.

    Of a full ref such as `driftwood/EXP-009`, the id counts as the file.
    """
    if len(whole) > MAX_TERM_CHARS or is_unspaced_script(whole):
        return
    yield _token(whole) if whole.isalpha() else whole
    cited = _LINE.match(whole)
    path = cited[1] if cited else whole
    if cited:
        yield path
    above, _, file = path.rpartition("/")
    if above and ("." in file or is_folded_ref(file)):
        yield file


def is_folded_ref(whole: str) -> bool:
    """Return whether a folded text is a ref, short or full."""
    return _REF.fullmatch(whole) is not None


def _parted(piece: str) -> list[str]:
    """Return the terms of a piece: split at humps (`HandleSave`), or letter pairs if unspaced."""
    if is_unspaced_script(piece):
        whole = fold_text(piece)
        return [*map("".join, pairwise(whole)), whole[-1]]
    humps = _HUMP.findall(piece) if piece.isascii() else [piece]
    return [_token(fold_text(hump)) for hump in humps]


def is_unspaced_script(text: str) -> bool:
    """Return whether a text begins in a script without spaces between words."""
    return not text.isascii() and _unspaced().match(text) is not None


@cache
def _run(plain: bool) -> re.Pattern[str]:
    """Return the pattern of a run; the one for all scripts takes 4 ms to compile."""
    letter = r"\w" if plain else _LETTER
    return re.compile(rf"{letter}+(?:[-./+#:@]+{letter}+)*(?:\+\+|#)?")


@cache
def _piece(plain: bool) -> re.Pattern[str]:
    """Return the pattern of a run's pieces: words, and text in scripts without spaces."""
    return re.compile(r"[^\W_]+" if plain else rf"[{_UNSPACED}]+|(?:(?![_{_UNSPACED}]){_LETTER})+")


@cache
def _unspaced() -> re.Pattern[str]:
    return re.compile(rf"[{_UNSPACED}]")


def _token(word: str) -> str:
    return _stemmer()(word[:MAX_TERM_CHARS])


@cache
def _stemmer() -> Callable[[str], str]:
    from Stemmer import Stemmer  # noqa: PLC0415 - only what searches needs it

    stem: Callable[[str], str] = Stemmer("english", 0).stemWord  # 0: we remember words ourselves
    return stem
