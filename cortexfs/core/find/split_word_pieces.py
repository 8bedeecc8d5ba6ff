"""Split a query into the word pieces of an embedding model, as BERT's tokenizer does.

The package `tokenizers` gives the same pieces; to import it takes longer than a search.
"""

from __future__ import annotations

import re
import string
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    FindPiece = Callable[[str], int | None]
    """A function from a piece to its number; None if the model does not know it."""

MAX_WORD_CHARS = 100
"""Number of characters from which a word is unknown as a whole."""
MAX_PIECE_CHARS = 32
"""Maximum length of a piece that is looked up; the longest one of the model has 18."""
UNKNOWN, BEGIN, END = "[UNK]", "[CLS]", "[SEP]"
_SPECIAL = re.compile(r"(\[(?:PAD|UNK|CLS|SEP|MASK)\])")
_IDEOGRAPHS = re.compile(
    "[\u4e00-\u9fff\u3400-\u4dbf\U00020000-\U0002a6df\U0002a700-\U0002b73f\U0002b740-\U0002b81f"
    "\U0002b920-\U0002ceaf\uf900-\ufaff\U0002f800-\U0002fa1f]"
)
_ASCII_MARKS = frozenset(string.punctuation)
_KEPT_CONTROLS = "\t\n\r"


def split_word_pieces(text: str, find_piece: FindPiece, limit: int) -> list[int]:
    """Return the numbers of at most `limit` pieces, with those that begin and end a text."""
    numbers: list[int] = []
    for piece in _iter_pieces(text, find_piece):
        if len(numbers) == limit - 2:
            break
        numbers.append(piece)
    return [_find_special(BEGIN, find_piece), *numbers, _find_special(END, find_piece)]


def _iter_pieces(text: str, find_piece: FindPiece) -> Iterator[int]:
    for part in _SPECIAL.split(text):
        if _SPECIAL.fullmatch(part):
            yield _find_special(part, find_piece)
        else:
            for word in _split_words(_normalize(part)):
                yield from _split_word(word, find_piece)


def _find_special(name: str, find_piece: FindPiece) -> int:
    return find_piece(name) or 0


def _normalize(text: str) -> str:
    """Return a text in lower case, without accents and control characters."""
    kept = "".join(" " if char.isspace() else char for char in text if not _is_dropped(char))
    spaced = _IDEOGRAPHS.sub(r" \g<0> ", kept)
    plain = (
        char for char in unicodedata.normalize("NFD", spaced) if unicodedata.category(char) != "Mn"
    )
    return "".join(map(str.lower, plain))


def _is_dropped(char: str) -> bool:
    return char == "\ufffd" or (
        char not in _KEPT_CONTROLS and unicodedata.category(char) in {"Cc", "Cf", "Co"}
    )


def _split_words(text: str) -> Iterator[str]:
    """Yield the words of a normalized text; each punctuation mark is a word."""
    for run in text.split():
        begin = 0
        for at, char in enumerate(run):
            if char in _ASCII_MARKS or unicodedata.category(char)[0] == "P":
                if begin < at:
                    yield run[begin:at]
                yield char
                begin = at + 1
        if begin < len(run):
            yield run[begin:]


def _split_word(word: str, find_piece: FindPiece) -> list[int]:
    """Return the longest known pieces of a word from its beginning; if any is missing, unknown."""
    unknown, pieces, begin = [_find_special(UNKNOWN, find_piece)], [], 0
    if len(word) > MAX_WORD_CHARS:
        return unknown
    while begin < len(word):
        end = min(len(word), begin + MAX_PIECE_CHARS)
        while (number := find_piece(("##" if begin else "") + word[begin:end])) is None:
            end -= 1
            if end == begin:
                return unknown
        pieces.append(number)
        begin = end
    return pieces
