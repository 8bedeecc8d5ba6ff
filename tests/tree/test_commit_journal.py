from __future__ import annotations

import json
import os
import shutil
from hashlib import sha256
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.tree.commit_journal import ANY_CONTENT, CommitIntent, CommitJournal, compute_checksum

if TYPE_CHECKING:
    from pathlib import Path

    from place import Place

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
steps = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="/\\\0"), min_size=1)
paths = st.lists(steps.filter(lambda step: step not in {".", ".."}), min_size=1).map("/".join)
intents = st.builds(
    CommitIntent,
    texts,
    st.dictionaries(paths, st.sampled_from([ANY_CONTENT, "0" * 64]), min_size=1),
)
PENDING = ".cortexfs/pending.jsonl"
MISSION = "projects/flywheel/mission.md"
LOG = "projects/flywheel/_meta/access-log.jsonl"


@pytest.fixture
def journal(tmp_path: Path) -> CommitJournal:
    return CommitJournal(str(tmp_path))


def write_journal(place: Place, message: str, path: str, known: str) -> None:
    """Leave the journal that a killed run leaves."""
    line = json.dumps({"message": message, "digests": {path: known}})
    place.write(PENDING, f"{line}\n")


def test_a_tree_without_a_journal_has_no_intents(journal: CommitJournal) -> None:
    assert journal.read_intents() == []
    journal.clear()


@given(st.lists(intents, max_size=5))
def test_intents_are_read_back_in_order_and_once(
    tmp_path_factory: pytest.TempPathFactory, recorded: list[CommitIntent]
) -> None:
    journal = CommitJournal(str(tmp_path_factory.mktemp("tree")))
    for intent in recorded:
        journal.record_intent(intent)
    once = [intent for at, intent in enumerate(recorded) if intent not in recorded[:at]]
    assert journal.read_intents() == once
    journal.clear()
    assert journal.read_intents() == []


def test_an_intent_without_files_is_not_recorded(journal: CommitJournal) -> None:
    journal.record_intent(CommitIntent("nothing", {}))
    assert journal.read_intents() == []


@given(st.integers(0, 200))
def test_a_truncated_journal_keeps_its_complete_lines(
    tmp_path_factory: pytest.TempPathFactory, length: int
) -> None:
    place = tmp_path_factory.mktemp("tree")
    journal = CommitJournal(str(place))
    first, second, third = (CommitIntent(f"number {n}", {f"{n}.md": "0" * 64}) for n in range(3))
    journal.record_intent(first)
    first_length = len((place / PENDING).read_bytes())
    journal.record_intent(second)
    both = (place / PENDING).read_bytes()
    kept = both[: first_length + min(length, len(both) - first_length - 2)]
    (place / PENDING).write_bytes(kept)
    assert journal.read_intents() == [first]
    journal.record_intent(third)
    assert journal.read_intents() == [first, third]


@pytest.mark.parametrize(
    "line", [b"[]", b"7", b"null", b'{"message": "x"}', b'{"message": 1, "digests": []}', b"\xff"]
)
def test_an_invalid_line_is_skipped(journal: CommitJournal, line: bytes) -> None:
    journal.record_intent(CommitIntent("ours", {"a.md": ANY_CONTENT}))
    with open(f"{journal.root}/{PENDING}", "ab") as pending:
        pending.write(line + b"\n")
    assert journal.read_intents() == [CommitIntent("ours", {"a.md": ANY_CONTENT})]


def test_a_checksum_is_sha256_of_the_bytes() -> None:
    assert compute_checksum(b"atom") == sha256(b"atom").hexdigest()


def test_the_next_command_commits_what_a_killed_one_wrote(tree: Place) -> None:
    text = tree.read(MISSION) + "More.\n"
    tree.write(MISSION, text)
    write_journal(tree, "what was begun", MISSION, sha256(text.encode()).hexdigest())
    tree.ok("hook", "drain")
    assert tree.git("log", "-1", "--format=%s", "--name-only").split("\n\n") == [
        "what was begun",
        f"{MISSION}\n",
    ]
    assert tree.git("status", "--porcelain") == ""
    assert not (tree.root / PENDING).exists()


def test_a_file_changed_since_is_not_committed(tree: Place) -> None:
    text = tree.read(MISSION) + "More.\n"
    tree.write(MISSION, text + "And a person's own line.\n")
    write_journal(tree, "what was begun", MISSION, sha256(text.encode()).hexdigest())
    head = tree.git("rev-parse", "HEAD")
    tree.ok("hook", "drain")
    assert tree.git("rev-parse", "HEAD") == head
    assert tree.git("status", "--porcelain") == f" M {MISSION}\n"
    assert not (tree.root / PENDING).exists()


def test_a_journal_with_an_outside_path_commits_nothing(tree: Place) -> None:
    outside = tree.root.parent / "secret"
    outside.write_text("secret")
    write_journal(tree, "what was begun", "../secret", sha256(b"secret").hexdigest())
    head = tree.git("rev-parse", "HEAD")
    tree.ok("hook", "drain")
    assert tree.git("rev-parse", "HEAD") == head
    assert outside.read_text() == "secret"


def test_the_drafts_of_a_killed_run_are_removed_with_its_journal(tree: Place) -> None:
    draft = "projects/flywheel/.cortexfs-draft.1.0badf00d"
    tree.write(draft, "half of a")
    tree.write(".cortexfs/.cortexfs-draft.pending.jsonl", "half of a journal")
    write_journal(tree, "what was begun", MISSION, "0" * 64)
    tree.ok("hook", "drain")
    assert not list(tree.root.rglob(".cortexfs-draft.*"))
    assert tree.git("status", "--porcelain") == ""


def test_a_git_index_that_was_locked_is_updated_by_the_next_command(tree: Place) -> None:
    lock = tree.write(".git/index.lock", "")
    assert "EXP-001" in tree.ok("new", "experiment", "-s", "Made while git was busy", "-t", "x")
    assert "EXP-001" in tree.git("log", "-1", "--format=%s")
    tree.ok("hook", "drain")
    lock.unlink()
    assert tree.git("diff", "--cached", "--name-only") != ""
    tree.ok("hook", "drain")
    assert tree.git("status", "--porcelain") == ""
    assert not (tree.root / PENDING).exists()


def test_a_branch_that_moves_at_every_attempt_leaves_nothing_staged(
    tree: Place, tmp_path: Path
) -> None:
    fake_git = tmp_path / "bin" / "git"  # a person who commits a file just before we do, each time
    fake_git.parent.mkdir()
    real, file = shutil.which("git"), f"{tree.root}/{MISSION}"
    commit_by_hand = (
        f"echo >>{file}; {real} -C {tree.root} commit --quiet --message quicker -- {file}"
    )
    case = f'case " $* " in *" update-ref "*) {commit_by_hand};; esac'
    fake_git.write_text(f'#!/bin/sh\n{case}\nexec {real} "$@"\n')
    fake_git.chmod(0o755)
    path = f"{fake_git.parent}:{os.environ['PATH']}"
    tree.ok("new", "experiment", "-s", "To be read", "-t", "x")
    tree.ok("show", "EXP-001")
    ran = tree.run("hook", "drain", PATH=path)
    assert (ran.code, "kept moving" in ran.err) == (0, True), ran
    tree.ok("show", "EXP-001")
    tree.ok("hook", "drain")
    assert tree.git("status", "--porcelain") == ""
    assert tree.git("show", f"HEAD:{LOG}").count("EXP-001") == 2
    assert not (tree.root / PENDING).exists()


def test_outside_paths_are_not_recorded(journal: CommitJournal) -> None:
    for path in ("../../x", "/etc/passwd", "a\\b", "a/./b"):
        journal.record_intent(CommitIntent("planted", {path: ANY_CONTENT}))
    assert journal.read_intents() == []


@given(
    st.lists(intents, max_size=5), st.dictionaries(paths, st.sampled_from([ANY_CONTENT, "0" * 64]))
)
def test_only_removed_paths_leave_the_journal(
    tmp_path_factory: pytest.TempPathFactory, recorded: list[CommitIntent], removed: dict[str, str]
) -> None:
    journal = CommitJournal(str(tmp_path_factory.mktemp("tree")))
    for intent in recorded:
        journal.record_intent(intent)
        removed |= dict(list(intent.checksums.items())[:1])
    pairs = [(i.message, *pair) for i in journal.read_intents() for pair in i.checksums.items()]
    journal.remove_paths(removed)
    pairs_after = [
        (i.message, *pair) for i in journal.read_intents() for pair in i.checksums.items()
    ]
    assert pairs_after == [pair for pair in pairs if removed.get(pair[1]) != pair[2]]
    assert all(intent.checksums for intent in journal.read_intents())
