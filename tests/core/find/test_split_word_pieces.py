"""A query is split as BERT's tokenizer does it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.find.split_word_pieces import split_word_pieces

PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "too", "many", "page", "##rs", "cafe", ",", "!", "水"]
NUMBERS = {piece: number for number, piece in enumerate(PIECES)}


def _split(text: str, limit: int = 100) -> list[str]:
    return [PIECES[number] for number in split_word_pieces(text, NUMBERS.get, limit)]


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("", []),
        ("Too MANY\tpagers\n", ["too", "many", "page", "##rs"]),
        ("too,many!", ["too", ",", "many", "!"]),
        ("Café\u0301", ["cafe"]),
        ("to\u200bo ma\x00ny", ["too", "many"]),
        ("水水too", ["水", "水", "too"]),
        ("pagerx", ["[UNK]"]),
        ("too " + "page" * 30, ["too", "[UNK]"]),
        ("many[SEP]too", ["many", "[SEP]", "too"]),
    ],
)
def test_words_are_split_into_their_longest_known_pieces(text: str, pieces: list[str]) -> None:
    assert _split(text) == ["[CLS]", *pieces, "[SEP]"]


def test_pieces_above_the_limit_are_left_out() -> None:
    assert _split("too many " * 50, 5) == ["[CLS]", "too", "many", "too", "[SEP]"]


@given(st.text())
def test_any_text_is_split_within_the_limit(text: str) -> None:
    pieces = _split(text, 16)
    assert 2 <= len(pieces) <= 16
    assert (pieces[0], pieces[-1]) == ("[CLS]", "[SEP]")
