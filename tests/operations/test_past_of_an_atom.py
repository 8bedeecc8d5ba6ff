"""`log`, `diff` and `show --at`: the history of an atom across its names."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from place import build_tree
from soak_cases import leave_rows_to_soak

if TYPE_CHECKING:
    from pathlib import Path

    from place import CopyTree, Place

OLD = "projects/flywheel/experiments/EXP-001.md"
NEW = "projects/sundial/experiments/EXP-007.md"


def format_atom(project: str, ident: str, status: str, body: str = "") -> str:
    head = f"---\nid: {ident}\ndate: 2026-03-01\nproject: {project}\nsummary: Spin\n"
    filling = "".join(f"Measured {n} turns.\n" for n in range(30))
    return f"{head}tags: [speed]\nstatus: {status}\n---\n\n# Spin\n\n{filling}{body}"


def commit_by_hand(place: Place, path: str, text: str, subject: str, day: str) -> str:
    """Commit one file on a day, as a person does; return the id of the commit."""
    place.write(path, text)
    place.git("add", "-A")
    author = ("-c", f"user.name=Ada of {day}")
    date = f"{day}T12:00:00Z"
    place.git(*author, "commit", "-qm", subject, "--date", date, GIT_COMMITTER_DATE=date)
    return place.git("rev-parse", "HEAD").strip()


def _build_place(tree: Place) -> None:
    build_tree(tree)
    tree.ok("project", "new", "sundial", "--goal", "Know the time")
    for day, path, status, subject in (
        ("2027-03-01", OLD, "valid", "first"),
        ("2027-03-02", OLD, "superseded:EXP-002", "found wrong"),
        ("2027-03-03", NEW, "superseded:EXP-002", "move it"),
        ("2027-03-04", NEW, "valid", "right after all"),
    ):
        (tree.root / OLD).unlink(missing_ok=True)
        project, ident = path.split("/")[1], path[-10:-3]
        commit_by_hand(tree, path, format_atom(project, ident, status), subject, day)


@pytest.fixture
def place(tmp_path: Path, copy_tree: CopyTree, monkeypatch: pytest.MonkeyPatch) -> Place:
    """An atom that was written, superseded, moved to another project, and marked valid again."""
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2027-03-04T12:00:00Z")
    return copy_tree(tmp_path / "tree", _build_place)


def list_changes(place: Place, *words: str) -> list[dict[str, Any]]:
    changes: list[dict[str, Any]] = json.loads(place.ok("log", *words, "--json"))["changes"]
    return changes


def test_log_follows_an_atom_across_projects_and_statuses(place: Place) -> None:
    changes = list_changes(place, "sundial/EXP-007")
    assert [change["subject"] for change in changes] == [
        "right after all",
        "move it",
        "found wrong",
        "first",
    ]
    assert [change.get("status-change") for change in changes] == [
        {"before": "superseded:EXP-002", "after": "valid"},
        None,
        {"before": "valid", "after": "superseded:EXP-002"},
        None,
    ]
    assert [change.get("moved-from") for change in changes] == [None, OLD, None, None]
    plain = place.ok("log", "sundial/EXP-007")
    assert "found wrong (valid → superseded:EXP-002)" in plain
    assert f"move it (moved from {OLD})" in plain
    assert "2027-03-02T12:00:00Z\tAda of 2027-03-02\t" in plain


def test_a_limited_log_still_shows_the_previous_status(place: Place) -> None:
    (change,) = list_changes(place, "sundial/EXP-007", "--limit", "1")
    assert change["status-change"] == {"before": "superseded:EXP-002", "after": "valid"}


def test_log_accepts_the_old_name_of_an_atom(place: Place) -> None:
    assert [change["subject"] for change in list_changes(place, "flywheel/EXP-001")][-1] == "first"
    assert "valid" in place.ok("show", "flywheel/EXP-001", "--at", "2027-03-01")
    assert place.run("show", "flywheel/EXP-001").code == 3


def test_the_log_of_the_tree_names_the_refs_of_each_change(place: Place) -> None:
    changes = list_changes(place, "-n", "3")
    assert [change["changed-refs"] for change in changes] == [
        ["sundial/EXP-007"],
        ["flywheel/EXP-001", "sundial/EXP-007"],
        ["flywheel/EXP-001"],
    ]
    assert "move it (flywheel/EXP-001, sundial/EXP-007)" in place.ok("log", "-n", "2")


def test_housekeeping_commits_are_left_out_by_default(place: Place) -> None:
    place.ok("show", "sundial/EXP-007")
    place.ok("index", "regen", "--all")
    assert list_changes(place, "-n", "1")[0]["subject"] == "right after all"
    assert list_changes(place, "-n", "1", "--all")[0]["subject"] == "chore: regenerate indexes"


@pytest.mark.parametrize(
    ("at", "path", "status"),
    leave_rows_to_soak(
        [
            ("2027-03-01", OLD, "valid"),
            ("2027-03-02", OLD, "superseded:EXP-002"),
            ("2027-03-03", NEW, "superseded:EXP-002"),
            ("2030-01-01", NEW, "valid"),
            ("HEAD~1", NEW, "superseded:EXP-002"),
            ("HEAD~3", OLD, "valid"),
            ("main", NEW, "valid"),
        ],
        every=3,
    ),
)
def test_show_at_finds_an_atom_under_its_old_path(
    place: Place, at: str, path: str, status: str
) -> None:
    document = json.loads(place.ok("show", "sundial/EXP-007", "--at", at, "--json"))
    assert document["atom"] == {"ref": "sundial/EXP-007", "path": path}
    assert f"status: {status}\n" in document["content"]
    short = place.git("rev-parse", document["revision"]["commit"])[:7]
    assert json.loads(place.ok("show", "sundial/EXP-007", "--at", short, "--json")) == document
    plain = place.ok("show", "sundial/EXP-007", "--at", at)
    assert f"status: {status}\n" in plain
    assert f"{path}, as of {document['revision']['commit'][:10]} " in plain


def test_show_at_is_not_counted_as_a_read(place: Place) -> None:
    place.ok("show", "sundial/EXP-007", "--at", "2027-03-01")
    assert "0 notes" in place.ok("hook", "status")


def test_show_at_a_day_before_the_first_commit_is_refused_with_the_first_day(place: Place) -> None:
    ran = place.run("show", "sundial/EXP-007", "--at", "HEAD~4")
    assert (ran.code, "`sundial/EXP-007` did not exist" in ran.err) == (3, True)
    assert ", 2027-03-01" in ran.err


@pytest.mark.parametrize("at", ["1999-12-31", "2026-02-30", "0000000", "no-such", "-p", "HEAD:x"])
def test_an_unknown_revision_is_refused(place: Place, at: str) -> None:
    for words in (("show",), ("diff",)):
        ran = place.run(*words, "sundial/EXP-007", f"--at={at}")
        assert (ran.code, f"no commit matches `{at}`" in ran.err) == (3, True)


def test_diff_shows_the_last_change_of_an_atom(place: Place) -> None:
    ran = place.run("diff", "sundial/EXP-007")
    assert (ran.code, "-status: superseded:EXP-002\n+status: valid\n" in ran.out) == (0, True)
    assert "right after all" in ran.err


def test_diff_shows_uncommitted_changes_first(place: Place) -> None:
    place.write(NEW, place.read(NEW) + "By hand.\n")
    result = place.run("diff", "sundial/EXP-007")
    assert "+By hand.\n" in result.out
    assert "-status" not in result.out
    place.write(NEW.replace("7", "8"), format_atom("sundial", "EXP-008", "valid"))
    ran = place.run("diff", "sundial/EXP-008")
    assert (ran.code, "+++ projects/sundial/experiments/EXP-008.md" in ran.out) == (0, True)
    assert "never committed" in ran.err


def test_diff_since_a_day_follows_an_older_name(place: Place) -> None:
    document = json.loads(place.ok("diff", "sundial/EXP-007", "--at", "2027-03-01", "--json"))
    assert (document["earlier-path"], document["path"]) == (OLD, NEW)
    assert "-id: EXP-001\n" in document["diff"]
    assert document["since"]["subject"] == "first"
    assert f"{OLD} is now {NEW}" in place.ok("diff", "sundial/EXP-007", "--at", "2027-03-01")


def test_diff_without_a_difference_exits_with_1(place: Place) -> None:
    ran = place.run("diff", "sundial/EXP-007", "--at", "HEAD")
    assert (ran.code, ran.out) == (1, "")
    assert "no changes since" in ran.err


def test_a_removed_atom_has_a_log(place: Place) -> None:
    (place.root / NEW).unlink()
    place.git("commit", "-qam", "away with it")
    assert list_changes(place, "EXP-007")[0]["subject"] == "away with it"
    assert "status: valid" in place.ok("show", "EXP-007", "--at", "HEAD~1")
    assert "-status: valid" in place.ok("diff", "EXP-007")
    assert place.run("log", "EXP-777").code == 3


def test_a_tree_without_a_commit_has_no_log(place: Place) -> None:
    place.write(NEW.replace("7", "8"), format_atom("sundial", "EXP-008", "valid"))
    ran = place.run("log", "sundial/EXP-008")
    assert (ran.code, ran.out, "no commits" in ran.err) == (1, "", True)


def test_control_characters_of_the_history_do_not_reach_the_terminal(place: Place) -> None:
    path = NEW.replace("7", "9")
    evil = "\x1b]0;owned\x07\u202e"
    text = format_atom("sundial", "EXP-009", "valid", f"{evil}one\n")
    commit_by_hand(place, path, text, f"a{evil}b", "2027-03-05")
    place.write(path, format_atom("sundial", "EXP-009", "valid", f"{evil}two\n"))
    for words in (
        ("log",),
        ("log", "sundial/EXP-009"),
        ("diff", "sundial/EXP-009"),
        ("show", "sundial/EXP-009", "--at", "HEAD"),
    ):
        ran = place.run(*words)
        assert not {"\x1b", "\x07", "\u202e"} & set(ran.out + ran.err)
        assert json.loads(place.ok(*words, "--json"))
