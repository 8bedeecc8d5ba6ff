"""The terms of an index are those of its texts, also after changes, in both engines."""

from __future__ import annotations

from collections import Counter
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tree_strategies import open_session, write_file, write_tree

from cortexfs.catalog.query_vocabulary import open_vocabulary
from cortexfs.core.find.tokenize import tokenize
from cortexfs.session.view import NeededContents

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from cortexfs.core.find.correct_terms import Vocabulary
    from cortexfs.session.session import Session

pytestmark = pytest.mark.usefixtures("full_text")
PATHS = [f"projects/flywheel/knowledge/K-00{number}.md" for number in range(1, 6)]
WORDS = ("alpha", "alpine", "alphabet", "beta", "refresh_token", "src/auth.py", "Gamma", "量检索")
PREFIXES = ("al", "alp", "alpha", "refresh", "src/", "zz", "量")
CANDIDATES = [
    f"alp{letter}{end}" for letter in "abcdefghijk" for end in ("", "a", "in", "hab", "x")
]
CANDIDATES += ["beta", "gamma", "zzzz", "", 'a"b', "refresh_token", "量检", "alpah"]
bodies = st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join)
atoms = st.dictionaries(st.sampled_from(PATHS), bodies, min_size=1)


def _write(body: str) -> bytes:
    return f"---\nid: x\nsummary: ''\n---\n{body}\n".encode()


def _terms(body: str) -> set[str]:
    return set(" ".join(tokenize(f"x {body}")).split())


@settings(max_examples=settings().max_examples // 2)
@given(atoms, st.dictionaries(st.sampled_from(PATHS), bodies))
def test_the_vocabulary_is_that_of_the_present_texts(
    texts: dict[str, str], later: dict[str, str]
) -> None:
    with write_tree({"CORTEX.md": b"# Tree\n"}) as root, open_session(root) as session:
        for change in (texts, later):
            for path, body in change.items():
                write_file(root, path, _write(body))
            _ingest(session)
        counts = Counter(term for body in {**texts, **later}.values() for term in _terms(body))
        vocabulary = open_vocabulary(session.catalog, with_pages=False)
        assert vocabulary.find_terms(CANDIDATES) == counts.keys() & set(CANDIDATES)
        counted = vocabulary.count_candidates(CANDIDATES, len(CANDIDATES))
        assert list(counted) == [term for term in CANDIDATES if term in counts]
        assert all(counted[term] >= counts[term] for term in counted)  # or of deleted texts
        for prefix in PREFIXES:
            expected = {term for term in counts if term.startswith(prefix)}
            listed = vocabulary.list_terms(prefix, 100)
            assert vocabulary.count_candidates(listed, 100).keys() == expected
            assert listed == sorted(listed, key=lambda term: (len(term), term))


def test_the_shortest_terms_complete_a_beginning_first() -> None:
    bodies = ("alpine alphabet", "alpine alphabet", "alpine", "alpha beta")
    with _open(bodies) as vocabulary:
        assert vocabulary.list_terms("alp", 2) == ["alpha", "alpin"]
        assert vocabulary.count_candidates(["alphabet", "zzz", "alpin", "alpha"], 2) == {
            "alphabet": 2,
            "alpin": 3,
        }


def test_a_term_of_deleted_texts_is_not_known() -> None:
    with write_tree({"CORTEX.md": b"# Tree\n"}) as root, open_session(root) as session:
        write_file(root, PATHS[0], _write("alpine beta"))
        write_file(root, "projects/flywheel/notes.md", b"# Notes\n\ngamma\n")
        _ingest(session)
        vocabulary = open_vocabulary(session.catalog, with_pages=True)
        assert vocabulary.find_terms(["alpin", "beta", "gamma"]) == {"alpin", "beta", "gamma"}
        write_file(root, PATHS[0], _write("beta"))
        (root / "projects/flywheel/notes.md").unlink()
        _ingest(session)
        vocabulary = open_vocabulary(session.catalog, with_pages=True)
        assert vocabulary.find_terms(["alpin", "beta", "gamma"]) == {"beta"}
        assert vocabulary.count_candidates(["alpin", "beta", "gamma"], 9).keys() == {"beta"}


def test_the_terms_of_pages_count_beside_those_of_atoms() -> None:
    pages = {"projects/flywheel/notes.md": b"# Notes\n\nalpine gamma\n"}
    with _open(("alpine beta",), pages, with_pages=True) as vocabulary:
        assert vocabulary.find_terms(["gamma", "beta", "zzz"]) == {"gamma", "beta"}
        counted = vocabulary.count_candidates(["zzz", "gamma", "alpin", "beta"], 2)
        assert counted == {"gamma": 1, "alpin": 2}
        assert vocabulary.list_terms("al", 5) == ["alpin"]
    with _open(("alpine beta",), pages) as vocabulary:
        assert vocabulary.find_terms(["gamma"]) == set()


@contextmanager
def _open(
    bodies: Sequence[str], pages: Mapping[str, bytes] | None = None, *, with_pages: bool = False
) -> Iterator[Vocabulary]:
    files = {path: _write(body) for path, body in zip(PATHS, bodies, strict=False)}
    every = {"CORTEX.md": b"# Tree\n", **files, **(pages or {})}
    with write_tree(every) as root, open_session(root) as session:
        _ingest(session)
        yield open_vocabulary(session.catalog, with_pages=with_pages)


def _ingest(session: Session) -> None:
    with session.read(NeededContents.TEXTS | NeededContents.PAGES):
        pass
