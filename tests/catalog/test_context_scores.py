"""What surrounds a match is looked up in the catalog: sessions, only links, numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tree_strategies import NOW, open_session, write_file, write_tree

from cortexfs.catalog import known_surroundings
from cortexfs.catalog.content_queries import TextQueries
from cortexfs.catalog.context_scores import find_context_scores
from cortexfs.catalog.known_surroundings import KnownSurroundings
from cortexfs.core.find.atom_filter import AtomFilter

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Mapping

    from tree_strategies import Files

    from cortexfs.session.session import Session

SHARED, PERSONAL = "projects/flywheel/observations", "user/observations"
OTHERS = 60
"""Number of observations about something else: a match is rare."""
SPREAD = 100
"""The distance of numbers that are not nearby."""


def _observation(number: int, body: str, folder: str = SHARED, **fields: str) -> tuple[str, bytes]:
    """Return the path and the text of an observation."""
    ident = f"OBS-{SPREAD * number:05d}"
    given = {"links": "[]", **fields}
    more = "".join(f"{key.replace('_', '-')}: {value}\n" for key, value in given.items())
    head = f"id: {ident}\ndate: 2026-01-01\nproject: flywheel\nsummary: Memory\ntype: manual\n"
    return f"{folder}/{ident}.md", f"---\n{head}{more}---\n\n{body}\n".encode()


def _tree(*observations: tuple[str, bytes]) -> Files:
    others = (_observation(100 + n, f"filler {n}", session=f"s{n}") for n in range(OTHERS))
    return {"CORTEX.md": b"# Tree\n", **dict(others), **dict(observations)}


def _find(session: Session, query: str) -> dict[int, float]:
    """Return the shares added by the surroundings of each match, by number, best match first."""
    session.refresh()
    session.ingest_texts()
    queries, today = TextQueries(session.catalog, session.tree), NOW.date()
    found = queries.search_atoms(queries.parse_query(query, today, with_pages=False), today, 10)
    return {int(hit.atom.ref.rpartition("-")[2]) // SPREAD: hit.context for hit in found}


def _search(files: Files, query: str = "walrus drift") -> dict[int, float]:
    with write_tree(files) as root, open_session(root) as session:
        return _find(session, query)


ONE, TWO, FAR = "walrus one", "drift two", "walrus far"


@pytest.mark.usefixtures("full_text")
def test_an_atom_is_raised_by_the_other_matches_of_its_session() -> None:
    files = _tree(
        _observation(1, FAR, session="alone"),
        _observation(2, ONE, session="talk"),
        _observation(3, TWO, session="talk"),
        _observation(4, "drift walrus", session="talk"),
    )
    found = _search(files, "walrus")
    assert next(iter(found)) == 2
    assert found[2] > 0 == found[1]


@pytest.mark.usefixtures("full_text")
def test_atoms_whose_only_link_is_the_same_raise_each_other_and_the_linked_atom() -> None:
    files = _tree(
        _observation(1, FAR),
        _observation(2, ONE, links="[OBS-00400]"),
        _observation(3, "walrus two", links="[OBS-00400]"),
        _observation(4, "walrus four"),
    )
    found = _search(files, "walrus")
    assert found[1] == 0
    assert min(found[2], found[3], found[4]) > 0


@pytest.mark.usefixtures("full_text")
def test_an_atom_with_several_links_belongs_to_no_group() -> None:
    files = _tree(
        _observation(2, ONE, links="[OBS-00400, OBS-00500]"),
        _observation(3, "walrus two", links="[OBS-00400, OBS-00500]"),
    )
    assert set(_search(files, "walrus").values()) == {0.0}


@pytest.mark.usefixtures("full_text")
def test_atoms_with_nearby_numbers_raise_each_other() -> None:
    path, text = _observation(2, ONE)
    nearby = (
        (path.replace("200.md", f"{n}.md"), text.replace(b"00200", f"{n:05}".encode()))
        for n in range(200, 207)
    )
    found = _search(_tree(_observation(1, FAR), *nearby), "walrus")
    assert found[2] > 0 == found[1]


@pytest.mark.usefixtures("full_text")
@pytest.mark.parametrize(
    "fields", [{"status": "'superseded: OBS-00300'"}, {"deleted_at": "2026-01-02T00:00:00Z"}]
)
def test_outdated_atoms_add_nothing(fields: Mapping[str, str]) -> None:
    files = _tree(
        _observation(2, ONE, session="talk"),
        _observation(3, "walrus two", session="talk", **fields),
    )
    assert _search(files, "walrus")[2] == 0


@pytest.mark.usefixtures("full_text")
def test_personal_and_shared_atoms_do_not_raise_each_other() -> None:
    apart = _tree(
        _observation(2, ONE, session="talk"),
        _observation(3, "walrus two", PERSONAL, session="talk"),
    )
    assert set(_search(apart, "walrus").values()) == {0.0}
    together = _tree(
        _observation(2, ONE, PERSONAL, session="talk"),
        _observation(3, "walrus two", PERSONAL, session="talk"),
    )
    assert min(_search(together, "walrus").values()) > 0


@pytest.mark.usefixtures("full_text")
def test_a_single_match_has_no_surroundings() -> None:
    files = _tree(_observation(2, ONE, session="talk"), _observation(3, TWO, session="talk"))
    assert _search(files, "walrus") == {2: 0.0}


@pytest.mark.usefixtures("full_text")
def test_a_changed_session_or_link_counts_at_once() -> None:
    files = _tree(_observation(2, ONE, session="talk"), _observation(3, "walrus two"))
    with write_tree(files) as root, open_session(root) as session, open_session(root) as other:
        assert set(_find(session, "walrus").values()) == {0.0}
        for changed in ({"session": "talk"}, {}, {"links": "[OBS-00200]"}):
            path, text = _observation(3, "walrus two", **changed)
            write_file(root, path, text)
            for each in (session, other):  # the one that reads the change, and another
                assert all(_find(each, "walrus").values()) == bool(changed)


def test_surroundings_are_read_once_while_nothing_changes() -> None:
    files = _tree(_observation(2, ONE, session="a"), _observation(3, "walrus two", session="a"))
    with write_tree(files) as root, open_session(root) as session:
        assert all(_find(session, "walrus").values())
        known = session.catalog.surroundings
        assert known is not None
        statements: list[str] = []
        session.catalog.db.set_trace_callback(statements.append)
        assert len(known.list_atoms([1, 2, 3])) == 3
        statements.clear()
        assert len(known.list_atoms([1, 2, 3])) == 3
        assert not [sql for sql in statements if "SELECT" in sql]
        known.max_cached_atoms = 2
        assert len(known.list_atoms([4])) == 1
        assert len(known.atoms) == 1


def test_no_more_is_read_of_large_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(known_surroundings, "MAX_GROUP_SIZE", 20)
    assert _count_steps(members=200) < 1.2 * _count_steps(members=40)


def _count_steps(members: int) -> int:
    """Return the steps of SQLite to look up what surrounds two matches in large groups."""
    fields = {"session": "talk", "links": "[OBS-00100]"}
    hub = _observation(1, "hub", links=f"[{', '.join(f'OBS-{n:05d}' for n in range(members))}]")
    each = (_observation(n, f"walrus {n}", **fields) for n in range(2, members))
    files = {"CORTEX.md": b"# Tree\n", **dict([hub, *each])}
    with write_tree(files) as root, open_session(root) as session:
        session.refresh()
        session.ingest_texts()
        return _count_steps_of_lookup(session.catalog.db)


def _count_steps_of_lookup(db: sqlite3.Connection) -> int:
    steps = 0

    def count() -> int:
        nonlocal steps
        steps += 1
        return 0

    db.set_progress_handler(count, 10)
    try:
        scores = {1: [1.0], 2: [1.0], 3: [1.0]}
        known = KnownSurroundings(db, max_cached_atoms=10)
        assert find_context_scores(known, AtomFilter(), 200, scores, [2.0])
    finally:
        db.set_progress_handler(None, 0)
    return steps


def test_lookups_use_indexes() -> None:
    with write_tree(_tree()) as root, open_session(root) as session:
        session.refresh()
        session.ingest_texts()
        for sql, values in (
            (known_surroundings.ATOMS_SQL, ("[1]",)),
            (known_surroundings.ONLY_LINKS_SQL, ("[1]",)),
            (known_surroundings.SESSION_SIZES_SQL, (1, "[1]")),
            (known_surroundings.LINKING_SQL, (1, "[1]")),
        ):
            rows = session.catalog.db.execute(f"EXPLAIN QUERY PLAN {sql}", values).fetchall()
            scans = [row[3] for row in rows if str(row[3]).startswith("SCAN")]
            tables = ("texts", "memories", "links")
            assert not [scan for scan in scans if any(name in scan for name in tables)]
