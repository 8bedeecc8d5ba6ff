"""The terms of an index are those of its texts, also after changes, in both engines."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tree_strategies import open_session, write_file, write_tree

from cortexfs.catalog.query_vocabulary import open_vocabulary
from cortexfs.core.find.tokenize import tokenize

pytestmark = pytest.mark.usefixtures("full_text")
PATHS = [f"projects/flywheel/knowledge/K-00{number}.md" for number in range(1, 6)]
WORDS = ("alpha", "alpine", "alphabet", "beta", "refresh_token", "src/auth.py", "Gamma", "量检索")
PREFIXES = ("al", "alp", "alpha", "refresh", "src/", "zz", "量")
CANDIDATES = [
    f"alp{letter}{end}" for letter in "abcdefghijk" for end in ("", "a", "in", "hab", "x")
]
CANDIDATES += ["alpha", "alphabet", "beta", "gamma", "zzzz", "", 'a"b', "refresh_token", "量检"]
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
            session.refresh()
            session.ingest_texts()
        counts = Counter(term for body in {**texts, **later}.values() for term in _terms(body))
        vocabulary = open_vocabulary(session.catalog, with_pages=False)
        assert vocabulary.find_terms(CANDIDATES) == counts.keys() & set(CANDIDATES)
        for prefix in PREFIXES:
            expected = {term: n for term, n in counts.items() if term.startswith(prefix)}
            found = vocabulary.complete_term(prefix, 10)
            counted = vocabulary.count_terms(found)
            assert {term: n for term, n in counted.items() if n} == expected


def test_the_terms_of_most_atoms_complete_a_beginning_first() -> None:
    bodies = ("alpine alphabet", "alpine alphabet", "alpine", "alpha beta")
    files = {path: _write(body) for path, body in zip(PATHS, bodies, strict=False)}
    with write_tree({"CORTEX.md": b"# Tree\n", **files}) as root, open_session(root) as session:
        session.refresh()
        session.ingest_texts()
        found = open_vocabulary(session.catalog, with_pages=False).complete_term("alp", 2)
        assert found == ["alpin", "alphabet"]
