"""Counts of terms are kept while the catalog does not change, and change no score."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tree_strategies import NOW, open_session, write_file, write_tree

from cortexfs.catalog.full_text_backend import open_full_text
from cortexfs.catalog.known_counts import KnownCounts
from cortexfs.catalog.score_candidates import score_documents
from cortexfs.core.find.parse_query import parse_query

if TYPE_CHECKING:
    from tree_strategies import Files

    from cortexfs.session.session import Session

QUERIES = ("alpha", "alpha beta", "beta gam*", '"beta gamma"', "alpha delta", "gamma alpha")


def _path(number: int) -> str:
    return f"projects/flywheel/knowledge/K-{number:03d}.md"


def _write_atom(number: int) -> bytes:
    words = ["alpha"] * (number % 3) + ["beta gamma"] * (number % 4) + ["delta"] * (number == 7)
    front = f"id: K-{number:03d}\nsummary: text {number}"
    return f"---\n{front}\n---\n\n{' filler '.join(words)}\n".encode()


FILES: Files = {"CORTEX.md": b"# Tree\n", **{_path(n): _write_atom(n) for n in range(1, 21)}}


def _update(session: Session) -> None:
    session.refresh()
    session.ingest_texts()


def _score(session: Session, query: str) -> dict[int, float]:
    index, parsed = open_full_text(session.catalog), parse_query(query, NOW.date())
    docs = [doc for (doc,) in session.catalog.db.execute("SELECT doc FROM texts")]
    return score_documents(session.catalog, index, parsed, docs)


@pytest.mark.usefixtures("full_text")
def test_known_counts_give_the_same_scores() -> None:
    with write_tree(FILES) as root, open_session(root) as session:
        _update(session)
        first = [_score(session, query) for query in QUERIES]
        assert [_score(session, query) for query in reversed(QUERIES)] == first[::-1]
        for query, scores in zip(QUERIES, first, strict=True):
            session.catalog.known_counts = None
            assert _score(session, query) == scores


@pytest.mark.usefixtures("full_text")
def test_texts_with_known_counts_are_not_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    with write_tree(FILES) as root, open_session(root) as session:
        _update(session)
        before = _score(session, "alpha beta")
        index = type(open_full_text(session.catalog))
        monkeypatch.setattr(index, "read_weighted_texts", None)  # to call it would be an error
        assert _score(session, "beta alpha") == pytest.approx(before)


@pytest.mark.usefixtures("full_text")
def test_counts_follow_changes_of_texts() -> None:
    with write_tree(FILES) as root, open_session(root) as session:
        _update(session)
        before = _score(session, "alpha")
        write_file(root, _path(3), _write_atom(4))
        _update(session)
        after = _score(session, "alpha")
        assert sum(map(bool, after.values())) == sum(map(bool, before.values())) + 1


@pytest.mark.usefixtures("full_text")
def test_the_number_of_known_counts_is_limited() -> None:
    with write_tree(FILES) as root, open_session(root) as session:
        _update(session)
        known = session.catalog.known_counts = KnownCounts(session.catalog.db, max_counts=50)
        for word in ("alpha", "beta", "gamma", "delta", "filler", "text"):
            assert _score(session, word)
            assert sum(map(len, known.counts.columns.values())) <= 50 + len(FILES)
