"""Matches by words and by similarity become one list, whatever the full-text index."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tree_strategies import NOW, open_session, write_tree

from cortexfs.catalog.content_queries import TextQueries

if TYPE_CHECKING:
    from tree_strategies import Files

pytestmark = pytest.mark.usefixtures("full_text")
ENGLISH: Files = {
    "projects/flywheel/knowledge/K-001.md": b"---\nid: K-001\n---\nThe connection to the"
    b" database is closed at night, because of the proxy.\n",
    "projects/flywheel/knowledge/K-002.md": b"---\nid: K-002\n---\nThe queue is read by a"
    b" service that has a connection of its own, and is not closed at once.\n",
}
GERMAN: Files = {
    "projects/flywheel/knowledge/K-001.md": "---\nid: K-001\n---\nDie Verbindung zur Datenbank"
    " bricht nachts ab, weil der Proxy sie schließt.\n".encode(),
    "projects/flywheel/knowledge/K-002.md": b"---\nid: K-002\n---\nDie Warteschlange wird von"
    b" einem Dienst gelesen, der eine eigene Verbindung hat und nicht wartet.\n",
}


def _find(files: Files, typed: str, similar: str) -> dict[str, tuple[float, float]]:
    """Return the scores and the scores by words, if one atom is similar to the query."""
    with write_tree({"CORTEX.md": b"# Tree\n", **files}) as root, open_session(root) as session:
        session.refresh()
        session.ingest_texts()
        rows = session.catalog.db.execute("SELECT ref, content FROM texts").fetchall()
        cosines = {key: 0.8 if ref == f"flywheel/{similar}" else 0.1 for ref, key in rows}
        queries = TextQueries(session.catalog, session.tree)
        query = queries.parse_query(typed, NOW.date(), with_pages=False)
        hits = queries.search_atoms(query, NOW.date(), 10, lambda: cosines)
        return {hit.atom.ref: hit.fused[:2] for hit in hits if hit.fused}


def test_similarity_counts_half() -> None:
    found = _find(ENGLISH, "the connection to the database", "K-002")
    score, words = found["flywheel/K-001"]
    assert score == pytest.approx(0.5 * words + 0.5 * 0.1)


def test_similarity_counts_less_in_a_language_that_the_model_does_not_know() -> None:
    found = _find(GERMAN, "die Verbindung zur Datenbank", "K-002")
    score, words = found["flywheel/K-001"]
    assert score == pytest.approx(0.6 * words + 0.4 * 0.1)


def test_the_matches_tell_the_language_of_a_query_of_one_word() -> None:
    score, words = _find(GERMAN, "Datenbank", "K-002")["flywheel/K-001"]
    assert score == pytest.approx(0.6 * words + 0.4 * 0.1)


def test_words_are_searched_while_a_thread_embeds_the_query() -> None:
    ran: list[str] = []
    with write_tree({"CORTEX.md": b"# Tree\n", **ENGLISH}) as root, open_session(root) as session:
        session.refresh()
        session.ingest_texts()
        queries = TextQueries(session.catalog, session.tree)
        query = queries.parse_query("connection", NOW.date(), with_pages=False)
        session.catalog.db.set_trace_callback(ran.append)

        def compute_cosines() -> dict[str, float]:
            ran.append("cosines")
            return {}

        assert len(queries.search_atoms(query, NOW.date(), 10, compute_cosines)) == 2
    assert ran.index("cosines") > 0
    assert ran.count("cosines") == 1
