"""The catalog is never set back to an older state, and a digest is stored only if it is certain."""

from __future__ import annotations

import os
import time
from shutil import copytree, rmtree
from typing import TYPE_CHECKING

import pytest
from tree_strategies import open_session

from cortexfs.catalog.folder_digests import read_folder_digests
from cortexfs.catalog.refresh_catalog import refresh_catalog, scan_tree
from cortexfs.catalog.sqlite_errors import translate_sqlite_errors
from cortexfs.errors import CatalogBusy
from cortexfs.tree.scan_folders import UNKNOWN_DIGEST

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from cortexfs.session.session import Session

FOLDER = "projects/p/experiments"


def write(root: Path, number: int, summary: str) -> Path:
    path = root / FOLDER / f"EXP-{number:03d}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"---\nid: EXP-{number:03d}\nsummary: {summary}\ntags: [a]\n---\n\nbody\n")
    return path


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "CORTEX.md").write_text("# Tree\n")
    for number in (1, 2):
        write(tmp_path, number, "One")
    return tmp_path


@pytest.fixture
def session(root: Path) -> Iterator[Session]:
    with open_session(root) as session:
        session.refresh()
        yield session


def summaries(session: Session) -> dict[str, str]:
    with session.view_without_refresh() as view:
        return {each.file_name: each.text_field("summary") for each in view.queries.list_atoms()}


def settle(session: Session) -> None:
    """Compare until the digests of all folders are known."""
    while not all(each.digest for each in read_folder_digests(session.catalog.db).values()):
        session.refresh()


def test_a_file_that_is_gone_waits_for_the_process_that_may_have_read_it(
    root: Path, session: Session
) -> None:
    gone = [f"{FOLDER}/EXP-009.md"]
    session.catalog.db.execute("PRAGMA busy_timeout = 0")
    with open_session(root) as other, other.catalog.write_transaction():
        with pytest.raises(CatalogBusy), translate_sqlite_errors():
            refresh_catalog(session.catalog, session.tree, paths=gone, read_again=True)
        assert refresh_catalog(session.catalog, session.tree, paths=gone) == []


def test_an_old_scan_never_replaces_what_another_process_has_ingested(
    root: Path, session: Session
) -> None:
    write(root, 1, "Two")
    old = scan_tree(session.catalog, session.tree)
    (root / FOLDER / "EXP-002.md").unlink()
    write(root, 1, "Three")
    write(root, 3, "New")
    with open_session(root) as other:
        other.refresh()
    refresh_catalog(session.catalog, session.tree, scan=old)
    assert summaries(session) == {"EXP-001.md": "Three", "EXP-003.md": "New"}


def test_a_file_that_is_gone_since_the_scan_has_no_row(root: Path, session: Session) -> None:
    write(root, 1, "Two")
    old = scan_tree(session.catalog, session.tree)
    (root / FOLDER / "EXP-001.md").unlink()
    refresh_catalog(session.catalog, session.tree, scan=old)
    assert summaries(session) == {"EXP-002.md": "One"}


def test_an_idle_scan_reads_no_stamps_and_writes_nothing(root: Path, session: Session) -> None:
    settle(session)
    scan = scan_tree(session.catalog, session.tree)
    assert (scan.differing, scan.packed) == (frozenset(), {})
    write(root, 1, "Two")
    assert session.refresh() == [f"{FOLDER}/EXP-001.md"]
    assert summaries(session)["EXP-001.md"] == "Two"


def test_a_change_makes_the_digest_of_its_folder_unknown_until_it_is_settled(
    root: Path, session: Session
) -> None:
    settle(session)
    write(root, 1, "Two")
    session.refresh()
    assert read_folder_digests(session.catalog.db)[FOLDER].digest == UNKNOWN_DIGEST
    settle(session)
    assert scan_tree(session.catalog, session.tree).differing == frozenset()


def test_after_the_clock_was_set_back_a_file_from_the_future_is_not_trusted(
    root: Path, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    settle(session)
    path = write(root, 1, "Two")
    before = time.time_ns() - 3600 * 10**9
    monkeypatch.setattr(time, "time_ns", lambda: before)
    for _ in range(3):
        session.refresh()
        assert read_folder_digests(session.catalog.db)[FOLDER].digest == UNKNOWN_DIGEST
    status = path.stat()
    write(root, 1, "Six")
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    session.refresh()
    assert summaries(session)["EXP-001.md"] == "Six"


def test_a_folder_that_is_gone_loses_its_digest(root: Path, session: Session) -> None:
    settle(session)
    (root / FOLDER).rename(root / "projects/p/other")
    session.refresh()
    session.refresh()
    assert summaries(session) == {}
    assert FOLDER not in read_folder_digests(session.catalog.db)


def test_a_path_is_read_again_whatever_its_stamp_says(root: Path, session: Session) -> None:
    settle(session)
    path = f"{FOLDER}/EXP-001.md"
    db, (stamp,) = session.catalog.db, [session.tree.stamp_file(path)]
    write(root, 1, "Six")
    stamp = session.tree.stamp_file(path)
    places = "size = ?, mtime_ns = ?, ctime_ns = ?"
    db.execute(f"UPDATE files SET {places} WHERE path = ?", (*stamp, path))  # noqa: S608 - as if equal
    assert refresh_catalog(session.catalog, session.tree, paths=[path]) == []
    refresh_catalog(session.catalog, session.tree, paths=[path], read_again=True)
    assert summaries(session)["EXP-001.md"] == "Six"


@pytest.fixture
def many_folders(root: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a tree whose files are ingested in three parts."""
    monkeypatch.setattr("cortexfs.catalog.refresh_catalog.MAX_FILES_AT_ONCE", 4)
    for project in ("q", "r", "s"):
        copytree(root / FOLDER, root / "projects" / project / "experiments")
    return root


def test_many_files_are_ingested_in_parts(many_folders: Path) -> None:
    shown = list[tuple[int, int]]()
    with open_session(many_folders) as session:
        session.reader.progress = lambda *numbers: shown.append(numbers)
        assert len(session.refresh()) == 8
        assert session.catalog.count_files() == 8
        assert shown == [(done, 8) for done in range(1, 9)]
        settle(session)
        rmtree(many_folders / "projects/q")
        rmtree(many_folders / "projects/r")
        (many_folders / "projects/s/experiments/EXP-001.md").unlink()
        assert len(session.refresh()) == 5
        assert session.catalog.count_files() == 3
        settle(session)


def test_after_a_kill_the_parts_that_were_ingested_are_kept(many_folders: Path) -> None:
    def stop(done: int, _: int) -> None:
        if done > 4:
            raise KeyboardInterrupt

    with open_session(many_folders) as session:
        session.reader.progress = stop
        with pytest.raises(KeyboardInterrupt):
            session.refresh()
    with open_session(many_folders) as session:
        assert session.catalog.count_files() == 4
        session.refresh()
        assert session.catalog.count_files() == 8
