"""A query is read in the languages of the tree, as they are now."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest
from tree_strategies import NOW, open_session, write_file, write_tree

from cortexfs.catalog.content_queries import TextQueries
from cortexfs.catalog.query_languages import MAX_COMPOUNDS, MAX_LANGUAGES, list_languages

if TYPE_CHECKING:
    from pathlib import Path

    from cortexfs.core.find.parse_query import Query
    from cortexfs.session.session import Session

pytestmark = pytest.mark.usefixtures("full_text")
FOLDER = "projects/flywheel/knowledge"


def _write(root: Path, number: int, text: str, language: str = "de") -> None:
    head = f"---\nid: K-{number:03d}\nproject: flywheel\nsummary: \nlang: {language}\n---\n\n"
    write_file(root, f"{FOLDER}/K-{number:03d}.md", f"{head}{text}\n".encode())


def _parse(session: Session, typed: str) -> Query:
    session.refresh()
    session.ingest_texts()
    queries = TextQueries(session.catalog, session.tree)
    return queries.parse_query(typed, NOW.date(), with_pages=False)


def test_languages_come_and_go_with_their_texts() -> None:
    with write_tree({"CORTEX.md": b"# Tree\n"}) as root, open_session(root) as session:
        _write(root, 1, "Alle Verbindungen", "de")
        assert _parse(session, "Verbindungen").variants == {"verbindungen": ("verbind",)}
        _write(root, 1, "Alle Verbindungen", "en")
        _write(root, 2, "De verbindingen", "nl")
        assert _parse(session, "Verbindungen").variants == {}
        assert _parse(session, "verbindingen").languages == ("nl",)
        (root / FOLDER / "K-002.md").unlink()
        assert _parse(session, "verbindingen").languages == ()


def test_the_most_frequent_languages_are_chosen() -> None:
    codes = ["de", "es", "fr", "it", "nl", "pt", "sv", "ru"]
    assert len(codes) > MAX_LANGUAGES
    with write_tree({"CORTEX.md": b"# Tree\n"}) as root, open_session(root) as session:
        for number, code in enumerate([*codes, *codes[2:], "en", "xx"], start=1):
            _write(root, number, "x", code)
        _parse(session, "x")
        assert sorted(list_languages(session.catalog.db)) == sorted(codes[2:])


def test_a_form_that_no_text_has_is_not_searched() -> None:
    with write_tree({"CORTEX.md": b"# Tree\n"}) as root, open_session(root) as session:
        _write(root, 1, "Nichts")
        assert _parse(session, '"alte Häuser" Verbindungen').variants == {}


def test_parts_of_a_compound_are_searched_where_texts_have_them() -> None:
    with write_tree({"CORTEX.md": b"# Tree\n"}) as root, open_session(root) as session:
        _write(root, 1, "Die Verbindung zur Datenbank")
        _write(root, 2, "a database, its data and the base", "en")
        assert _parse(session, "Datenbankverbindung").terms[1:] == ("datenbank", "verbind")
        assert _parse(session, "Datenbankverlust").terms == ("datenbankverlust", "datenbank")
        assert _parse(session, "database").terms == ("databas",)  # only in English
        assert _parse(session, '"Datenbankverbindung zur"').terms == ()


def test_a_word_finds_compounds_and_only_a_few_of_them() -> None:
    with write_tree({"CORTEX.md": b"# Tree\n"}) as root, open_session(root) as session:
        _write(root, 1, "Datenbankverbindung Textverbindung verbindlich Fahrplan Umbau Bau")
        assert _parse(session, "Verbindung").variants == {
            "verbindung": ("verbind", "datenbankverbind", "textverbind")
        }
        assert "fahrplan" not in _parse(session, "Plan").all_forms  # no text has "Fahr"
        assert "umbau" not in _parse(session, "Bau").all_forms
        _write(root, 2, " ".join(f"Datei{'abcdefghijklmnopqrstuv'[n]}stelle" for n in range(22)))
        assert 0 < len(_parse(session, "Datei").variants["datei"]) <= MAX_COMPOUNDS


def test_many_words_and_many_compounds_take_little_time() -> None:
    letters = "abcdefghijklmnopqrst"
    words = [f"Verbindung{a}{b}stelle" for a in letters for b in letters]
    with write_tree({"CORTEX.md": b"# Tree\n"}) as root, open_session(root) as session:
        for number, code in enumerate(("de", "nl", "sv", "da", "no"), start=1):
            _write(root, number, " ".join(words), code)
        _parse(session, "x")
        begin = time.process_time()
        query = _parse(session, " ".join(f"Verbindung{'x' * n} Verbindung" for n in range(200)))
        assert time.process_time() - begin < 2
        assert len(query.all_forms) < 300


def test_a_word_in_a_language_of_the_tree_is_not_corrected() -> None:
    with write_tree({"CORTEX.md": b"# Tree\n"}) as root, open_session(root) as session:
        _write(root, 1, "Das Zertifikat und die Kennung, preise")
        _parse(session, "x")
        queries, today = TextQueries(session.catalog, session.tree), NOW.date()
        for right in ("Zertifikate", "Kennungen", "wann", "Preis"):
            found = queries.parse_corrected_query(right, today, with_pages=False)
            assert (found.text, found.corrections) == (right, ())
        found = queries.parse_corrected_query("Zertifkat", today, with_pages=False)
        assert found.text == "zertifikat"
