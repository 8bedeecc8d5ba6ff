"""A text and a question are read the same way, whatever they are written in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.find.tokenize import _WORD_CACHE, MAX_TERM_CHARS, fold_text, tokenize


@pytest.mark.parametrize(
    ("text", "words", "names"),
    [
        ("Refreshing the TOKENS", "refresh the token", ""),
        ("refresh-token", "refresh token", "refresh-token"),
        ("refresh_token", "refresh token", "refresh_token"),
        ("C++, C# and node.js", "c c and node js", "c++ c# node.js"),
        ("HandleSave", "handl save", "handlesav"),
        ("HTTPServer2 parseJSON", "http server2 pars json", "httpserver2 parsejson"),
        ("src/auth/store", "src auth store", "src/auth/store"),
        ("`src/a.py`", "src a py", "src/a.py a.py"),
        ("src/store.go:42", "src store go 42", "src/store.go:42 src/store.go store.go"),
        ("`src/a.py:7#9f3a1c`", "src a py 7 9 f3 a1 c", "src/a.py:7#9f3a1c src/a.py a.py"),
        ("EXP-042", "exp 042", "exp-042"),
        ("driftwood/EXP-042", "driftwood exp 042", "driftwood/exp-042 exp-042"),
        ("Caroline's don't", "carolin s don t", ""),
        ("Straße STRASSE café cafe\u0301", "strass strass cafe cafe", ""),
        ("\ufb01ne \uff21\uff11", "fine a1", ""),
        ("向量检索", "向量 量检 检索 索", ""),
        ("索", "索", ""),
        ("用pytest测试", "用 pytest 测试 试", ""),
        ("검색 エージェント", "검색 색 エー ージ ジェ ェン ント ト", ""),
        ("🚀 x→y, ✅", "🚀 x y ✅", ""),
        ("`-xzf` (--draft, -Wall", "xzf draft wall", "-xzf --draft -wall"),
        ("-march=native a-b ---x - y", "march nativ a b x y", "-march a-b"),
        ("v1.2.3-rc1", "v1 2 3 rc1", "v1.2.3-rc1 1.2.3-rc1 1.2 1"),
        (
            "py:3.11.4-slim 0x80AB",
            "py 3 11 4 slim 0 x80 ab",
            "py:3.11.4-slim 3.11.4 3.11 0x80ab 80ab",
        ),
        ("", "", ""),
        ("--- *** ```", "", ""),
    ],
)
def test_each_text_gives_the_expected_tokens(text: str, words: str, names: str) -> None:
    assert tokenize(text) == (words, names)


@given(st.text(max_size=200))
def test_tokens_of_any_text_contain_no_query_syntax(text: str) -> None:
    for token in " ".join(tokenize(text)).split(" "):
        assert '"' not in token
        assert len(token) <= 2 * MAX_TERM_CHARS
        assert not token or token == fold_text(token)
        assert not any(letter.isspace() for letter in token)


@given(st.text(alphabet="abcXYZ09_-./ ", max_size=60))
def test_tokens_do_not_depend_on_the_cache_or_the_case(text: str) -> None:
    first = tokenize(text)
    _WORD_CACHE.clear()
    assert tokenize(text) == first
    words = " ".join(word for word in text.split() if word.isalpha())
    assert tokenize(words.upper()).words == tokenize(words.lower()).words


@given(st.text(max_size=50))
def test_folding_twice_is_folding_once(text: str) -> None:
    assert fold_text(fold_text(text)) == fold_text(text)


def test_a_word_of_a_megabyte_is_cut() -> None:
    long = tokenize("x" * 1_000_000 + " " + "a-" * 200_000)
    assert len(long.words.split()[0]) == MAX_TERM_CHARS
    assert long.names == ""


@pytest.mark.parametrize(
    ("text", "words", "names"),
    [("_ run", "run", "_"), ("run _ on a-b _", "run on a b", "_ a-b _"), ("_ _", "", "_ _")],
)
def test_a_string_with_a_name_and_no_words_adds_no_blank(text: str, words: str, names: str) -> None:
    assert tokenize(text) == (words, names)


@pytest.mark.parametrize(
    ("one", "other"),
    [("zählt", "zählen"), ("zählte", "zählst"), ("prüft", "prüfen"), ("passt", "passen")],
)
def test_forms_of_a_german_verb_have_one_stem(one: str, other: str) -> None:
    assert tokenize(one, "de").words == tokenize(other, "de").words


@pytest.mark.parametrize(("one", "other"), [("Nacht", "nach"), ("Sicht", "sich"), ("Welt", "Wel")])
def test_a_german_noun_is_no_function_word(one: str, other: str) -> None:
    assert tokenize(one, "de").words != tokenize(other, "de").words
