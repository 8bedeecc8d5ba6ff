"""The best matches are scored again: with current figures, and the same by each engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tree_strategies import NOW, open_session, write_file, write_tree

from cortexfs.catalog import score_candidates as scoring
from cortexfs.catalog.full_text_backend import LARGE_TREE_VARIABLE, open_full_text
from cortexfs.catalog.score_candidates import score_with_context
from cortexfs.core.find.parse_query import parse_query

if TYPE_CHECKING:
    from pathlib import Path

    from tree_strategies import Files

    from cortexfs.catalog.score_candidates import Hits
    from cortexfs.session.session import Session

WORDS = ("alpha", "beta", "gamma", "handleSave", "src/auth/store.go", "量检", "Straße", "sea-eagle")
QUERIES = ("alpha", "alpha beta", "gam*", '"beta gamma"', "量", "handleSave store.go", "strasse")


def _write_atom(number: int, *extra: str) -> bytes:
    """Return an atom with some of the words, more or less often."""
    chosen = [word for at, word in enumerate(WORDS) for _ in range(number % (at + 2))]
    body = " ".join([*chosen, *extra, *["filler"] * (number % 7)])
    title = f"about {WORDS[number % len(WORDS)]}"
    front = f"id: K-{number:03d}\nsummary: {title}\ntags: [{WORDS[number % 3]}]"
    return f"---\n{front}\n---\n\n## {WORDS[number % 5]}\n\n{body}\n".encode()


def _path(number: int) -> str:
    return f"projects/flywheel/knowledge/K-{number:03d}.md"


FILES: Files = {"CORTEX.md": b"# Tree\n", **{_path(n): _write_atom(n) for n in range(1, 41)}}


def _search(session: Session, query: str, limit: int = 100) -> Hits:
    session.refresh()
    session.ingest_texts()
    index, parsed = open_full_text(session.catalog), parse_query(query, NOW.date())
    return score_with_context(session.catalog, index, parsed, index.search(parsed, limit))[0]


def _score_all(root: Path) -> dict[str, dict[int, float]]:
    with open_session(root) as session:
        return {query: dict(_search(session, query)) for query in QUERIES}


def test_both_engines_give_an_atom_the_same_score(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = []
    for large_from in ("0", "1000"):
        monkeypatch.setenv(LARGE_TREE_VARIABLE, large_from)
        with write_tree(FILES) as root:
            answers.append(_score_all(root))
    assert all(answers[0].values())
    for query in QUERIES:
        assert answers[0][query] == pytest.approx(answers[1][query])


@pytest.mark.usefixtures("full_text")
def test_figures_of_the_whole_tree_follow_its_changes() -> None:
    with write_tree(FILES) as root, open_session(root) as session:
        (before, *_), doc = _search(session, "alpha"), _search(session, "sea-eagle")[0][0]
        assert before[0]
        rare = dict(_search(session, "sea-eagle"))[doc]
        for number in range(41, 61):
            write_file(root, _path(number), _write_atom(number, "sea-eagle"))
        assert dict(_search(session, "sea-eagle"))[doc] < rare


@pytest.mark.usefixtures("full_text")
def test_matches_that_are_not_scored_again_follow_in_their_order(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with write_tree(FILES) as root, open_session(root) as session:
        every = _search(session, "alpha beta")
        monkeypatch.setattr(scoring, "MAX_SCORED", 5)
        hits = _search(session, "alpha beta")
        scores = [score for _, score in hits]
        assert {doc for doc, _ in hits} == {doc for doc, _ in every}
        assert scores == sorted(scores, reverse=True)
        assert min(scores) > 0


@pytest.mark.usefixtures("full_text")
def test_the_best_matches_are_scored_first_if_there_is_too_much_to_compare(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    best = b"---\nid: K-041\nsummary: beta gamma alpha beta gamma alpha\n---\nalpha beta gamma\n"
    with write_tree({**FILES, _path(41): best}) as root, open_session(root) as session:
        monkeypatch.setattr("cortexfs.core.find.count_terms.MAX_COMPARISONS", 1)
        hits = _search(session, "alpha beta gamma")
        (path,) = session.catalog.db.execute(
            "SELECT path FROM texts WHERE doc = ?", (hits[0][0],)
        ).fetchone()
        assert path == _path(41)
