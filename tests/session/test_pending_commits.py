"""The journal commits only files with the content that was to be written."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from tree_strategies import open_session
from unprivileged import CORTEXFS, run_unprivileged

from cortexfs.core.changes.plan import Plan, PlanOnlyResult, Write
from cortexfs.errors import HistoryFailed
from cortexfs.session.pending_commits import PendingCommits
from cortexfs.session.preserve_user_text import preserve_user_text
from cortexfs.session.tree_repository import TreeRepository
from cortexfs.tree.tree import Tree

if TYPE_CHECKING:
    from pathlib import Path

    from place import Place

    from cortexfs.session.view import View

ANY_CHECKSUM = "*"
PENDING = ".cortexfs/pending.jsonl"
MISSION = "projects/flywheel/mission.md"
LOG = "projects/flywheel/_meta/access-log.jsonl"


def write_journal(place: Place, message: str, path: str, known: str) -> None:
    """Leave the journal that a killed run leaves."""
    line = json.dumps({"message": message, "digests": {path: known}})
    place.write(PENDING, f"{line}\n")


def test_a_planted_journal_does_not_commit_the_files_of_the_user(
    tree: Place,
) -> None:
    tree.write(MISSION, "My own words, not finished.\n")
    tree.write("projects/flywheel/_meta/notes.md", "Mine.\n")
    tree.write("access-log.jsonl", "Mine.\n")
    head, status = tree.git("rev-parse", "HEAD"), tree.git("status", "--porcelain", "-uall")
    for path in (MISSION, "projects/flywheel/_meta/notes.md", "access-log.jsonl"):
        write_journal(tree, "planted", path, ANY_CHECKSUM)
        tree.ok("hook", "drain")
        assert tree.git("rev-parse", "HEAD") == head
    assert tree.git("status", "--porcelain", "-uall") == status


def test_a_commit_message_loses_its_unprintable_characters(tree: Place) -> None:
    tree.write(MISSION, "My own words.\n")
    tree.ok("commit", "-m", "mine\udcff\x1b[31m: done")
    assert tree.git("log", "-1", "--format=%s") == "mine[31m: done\n"
    assert tree.git("status", "--porcelain") == ""


def test_an_access_log_is_committed_with_any_content(tree: Place) -> None:
    tree.write(LOG, '{"file":"EXP-001.md","tool":"Read","ts":"2026-04-02T03:12:21.074Z"}\n')
    write_journal(tree, "looks", LOG, ANY_CHECKSUM)
    tree.ok("hook", "drain")
    assert tree.git("log", "-1", "--format=%s") == "looks\n"
    assert tree.git("status", "--porcelain") == ""


def test_changes_pending_during_a_merge_are_committed_if_unchanged(tree: Place) -> None:
    merging = tree.write(".git/MERGE_HEAD", tree.git("rev-parse", "HEAD"))
    changed, unchanged, deleted, restored = (
        f"projects/flywheel/{name}.md" for name in ("mission", "STATUS", "ISSUES", "roadmap")
    )
    link, before = tree.root / "projects/flywheel/link", tree.read(restored)
    for path in (changed, unchanged):
        tree.write(path, "Ready.\n")
    for path in (deleted, restored):
        (tree.root / path).unlink()
    link.symlink_to("mission.md")
    assert "a merge is in progress" in tree.run("commit", "-m", "by hand").err
    tree.write(changed, "Ready. Not so this.\n")
    tree.write(restored, f"{before}More.\n")
    merging.unlink()
    tree.ok("hook", "drain")
    assert set(tree.git("show", "--name-only", "--format=", "HEAD").split()) >= {unchanged, deleted}
    assert tree.git("log", "-1", "--format=%s") == "by hand\n"
    assert "120000" in tree.git("ls-tree", "HEAD", "projects/flywheel/link")
    assert tree.git("status", "--porcelain") == f" M {changed}\n M {restored}\n"


def test_an_unreadable_file_stops_no_later_command(
    tree: Place,
) -> None:
    path = tree.write(MISSION, "Shut away.\n")
    path.chmod(0)
    done = run_unprivileged(tree, *CORTEXFS, "commit")
    assert (done.returncode, done.stdout) == (3, ""), done
    again = run_unprivileged(tree, *CORTEXFS, "new", "experiment", "-s", "One", "-t", "a")
    assert again.returncode == 0, again


def test_git_is_asked_once_about_all_files_to_be_overwritten(tree: Place, git_calls: Path) -> None:
    paths = [f"projects/flywheel/{name}.md" for name in ("mission", "STATUS", "ISSUES", "roadmap")]
    for path in paths:
        tree.write(path, tree.read(path) + "Mine.\n")
    counts = []
    for chosen in (paths[:1], paths):
        git_calls.write_text("")
        writes = (Write(path, "Other.\n", tree.read(path)) for path in chosen)
        pending = PendingCommits(Tree(str(tree.root)), TreeRepository(str(tree.root)))
        unchanged = preserve_user_text(pending, Plan("over", tuple(writes)), commit=False)
        assert len(unchanged.backups) == len(chosen)
        counts.append(git_calls.read_text().count("cat-file"))
    assert counts[0] == counts[1]


def test_a_catalog_that_fails_after_a_write_says_what_is_written(tree: Place) -> None:
    path, text = "projects/flywheel/experiments/EXP-001.md", "word " * 10_000

    def decide(_: View) -> PlanOnlyResult:
        session.catalog.db.execute("PRAGMA max_page_count = 1")  # the disk is full from now on
        write = Write(path, f"---\nid: EXP-001\nsummary: One\ntags: [{text}]\n---\n")
        return PlanOnlyResult(Plan("new experiment", (write,)))

    with open_session(tree.root) as session:
        session.refresh()
        with pytest.raises(HistoryFailed, match=f"^written, not committed: {path}: .*full"):
            session.execute(decide)
    tree.ok("hook", "drain")
    assert tree.git("log", "-1", "--format=%s", "--name-only").split() == [
        *("new", "experiment"),
        path,
    ]
