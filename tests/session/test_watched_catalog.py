"""What a session learns by events is never wrong: it is what a scan would find."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import time
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from soak_cases import leave_to_soak
from tree_strategies import open_session

from cortexfs.catalog import refresh_catalog
from cortexfs.catalog.folder_digests import read_folder_digests
from cortexfs.catalog.schema import COLUMN_COUNTS
from cortexfs.core.changes.compare_stamps import NS_PER_SECOND
from cortexfs.session import catalog_comparisons, snapshot_reader, watched_catalog
from cortexfs.session.view import NeededContents
from cortexfs.tree import scan_folders, tree_watch
from cortexfs.tree.tree_watch import MAX_CHANGED_FILES, MAX_LINKED_FILES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from cortexfs.session.session import Session

FOLDER = "projects/p/experiments"
OVERFLOW = 40_000
"""More changes than the system keeps events by default."""


def write(root: Path, number: int, summary: str = "One", project: str = "p") -> Path:
    path = root / f"projects/{project}/experiments/EXP-{number:03d}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"---\nid: EXP-{number:03d}\nsummary: {summary}\ntags: [a]\n---\n\nbody\n")
    return path


class Watched(NamedTuple):
    """A session that watches its tree, and its scans since then."""

    root: Path
    session: Session
    scans: list[str]

    def read_summaries(self) -> dict[str, str]:
        with self.session.read() as view:
            atoms = view.queries.list_atoms()
            return {each.path: each.text_field("summary") for each in atoms}

    def read_files(self) -> dict[str, str]:
        """Return the summaries that the files have."""
        found = {}
        for above, _, names in os.walk(self.root / "projects"):  # it follows no link
            for name in names:
                path = os.path.join(above, name)
                if re.fullmatch(r".*/projects/[^/]+/experiments/EXP-\d+\.md", path):
                    with open(path, encoding="utf-8") as file:
                        text = file.read()
                    found[os.path.relpath(path, self.root)] = text.split("summary: ")[1][:3]
        return found


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Watched]:
    root, scans, real = tmp_path / "tree", list[str](), scan_folders.scan_tree
    for number in (1, 2, 3):
        write(root, number)
    (root / "CORTEX.md").write_text("# Tree\n")
    (tmp_path / "elsewhere").hardlink_to(write(root, 4))
    monkeypatch.setattr(scan_folders, "scan_tree", lambda *args: scans.append("") or real(*args))
    monkeypatch.setattr(watched_catalog, "QUICK_AGE_S", 600.0)
    with open_session(root) as session, session.comparisons.watch_events():
        session.refresh()
        scans.clear()
        yield Watched(root, session, scans)


def replace_by_twin(root: Path) -> None:
    """Put a file of the same size and mtime in the place of another one."""
    old, twin = write(root, 1), write(root.parent / "other", 1, "Two")
    status = old.stat()
    os.utime(twin, ns=(status.st_atime_ns, status.st_mtime_ns))
    twin.replace(old)


def change_and_restore_time(root: Path) -> None:
    status = (root / FOLDER / "EXP-001.md").stat()
    os.utime(write(root, 1, "Two"), ns=(status.st_atime_ns, status.st_mtime_ns))


def move_folder_in(root: Path) -> None:
    for number in (1, 2):
        write(root.parent / "other", number, "New", "q")
    (root.parent / "other/projects/q").rename(root / "projects/q")


def make_nested_folders_at_once(root: Path) -> None:
    for project in ("q", "r", "s"):
        for number in range(20):
            write(root, number, "New", project)


def replace_project(root: Path) -> None:
    move_folder_in(root)
    (root / "projects/p").rename(root.parent / "away")
    (root / "projects/q").rename(root / "projects/p")


def replace_by_link(root: Path) -> None:
    (root / FOLDER).rename(root.parent / "away")
    (root / FOLDER).symlink_to(root.parent / "away")


def change_what_was_moved_away(root: Path) -> None:
    (root / FOLDER).rename(root.parent / "away")
    (root.parent / "away/EXP-001.md").write_text("elsewhere")


def overflow_the_queue(root: Path) -> None:
    write(root, 2, "Two")
    for number in range(OVERFLOW):  # two in turn: equal events in a row are one
        os.utime(root / FOLDER / f"EXP-00{number % 2 + 1}.md")
    write(root, 3, "Two")


def change_many(root: Path) -> None:
    for number in range(MAX_CHANGED_FILES + 50):
        write(root, number, "New")


def switch_branch(root: Path) -> None:
    def git(*words: str) -> None:
        command = ["git", "-c", "user.name=a", "-c", "user.email=a@b.c", *words]
        subprocess.run(command, cwd=root, check=True, capture_output=True)

    git("init", "-q")
    git("add", "projects")
    git("commit", "-qm", "one")
    git("checkout", "-qb", "other")
    write(root, 1, "Two")
    write(root, 9, "New", "q")
    (root / FOLDER / "EXP-002.md").unlink()
    git("add", "-A", "projects")
    git("commit", "-qm", "two")
    git("checkout", "-q", "-")
    git("checkout", "-q", "other")


def change_through_second_name(root: Path) -> None:
    """Change a file that had another name outside the tree before the scan."""
    elsewhere = root.parent / "elsewhere"
    elsewhere.write_text(elsewhere.read_text().replace("One", "Two"))


def change_through_new_second_name(root: Path) -> None:
    second = root / FOLDER / "EXP-009.md"
    second.hardlink_to(root / FOLDER / "EXP-001.md")
    second.write_text(second.read_text().replace("One", "Two"))


def write_from_afar(root: Path) -> None:
    """Write through a descriptor of a file that was opened before it came into the tree."""
    outside = write(root.parent / "other", 8, "Old")
    with outside.open("r+") as file:
        outside.rename(root / FOLDER / "EXP-008.md")
        file.write(outside_text := "---\nid: EXP-008\nsummary: New\ntags: [a]\n---\n\nbody\n")
        assert outside_text


BY_EVENTS: dict[str, Callable[[Path], object]] = {
    "a file of the same size, within one tick": lambda root: write(root, 1, "Two"),
    "a new file": lambda root: write(root, 5, "New"),
    "a removed file": lambda root: (root / FOLDER / "EXP-001.md").unlink(),
    "a renamed file": lambda root: (root / FOLDER / "EXP-001.md").rename(
        root / FOLDER / "EXP-007.md"
    ),
    "a twin": replace_by_twin,
    "a restored time": change_and_restore_time,
    "a folder moved in": move_folder_in,
    "folders filled before they are watched": make_nested_folders_at_once,
    "a second name": change_through_second_name,
    "a file opened before": write_from_afar,
}
BY_SCAN: dict[str, Callable[[Path], object]] = {
    "a replaced project": replace_project,
    "a folder replaced by a link": replace_by_link,
    "a folder moved away": change_what_was_moved_away,
    "an overflow": overflow_the_queue,
    "many files": change_many,
    "a new second name": change_through_new_second_name,
    "a removed project": lambda root: shutil.rmtree(root / "projects/p"),
    "a moved private folder": lambda root: shutil.rmtree(root / ".cortexfs/watch"),
}


@pytest.mark.parametrize("change", BY_EVENTS.values(), ids=BY_EVENTS)
def test_a_change_is_known_without_a_scan(tree: Watched, change: Callable[[Path], object]) -> None:
    change(tree.root)
    assert tree.read_summaries() == tree.read_files()
    assert tree.scans == []
    write(tree.root, 1, "Six")
    assert tree.read_summaries() == tree.read_files()


@pytest.mark.parametrize("change", leave_to_soak(BY_SCAN.values(), every=3), ids=BY_SCAN)
def test_what_events_cannot_tell_is_scanned(
    tree: Watched, change: Callable[[Path], object]
) -> None:
    change(tree.root)
    assert tree.read_summaries() == tree.read_files()
    assert tree.scans == [""]
    tree.scans.clear()
    write(tree.root, 1, "Six")
    assert tree.read_summaries() == tree.read_files()
    assert tree.scans == []


def test_a_switch_of_branches_is_seen(tree: Watched) -> None:
    switch_branch(tree.root)
    assert tree.read_summaries() == tree.read_files()


def test_many_edits_within_one_tick_are_all_seen(tree: Watched) -> None:
    for turn in range(100):
        path = write(tree.root, 1, f"{turn:03d}")
        os.utime(path, ns=(1, 1))
        assert tree.read_summaries() == tree.read_files()
    assert tree.scans == []


def test_a_folder_without_files_that_gets_some_is_watched(tree: Watched) -> None:
    for step in ("projects/q", "projects/q/experiments", "ideas"):
        (tree.root / step).mkdir()
        assert tree.read_summaries() == tree.read_files()
    write(tree.root, 1, "New", "q")
    assert tree.read_summaries() == tree.read_files()
    assert tree.scans == []


def test_a_scan_beside_a_writer_is_no_knowledge(
    tree: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    while not all(each.digest for each in read_folder_digests(tree.session.catalog.db).values()):
        tree.session.refresh()  # a young file is compared again
    path, write_digests = write(tree.root, 9), refresh_catalog.write_folder_digests

    def scan_before_commit(*args: Any, **kwargs: Any) -> None:
        path.unlink()  # the other process has read it
        monkeypatch.setattr(refresh_catalog, "write_folder_digests", write_digests)
        tree.session.refresh()
        write_digests(*args, **kwargs)

    with open_session(tree.root) as other:
        monkeypatch.setattr(refresh_catalog, "write_folder_digests", scan_before_commit)
        assert other.refresh() == [f"{FOLDER}/EXP-009.md"]
    assert tree.read_summaries() == tree.read_files()


def test_a_catalog_emptied_by_another_program_is_filled_again(tree: Watched) -> None:
    with open_session(tree.root) as other, other.catalog.write_transaction() as db:
        for table in COLUMN_COUNTS:
            db.execute(f"DELETE FROM {table}")  # noqa: S608 - our own names
    assert tree.read_summaries() == tree.read_files() != {}


def test_too_many_files_with_two_names_are_scanned_each_time(tree: Watched) -> None:
    for number in range(10, 12 + MAX_LINKED_FILES):
        (tree.root.parent / f"{number}").hardlink_to(write(tree.root, number))
    tree.read_summaries()
    tree.scans.clear()
    for turn in range(3):
        (tree.root.parent / "11").write_text(f"---\nid: EXP-011\nsummary: {turn:03d}\n---\n")
        assert tree.read_summaries() == tree.read_files()
    assert len(tree.scans) == 3


def test_after_the_end_a_session_scans_again(tree: Watched) -> None:
    tree.session.reader.comparisons.stop_watching()
    write(tree.root, 1, "Two")
    assert tree.read_summaries() == tree.read_files()
    assert tree.scans == [""]


def test_another_thread_takes_no_change_from_who_asks_what_changed(tree: Watched) -> None:
    write(tree.root, 1, "Two")
    tree.read_summaries()
    assert f"{FOLDER}/EXP-001.md" in (tree.session.comparisons.refresh_by_events() or ())
    while tree.session.comparisons.refresh_by_events():
        pass  # a young file is read until its stamp is settled
    shutil.rmtree(tree.root / "projects/p")
    assert tree.session.comparisons.refresh_by_events() is None


def test_what_has_no_event_is_found_after_a_time(
    tree: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watched_catalog, "QUICK_AGE_S", 0.0)
    monkeypatch.setattr(watched_catalog, "MAX_AGE_S", 0.0)
    tree.session.refresh()
    (tree.root.parent / "new").hardlink_to(tree.root / FOLDER / "EXP-001.md")
    (tree.root.parent / "new").write_text(write(tree.root.parent / "x", 1, "Two").read_text())
    assert tree.session.comparisons.refresh_by_events() is None
    assert tree.read_summaries() == tree.read_files()


def test_who_reads_at_once_waits_for_no_scan(
    tree: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watched_catalog, "QUICK_AGE_S", 0.0)
    tree.session.refresh()
    tree.scans.clear()
    write(tree.root, 1, "Two")
    with tree.session.reader.read_at_once(NeededContents.TEXTS) as view:
        found = {each.path: each.text_field("summary") for each in view.queries.list_atoms()}
    assert found == tree.read_files()
    assert len(tree.scans) == 0
    tree.read_summaries()
    assert len(tree.scans) == 1


def test_who_reads_at_once_scans_where_nothing_watches(tmp_path: Path) -> None:
    write(tmp_path / "tree", 1)
    (tmp_path / "tree/CORTEX.md").write_text("# Tree\n")
    with open_session(tmp_path / "tree") as session:
        for _ in range(2):
            write(tmp_path / "tree", 2, "Two")
            with session.reader.read_at_once(NeededContents.ATOMS) as view:
                assert len(view.queries.list_atoms()) == 2
            (tmp_path / "tree" / FOLDER / "EXP-002.md").unlink()
            with session.reader.read_at_once(NeededContents.ATOMS) as view:
                assert len(view.queries.list_atoms()) == 1


def test_events_that_are_late_are_not_lost(tree: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree_watch, "COOKIE_S", 0.0)
    write(tree.root, 1, "Two")
    assert tree.read_summaries() == tree.read_files()
    assert not tree.scans  # what was made before the question is read at least once
    with monkeypatch.context() as late:
        late.setattr(tree_watch, "make_cookie", lambda *_: None)
        write(tree.root, 2, "Two")
        assert tree.session.reader.comparisons.describe_current_catalog() == ""
    write(tree.root, 3, "Two")
    assert tree.read_summaries() == tree.read_files()
    assert not tree.scans


def test_a_read_beside_one_that_catches_up_scans_nothing(
    tree: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_ns = time.monotonic_ns() + 100 * NS_PER_SECOND
    for module in (catalog_comparisons, snapshot_reader):
        monkeypatch.setattr(module, "time", SimpleNamespace(monotonic_ns=lambda: at_ns))
    tree.session.serve_reads(1.0)
    write(tree.root, 1, "Two")
    assert tree.read_summaries()[f"{FOLDER}/EXP-001.md"] == "Two"
    at_ns += NS_PER_SECOND // 2
    with tree.session.reader.comparisons.hold():
        assert tree.read_summaries()[f"{FOLDER}/EXP-001.md"] == "Two"
    assert tree.scans == []
