"""Compounds are split where their parts are known, and other words stay whole."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.find.compounds import (
    MAX_PARTS,
    MAX_WORD,
    choose_first_part,
    choose_parts,
    list_long_words,
    list_splits,
    may_begin_with,
    may_end_with,
)
from cortexfs.core.find.language_profiles import COMPOUNDING
from cortexfs.core.find.tokenize import fold_text, tokenize


def _stem_all(words: str, language: str) -> set[str]:
    return set(tokenize(words, language).words.split())


@pytest.mark.parametrize(
    ("language", "word", "texts", "parts"),
    [
        ("de", "Datenbankverbindung", "Datenbank Verbindung", "datenbank verbind"),
        ("de", "Verbindungsaufbau", "Verbindung Aufbau", "verbind aufbau"),
        ("de", "Häuserliste", "Häuser Liste", "haus list"),
        ("de", "Straßenname", "Straße Namen", "strass nam"),
        ("de", "Schnittstellenänderungen", "Schnittstelle Änderung", "schnittstell ander"),
        ("de", "Datenbankverbindungsaufbau", "Daten Bank Verbindung", ""),
        ("de", "Testdatenbankverbindung", "Test Datenbank Verbindung", "test datenbank verbind"),
        ("de", "unterbrechen", "unter brechen", ""),
        ("de", "Verbindung", "Bindung ver", ""),
        ("nl", "databaseverbinding", "database verbinding", "databas verbind"),
        ("nl", "verbindingsfout", "verbinding fout", "verbind fout"),
        ("sv", "databasanslutning", "databas anslutning", "datab anslutning"),
        ("da", "fejlbesked", "fejl besked", "fejl besked"),
        ("no", "feilmelding", "feil melding", "feil melding"),
    ],
)
def test_a_compound_has_the_parts_that_texts_have(
    language: str, word: str, texts: str, parts: str
) -> None:
    known = _stem_all(texts, language)
    assert " ".join(choose_parts(fold_text(word), language, known)) == parts


def test_without_all_parts_a_word_stays_whole() -> None:
    assert choose_parts("datenbankverbindung", "de", {"datenbank"}) == ()
    assert choose_parts("datenbank", "de", {"datenbank", "verbind"}) == ()
    assert choose_parts("haus", "de", {"hau", "s"}) == ()


def test_the_longest_known_first_part_may_be_enough() -> None:
    assert choose_first_part("rechnungsversand", "de", {"rechn", "rechnung"}) == ("rechnung",)
    assert choose_first_part("rechnungsversand", "de", {"versand", "rech"}) == ()
    assert choose_first_part("unterbrechen", "de", {"unt", "unter"}) == ()


def test_a_known_other_part_makes_a_word_a_compound() -> None:
    assert may_end_with("datenbankverbind", "verbind", "de") == ()
    assert may_end_with("fahrplan", "plan", "de") == ("fahr",)
    assert may_end_with("verbind", "bind", "de") is None
    assert may_end_with("umbau", "bau", "de") is None
    assert may_begin_with("datenbankverbind", "datenbank", "datenbank") == ()
    assert may_begin_with("hausbau", "haus", "haus") == ("bau",)
    assert may_begin_with("verbindungsweg", "verbindungen", "verbind") == ("ungsweg",)
    assert may_begin_with("hausen", "haus", "haus") is None


def test_only_long_words_of_some_languages_may_be_compounds() -> None:
    text = "Die Datenbankverbindung zur Datenbank `tcp_keepalives_idle` 12345678 " + "x" * 99
    assert list_long_words(text, "de") == ["datenbank", "datenbankverbind", "keepaliv"]
    assert list_long_words(text, "en") == list_long_words(text, "") == []


@given(st.sampled_from(sorted(COMPOUNDING)), st.text(alphabet="aenrstdä", max_size=MAX_WORD + 5))
def test_parts_of_any_word_are_few_and_known(language: str, word: str) -> None:
    folded = fold_text(word)
    splits = list_splits(folded, language)
    assert len(splits) <= 8 * MAX_WORD
    known = {term for each in splits for term in (each.head_stem, each.tail_stem)}
    parts = choose_parts(folded, language, known)
    assert len(parts) <= MAX_PARTS
    assert known.issuperset(parts)
