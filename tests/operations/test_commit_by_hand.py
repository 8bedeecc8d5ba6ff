"""`commit` checks, indexes and commits what was written by hand."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from soak_cases import leave_rows_to_soak, leave_to_soak

if TYPE_CHECKING:
    from place import Place

FOLDER = "projects/driftwood/experiments"


def _atom(place: Place, number: int, more: str = "") -> str:
    path = f"{FOLDER}/EXP-{number}.md"
    fields = f"id: EXP-{number}\ndate: 2026-03-01\nproject: driftwood\nsummary: s\ntags: [a]\n"
    place.write(path, f"---\n{fields}{more}---\n\nbody\n")
    return path


def _commit(place: Place, *words: str, code: int = 0) -> dict[str, Any]:
    ran = place.run("commit", "--json", *words)
    assert ran.code == code, ran
    return json.loads(ran.out)


def _list_committed_paths(place: Place) -> set[str]:
    """Return the paths of the last commit, except the dependent lists."""
    named = place.git("show", "--name-only", "--format=", "HEAD").split()
    return {path for path in named if path.rpartition("/")[2] not in {"CORTEX.md", "OVERVIEW.md"}}


def test_one_atom_is_one_commit_with_its_index_and_a_message_that_names_it(sample: Place) -> None:
    path = _atom(sample, 700)
    document = _commit(sample)
    assert document["message"] == "edit driftwood/EXP-700"
    assert _list_committed_paths(sample) == {path, f"{FOLDER}/index.md"}
    assert (
        sample.git("log", "-1", "--format=%s%n%H")
        == f"{document['message']}\n{document['commit']}\n"
    )
    assert sample.git("status", "--porcelain") == ""


def test_many_changes_are_counted_in_the_message(sample: Place) -> None:
    for number in range(700, 705):
        _atom(sample, number)
    sample.write("projects/driftwood/mission.md", "another\n")
    assert _commit(sample)["message"] == "edit 5 experiments, 1 other file in driftwood"


def test_the_message_can_be_given(sample: Place) -> None:
    _atom(sample, 700)
    assert _commit(sample, "-m", "what the night showed")["message"] == "what the night showed"
    assert sample.git("log", "-1", "--format=%s") == "what the night showed\n"


def test_only_the_named_paths_are_committed(sample: Place) -> None:
    one, other = _atom(sample, 700), _atom(sample, 701)
    assert _commit(sample, one)["committed"] == [one]
    assert other in sample.git("status", "--porcelain", "-uall")
    assert _commit(sample, "projects/greenhouse")["committed"] == []
    assert _commit(sample, "projects/driftwood")["committed"] == [other]


def test_an_unreadable_file_is_left_out_and_named(sample: Place) -> None:
    good = _atom(sample, 700)
    conflict = _atom(sample, 701, more="status: valid\n")
    sample.write(conflict, sample.read(conflict) + "<<<<<<< ours\n")
    sample.write(f"{FOLDER}/EXP-702.md", "---\nid: [\n---\n")
    document = _commit(sample, code=1)
    assert document["committed"] == [good]
    assert document["held-back"] == [conflict, f"{FOLDER}/EXP-702.md"]
    assert {found["code"] for found in document["findings"]} >= {"conflict-marker", "bad-yaml"}
    assert {conflict, f"{FOLDER}/EXP-702.md"} & _list_committed_paths(sample) == set()


def _edit_committed(place: Place, fields: str, after: str) -> list[str]:
    """Commit an atom, edit its frontmatter by hand, and give the messages about removed fields."""
    path = _atom(place, 700, more=fields)
    _commit(place)
    place.write(path, place.read(path).replace(fields or "date: 2026-03-01\n", after))
    found = _commit(place)["findings"]
    return [each["message"] for each in found if each["code"] == "removed-field"]


@pytest.mark.parametrize(
    ("fields", "after", "message"),
    leave_rows_to_soak(
        [
            ("status: valid\n", "", "`status` was valid in the last commit"),
            ("status: valid\n", "status:\n", "`status` was valid in the last commit"),
            (
                "status: challenged:EXP-011\n",
                "",
                "`status` was challenged:EXP-011 in the last commit",
            ),
            (
                "status: challenged:EXP-011\n",
                "status: valid\n",
                "`status` was challenged:EXP-011 in the last commit: no review ends the challenge",
            ),
            ("", "", "`date` was 2026-03-01 in the last commit"),
        ],
        every=3,
    ),
)
def test_a_hand_edit_that_removes_status_challenge_or_date_is_reported(
    sample: Place, fields: str, after: str, message: str
) -> None:
    assert _edit_committed(sample, fields, after) == [message]


@pytest.mark.parametrize(
    "after",
    leave_to_soak(
        [
            "status: valid\nreviewed: [EXP-011 2026-03-02]\n",
            "status: valid\nreviewed: [driftwood/EXP-011 2026-03-02]\n",
            "status: invalidated:EXP-011\n",
            "status: challenged:EXP-012\n",
        ],
        every=2,
    ),
)
def test_a_challenge_that_ends_as_the_lifecycle_says_is_not_reported(
    sample: Place, after: str
) -> None:
    assert _edit_committed(sample, "status: challenged:EXP-011\n", after) == []


def test_the_first_commit_of_a_repository_reports_no_removed_field(sample: Place) -> None:
    sample.git("update-ref", "-d", "HEAD")
    said = _commit(sample, code=0)
    assert "removed-field" not in {each["code"] for each in said["findings"]}


def test_a_removed_atom_leaves_tree_and_index(sample: Place) -> None:
    (sample.root / f"{FOLDER}/EXP-016.md").unlink()
    _commit(sample)
    assert _list_committed_paths(sample) == {f"{FOLDER}/EXP-016.md", f"{FOLDER}/index.md"}
    assert "[EXP-016]" not in sample.read(f"{FOLDER}/index.md")
    assert sample.git("status", "--porcelain") == ""


def test_nothing_to_commit_makes_no_commit(sample: Place) -> None:
    sample.ok("index", "regen", "--all")
    head = sample.git("rev-parse", "HEAD")
    assert sample.ok("commit") == "nothing to commit\n"
    assert sample.git("rev-parse", "HEAD") == head


def test_a_dry_run_commits_nothing(sample: Place) -> None:
    path, head = _atom(sample, 700), sample.git("rev-parse", "HEAD")
    assert path in sample.ok("commit", "--dry-run")
    assert sample.git("rev-parse", "HEAD") == head


def test_a_path_outside_the_tree_is_refused(sample: Place) -> None:
    assert sample.run("commit", "/etc/passwd").code == 3
    assert sample.run("commit", "..").code == 3


def test_during_a_merge_nothing_is_committed_and_the_reason_is_given(sample: Place) -> None:
    (sample.root / ".git/MERGE_HEAD").write_text(sample.git("rev-parse", "HEAD"))
    _atom(sample, 700)
    head = sample.git("rev-parse", "HEAD")
    ran = sample.run("commit")
    assert "a merge is in progress" in ran.err
    assert sample.git("rev-parse", "HEAD") == head
    (sample.root / ".git/MERGE_HEAD").unlink()
    sample.ok("commit")
    assert sample.git("status", "--porcelain") == ""


@pytest.mark.parametrize("command", ["commit", "new experiment -p driftwood -s unlike-all -t t"])
def test_while_the_ref_is_locked_files_are_written_and_the_next_command_commits_them(
    sample: Place, command: str
) -> None:
    lock = sample.root / ".git/refs/heads/main.lock"
    lock.touch()
    _atom(sample, 700)
    ran = sample.run(*command.split())
    assert ran.code == 0
    assert "written, not committed: .git/refs/heads/main.lock exists" in ran.err
    assert lock.exists()
    lock.unlink()
    sample.ok("commit")
    assert sample.git("status", "--porcelain") == ""


def test_when_git_fails_the_message_names_the_written_files(sample: Place) -> None:
    in_the_way = sample.root / ".git/cortexfs/lock"
    in_the_way.mkdir(parents=True)
    ran = sample.run(*["new", "experiment", "-p", "driftwood", "-s", "unlike-all", "-t", "t"])
    assert ran.code == 3
    assert "written, not committed: projects/driftwood/experiments/EXP-" in ran.err
    in_the_way.rmdir()
    sample.ok("hook", "drain")
    assert sample.git("status", "--porcelain") == ""


def test_a_file_staged_and_edited_again_is_not_reverted_by_the_next_git_commit(
    sample: Place,
) -> None:
    path = "projects/driftwood/ISSUES.md"
    for text in ("staged", "committed"):
        sample.write(path, f"{sample.read(path)}- {text}\n")
        if text == "staged":
            sample.git("add", path)
    sample.ok("commit")
    assert sample.git("status", "--porcelain") == ""


def test_backup_files_of_programs_are_skipped_and_named(tree: Place) -> None:
    remaining = ("STATUS.md.orig", "STATUS.md~", ".STATUS.md.swp", "#STATUS.md#", ".DS_Store")
    for name in remaining:
        tree.write(f"projects/flywheel/{name}", "x\n")
    tree.write("projects/flywheel/notes.md", "A note.\n")
    ran = tree.run("commit")
    assert ran.code == 0
    assert all(f"projects/flywheel/{name}" in ran.err for name in remaining)
    assert "projects/flywheel/notes.md" in ran.out
    names = tree.git("show", "--format=", "--name-only").split()
    assert [name for name in names if name.rpartition("/")[2] in remaining] == []
    assert tree.run("commit").out == "nothing to commit\n"


@pytest.mark.parametrize("path", ["projects/driftwood/data.bin", f"{FOLDER}/EXP-900.md"])
def test_a_huge_file_is_held_back_unread(sample: Place, path: str) -> None:
    with (sample.root / path).open("wb") as file:
        file.truncate(1 << 40)  # more than fits into memory
    other = _atom(sample, 700)
    document = _commit(sample, code=1)
    assert document["held-back"] == [path]
    assert {f["code"] for f in document["findings"] if f["path"] == path} == {"file-too-large"}
    assert other in document["committed"]


def test_a_path_at_which_nothing_is_is_refused_and_a_removed_one_is_committed(
    sample: Place,
) -> None:
    ran = sample.run("commit", "projects/nope.md")
    assert (ran.code, "error: 'projects/nope.md' does not exist" in ran.err) == (3, True)
    path = _atom(sample, 701)
    sample.ok("commit")
    (sample.root / path).unlink()
    assert _commit(sample, path)["message"] == "remove driftwood/EXP-701"
    assert sample.ok("commit", FOLDER) == "nothing to commit\n"
