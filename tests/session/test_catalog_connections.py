"""The connections of a session to its catalog."""

from __future__ import annotations

import os
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tree_strategies import open_session

from cortexfs.catalog import catalog
from cortexfs.catalog.catalog import LIMITED_CACHE_KIB
from cortexfs.catalog.catalog_files import quarantine_database
from cortexfs.catalog.ingest_texts import ingest_texts
from cortexfs.core.find import tokenize
from cortexfs.operations.check import check
from cortexfs.operations.find import find
from cortexfs.session.view import NeededContents

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import pytest
    from place import Place

    from cortexfs.session.session import Session


def _read_cache_size(session: Session, sizes: list[int]) -> None:
    with session.read() as view:
        sizes += view.catalog.db.execute("PRAGMA cache_size").fetchone()


def test_a_server_has_a_small_page_cache_in_each_thread(tree: Place) -> None:
    sizes: list[int] = []
    with open_session(tree.root) as session:
        session.serve_reads(1.0)
        threads = [
            threading.Thread(target=_read_cache_size, args=(session, sizes)) for _ in range(3)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert sizes == [-LIMITED_CACHE_KIB] * 3


def test_a_catalog_that_is_replaced_during_a_read_is_refreshed_in_turn(tree: Place) -> None:
    replaced = list[str]()
    path = tree.root / "projects" / "driftwood" / "experiments" / "EXP-001.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("---\nid: EXP-001\n---\n")
    with open_session(tree.root) as session:

        def replace_once(_done: int, _total: int) -> None:
            if not replaced:
                replaced.append(session.catalog.path)
                quarantine_database(session.catalog.path)

        session.reader.progress = replace_once
        with session.read() as view:
            (count,) = view.catalog.db.execute("SELECT count(*) FROM atoms").fetchone()
        assert replaced
        assert count == 1


def test_a_server_ingests_texts_in_small_parts_and_forgets_their_words(
    tree: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catalog, "LIMITED_INGESTED_TEXTS", 3)
    for number in range(1, 9):
        path = f"projects/flywheel/knowledge/K-{number:03d}.md"
        tree.write(path, f"---\nid: K-{number:03d}\nsummary: s\n---\n\nword{number}\n")
    with open_session(tree.root) as session:
        session.serve_reads(0.0)
        session.refresh()
        parts = list[int]()
        ingest_texts(session.catalog, session.tree, lambda done, _: parts.append(done))
        assert parts == [3, 6, 8]
        assert not tokenize._WORD_CACHE
        assert [hit.match.atom.ref for hit in find(session, "word7").hits] == ["flywheel/K-007"]


def test_what_takes_long_lets_another_thread_write_between_its_parts(tree: Place) -> None:
    for number in range(1, 9):
        path = f"projects/flywheel/knowledge/K-{number:03d}.md"
        tree.write(path, f"---\nid: K-{number:03d}\nsummary: s\n---\n\nword{number}\n")
    for contents, table in (
        (NeededContents.TEXTS, "waiting"),
        (NeededContents.FINDINGS, "unexamined"),
    ):
        with open_session(tree.root) as session:
            check(session, None)
            session.catalog.db.execute(f"INSERT OR IGNORE INTO {table} SELECT path FROM atoms")  # noqa: S608
            assert 0 < _count_left_when_written(session, contents, table) < 8
            assert _count_rows(session, table) == 0


def test_a_catalog_that_is_replaced_between_two_parts_is_ingested_again(tree: Place) -> None:
    for number in range(1, 9):
        path = f"projects/flywheel/knowledge/K-{number:03d}.md"
        tree.write(path, f"---\nid: K-{number:03d}\nsummary: s\n---\n\nword{number}\n")
    with open_session(tree.root) as session:
        session.refresh()
        with _begin_in_first_part(session, session.reader.discard_catalog):
            assert [hit.match.atom.ref for hit in find(session, "word8").hits] == ["flywheel/K-008"]
        assert _count_rows(session, "texts") == 8


def test_settings_that_were_just_written_keep_the_catalog_that_is_open(tree: Place) -> None:
    with open_session(tree.root) as session:
        tree.write("cortexfs.yaml", "kinds: {}\n")
        opened = session.catalog
        tree.write("cortexfs.yaml", "kinds: {}\n")
        assert session.catalog is opened


def test_a_change_between_two_parts_is_ingested_though_its_text_comes_before_them(
    tree: Place,
) -> None:
    paths = [f"projects/flywheel/knowledge/K-{number:03d}.md" for number in range(1, 9)]
    for path in paths:
        tree.write(path, f"---\nid: {path[-8:-3]}\nsummary: s\n---\n\nold\n")
    with open_session(tree.root) as session:
        session.refresh()

        def change_first() -> None:
            tree.write(paths[0], "---\nid: K-001\nsummary: s\n---\n\nanother\n")
            session.reader.updates._refresh_all()

        with _begin_in_first_part(session, change_first):
            session.reader.updates.ingest(NeededContents.TEXTS)
        assert _count_rows(session, "waiting") == 0


def _count_left_when_written(session: Session, contents: NeededContents, table: str) -> int:
    """Ingest one text in each part; return how many were left when another thread could write."""
    left = list[int]()
    with _begin_in_first_part(session, lambda: left.append(_count_rows(session, table))):
        session.reader.updates.ingest(contents)
    return left[0]


@contextmanager
def _begin_in_first_part(session: Session, act: Callable[[], object]) -> Iterator[None]:
    """Let another thread wait for its turn in the first part, which has one text, and then act."""
    updates = session.reader.updates

    def run() -> None:
        with updates.hold():
            act()

    def begin(statement: str) -> None:
        if statement == "COMMIT" and other.ident is None:
            other.start()
            while not updates.lock.is_wanted():
                os.sched_yield()

    other = threading.Thread(target=run)
    session.catalog.max_ingested_texts = 1
    session.catalog.db.set_trace_callback(begin)
    yield
    other.join()


def _count_rows(session: Session, table: str) -> int:
    (count,) = session.catalog.db.execute(f"SELECT count(*) FROM {table}").fetchone()  # noqa: S608
    return int(count)
