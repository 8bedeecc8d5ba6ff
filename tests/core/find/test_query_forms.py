"""A query has the forms that its words have in texts of other languages."""

from __future__ import annotations

from datetime import date

import pytest

from cortexfs.core.find.language_profiles import LANGUAGES, SCRIPTS
from cortexfs.core.find.parse_query import parse_query
from cortexfs.core.find.query_forms import (
    detect_query_language,
    drop_single_letters,
    list_variants,
    load_function_words,
)
from cortexfs.core.find.tokenize import tokenize

TODAY = date(2026, 5, 6)


@pytest.mark.parametrize(
    ("text", "languages", "variants"),
    [
        ("port disk", ["de", "es"], {}),
        ("connection", ["de"], {"connect": ("connection",)}),
        ("Verbindungen", ["de"], {"verbindungen": ("verbind",)}),
        ("Häuser", ["de"], {"hauser": ("haus",)}),
        ("haeuser", ["de"], {"haeuser": ("haus",)}),
        ("rápidamente", ["es", "pt"], {"rapidament": ("rapid",)}),
        ("handleSave src/store.go EXP-042", ["de"], {"save": ("sav",), "store": ("stor",)}),
        ("向量 검색", ["de", "zh"], {}),
        ("соединения", ["ru"], {"соединения": ("соединен",)}),
    ],
)
def test_each_term_has_its_forms(
    text: str, languages: list[str], variants: dict[str, tuple[str, ...]]
) -> None:
    found = list_variants([text], languages)
    assert {key: own for key, own in found.items() if " " not in key} == variants


def test_a_phrase_has_its_forms_as_a_whole() -> None:
    query = parse_query('"offene Verbindungen" -"alte Häuser"', TODAY, ["de"])
    assert query.phrases == (("offen", "verbindungen"),)
    assert query.list_forms(*query.phrases[0]) == ("offen verbindungen", "off verbind")
    assert query.list_forms(*query.excluded[0]) == ("alt hauser", "alt haus")
    assert "verbind" in query.all_forms


def test_an_identifier_has_one_form_in_each_language() -> None:
    name = "handleVerbindungen src/verbindungen/haeuser.py refresh-tokens"
    names = set(tokenize(name).names.split())
    for language in (*LANGUAGES, *SCRIPTS):
        assert names <= set(tokenize(name, language).names.split())
        assert names.isdisjoint(list_variants([name], [language]))


def test_function_words_of_the_query_language_say_nothing() -> None:
    query = parse_query("Wo wird die Verbindung zur Datenbank geschlossen?", TODAY, ["de"])
    assert query.language == "de"
    assert query.terms == ("verbindung", "datenbank", "geschlossen")
    assert load_function_words("") == load_function_words("zh") == frozenset()


def test_an_english_query_keeps_words_that_another_language_also_has() -> None:
    query = parse_query("when did the server die", TODAY, ["de"])
    assert query.language == "en"
    assert query.terms == ("server", "die")


def test_the_language_of_a_query_is_one_of_the_tree() -> None:
    assert detect_query_language(["wo ist", "die Datenbank"], ["de"]) == "de"
    assert detect_query_language(["wo ist die Datenbank"], []) == ""
    assert detect_query_language(["数据库在哪里"], []) == "zh"


def test_pairs_of_letters_have_no_single_letter_after_them() -> None:
    words = tokenize("向量检索 x 索").words
    assert drop_single_letters(words) == ["向量", "量检", "检索", "x", "索"]
