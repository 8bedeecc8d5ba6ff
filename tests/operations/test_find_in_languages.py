"""Texts in many languages are found by other forms of their words, and English ones as before."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from soak_cases import leave_rows_to_soak
from tree_strategies import open_session, write_file, write_tree

from cortexfs.operations.find import find

if TYPE_CHECKING:
    from pathlib import Path

    from cortexfs.operations.find import FindResult, SearchHit
    from cortexfs.session.session import Session

pytestmark = pytest.mark.usefixtures("full_text")
FOLDER = "projects/flywheel/knowledge"
TEXTS = {
    "de": "Die alten Häuser werden nach der Prüfung durch einen Verwalter wieder geöffnet.",
    "nl": "De oude huizen worden na de controle door een beheerder weer geopend.",
    "sv": "De gamla husen öppnas efter kontrollen av en förvaltare och är inte låsta.",
    "da": "De gamle huse bliver åbnet efter kontrollen, og de er ikke låst af nogen.",
    "no": "De gamle husene blir åpnet etter kontrollen, og de er ikke låst av noen.",
    "es": "Las casas antiguas se abren después de la revisión por un administrador.",
    "fr": "Les vieilles maisons sont ouvertes après la vérification par un gérant.",
    "it": "Le vecchie case vengono riaperte dopo la verifica di un amministratore.",
    "pt": "As casas velhas são abertas depois da verificação por um administrador.",
    "ru": "Старые дома открываются после проверки.",
    "en": "The old houses are opened after they were checked by an administrator.",
    "zh": "旧房子在检查后重新开放。",
    "ja": "古い家は検査の後に再び開かれます。",
    "th": "บ้านเก่าเปิดอีกครั้งหลังจากการตรวจสอบ",
    "ko": "오래된 집은 점검 후 다시 열립니다.",
}


def _write(root: Path, name: str, text: str, summary: str = "") -> None:
    head = f"---\nid: {name}\nproject: flywheel\nsummary: {summary!r}\nstatus: valid\n---\n\n"
    write_file(root, f"{FOLDER}/{name}.md", f"{head}{text}\n".encode())


def _write_all(root: Path, *codes: str) -> None:
    for number, (code, text) in enumerate(TEXTS.items(), start=1):
        if code in {*codes, "de", "es", "en", "zh", "ja", "th", "ko"}:
            _write(root, f"K-{number:03d}", text)


def _ask(session: Session, query: str) -> FindResult:
    return find(session, query, with_pages=False, full_text_only=True)


def _name(hit: SearchHit) -> str:
    return hit.match.atom.path.rpartition("/")[2].removesuffix(".md")


def _list_marked(hit: SearchHit) -> list[str]:
    return [hit.snippet.text[start:end] for start, end in hit.snippet.marks]


@pytest.mark.parametrize(
    ("code", "query", "marked"),
    leave_rows_to_soak(
        [
            ("de", "Haus", "Häuser"),
            ("de", "haeuser", "Häuser"),
            ("de", "HAEUSERN", "Häuser"),
            ("de", "Prüfungen", "Prüfung"),
            ("de", "pruefung", "Prüfung"),
            ("nl", "beheerders", "beheerder"),
            ("sv", "förvaltarens", "förvaltare"),
            ("da", "åbner", "åbnet"),
            ("no", "åpner", "åpnet"),
            ("es", "administradores", "administrador"),
            ("es", "antiguo", "antiguas"),
            ("fr", "gérants", "gérant"),
            ("fr", "vérifications", "vérification"),
            ("it", "amministratori", "amministratore"),
            ("pt", "verificações", "verificação"),
            ("ru", "проверка", "проверки"),
            ("ru", "дом", "дома"),
            ("en", "house", "houses"),
            ("zh", "房子", "房子"),
            ("ja", "検査", "検査"),
            ("th", "ตรวจ", "ตร"),
            ("ko", "점검", "점검"),
        ],
        every=4,
    ),
)
def test_a_word_in_another_form_finds_its_text_among_all(
    code: str, query: str, marked: str
) -> None:
    with write_tree({"CORTEX.md": b"# Tree\n"}) as root, open_session(root) as session:
        _write_all(root, code, "ru")
        result = _ask(session, query)
        assert _name(result.hits[0]) == f"K-{list(TEXTS).index(code) + 1:03d}"
        assert _list_marked(result.hits[0])[0] == marked
        assert result.searched == query


def test_an_english_query_is_answered_the_same_beside_other_languages() -> None:
    english = {
        "K-001": "The cache of the server is cleared after each deployment, and then filled.",
        "K-002": "Server deployments are blocked while the database is locked by a migration.",
        "K-003": "A locked database blocks the base image; data is written to the other base.",
    }
    german = "Die Server der Datenbank sind nicht im Cache, und die Basis wird nie gesperrt."
    queries = ("locked database", "cleared caches", "server deployment", "base", "migrations")
    with write_tree({"CORTEX.md": b"# Tree\n"}) as root, open_session(root) as session:
        for name, text in english.items():
            _write(root, name, text)
        before = {query: [_name(hit) for hit in _ask(session, query).hits] for query in queries}
        _write(root, "K-004", german)
        for query in queries:
            found = [_name(hit) for hit in _ask(session, query).hits]
            assert [name for name in found if name in english] == before[query]
            assert found[0] in english


def test_compounds_and_their_parts_find_each_other() -> None:
    with write_tree({"CORTEX.md": b"# Tree\n"}) as root, open_session(root) as session:
        _write(root, "K-001", "Die Verbindung zur Datenbank wird nicht mehr geschlossen.")
        _write(root, "K-002", "Das Netz ist nach dem Umbau im dritten Stock nicht mehr da.")
        hits = _ask(session, "Datenbankverbindungen").hits
        assert [_name(hit) for hit in hits] == ["K-001"]
        assert _list_marked(hits[0]) == ["Verbindung", "Datenbank"]
        _write(root, "K-003", "Eine Netzwerkverbindung ist nicht immer da, und sie wird langsam.")
        hits = _ask(session, "Verbindung").hits
        assert [_name(hit) for hit in hits] == ["K-001", "K-003"]
        assert _list_marked(hits[1]) == ["Netzwerkverbindung"]


def test_an_exclusion_and_a_phrase_hold_in_each_language() -> None:
    with write_tree({"CORTEX.md": b"# Tree\n"}) as root, open_session(root) as session:
        _write_all(root)
        assert [_name(hit) for hit in _ask(session, '"alte Häuser"').hits] == ["K-001"]
        assert [_name(hit) for hit in _ask(session, "Prüfung -haus").hits] == []


def test_an_identifier_in_a_text_of_any_language_is_found_as_typed() -> None:
    with write_tree({"CORTEX.md": b"# Tree\n"}) as root, open_session(root) as session:
        _write(root, "K-001", "Die Funktion handleVerbindungen steht in src/netz/haeuser.py und")
        _write(root, "K-002", "Die Funktion handleVerbindung steht in src/netz/haus.py und")
        for query, name in (
            ("handleVerbindungen", "K-001"),
            ("handleVerbindung", "K-002"),
            ("src/netz/haeuser.py", "K-001"),
            ("haus.py", "K-002"),
        ):
            assert _name(_ask(session, query).hits[0]) == name


def test_a_page_in_another_language_is_found_too() -> None:
    files = {"CORTEX.md": b"# Tree\n", "notizen.md": f"# Notizen\n\n{TEXTS['de']}\n".encode()}
    with write_tree(files) as root, open_session(root) as session:
        result = find(session, "Haus", full_text_only=True)
        assert [page.match.path for page in result.pages] == ["notizen.md"]
