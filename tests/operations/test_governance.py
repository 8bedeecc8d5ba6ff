"""`status`, `issue`, `mission`, `roadmap`, `scan`, `user`: one file, one commit, its cap kept."""

from __future__ import annotations

import json
import os
import stat
from typing import TYPE_CHECKING, Any

import pytest
from place import build_tree
from soak_cases import leave_to_soak
from terminal import take_kept_text, talk

if TYPE_CHECKING:
    from pathlib import Path

    from place import CopyTree, Place

PROJECT = "projects/flywheel"
CHANGES = {
    "status set": (["status", "set", "--next", "Go on"], f"{PROJECT}/STATUS.md"),
    "status edit": (["status", "edit", "--body-file", "../new.md"], f"{PROJECT}/STATUS.md"),
    "issue add": (["issue", "add", "Slow", "--problem", "3 s"], f"{PROJECT}/ISSUES.md"),
    "mission edit": (
        ["mission", "edit", "--approved", "--body-file", "../new.md"],
        f"{PROJECT}/mission.md",
    ),
    "roadmap add": (["roadmap", "add", "--phase", "1", "--item", "Spin"], f"{PROJECT}/roadmap.md"),
    "roadmap tick": (["roadmap", "tick", "1"], f"{PROJECT}/roadmap.md"),
    "scan new": (["scan", "new", "--body-file", "../new.md"], "scans/2026-05-06.md"),
    "user learn": (["user", "learn", "Pace", "slow"], "user/USER.md"),
    "project archive": (["project", "archive", "flywheel"], "OVERVIEW.md"),
}
"""Every changing command, and the file that it changes."""
NOW = "2026-05-06T20:31:10+00:00"


@pytest.fixture(autouse=True)
def _fix_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CORTEXFS_NOW", NOW)


def _build_place(tree: Place) -> None:
    build_tree(tree)
    tree.write(f"{PROJECT}/roadmap.md", "# r\n\n## Phase 1\n\n### M1\n\n- [ ] Turn\n")
    tree.git("commit", "-qam", "by hand")


@pytest.fixture
def place(tmp_path: Path, copy_tree: CopyTree) -> Place:
    """A tree, and beside it `new.md`, the new text of a file."""
    tree = copy_tree(tmp_path / "tree", _build_place)
    tree.write(
        "../new.md",
        "# New\n\nUpdated: 2026-01-01\n\n## Goal\n\nSpin.\n\n## Current phase\n\nPhase 2: on.\n",
    )
    return tree


def _list_committed_paths(place: Place) -> set[str]:
    return set(place.git("show", "--name-only", "--format=", "HEAD").split())


def _run_json(place: Place, *words: str) -> dict[str, Any]:
    return json.loads(place.ok(*words, "--json"))


@pytest.mark.parametrize("name", leave_to_soak(CHANGES, every=3))
def test_a_change_is_one_commit_of_its_file_and_the_dependent_lists(
    place: Place, name: str
) -> None:
    words, path = CHANGES[name]
    before = place.git("rev-list", "--count", "HEAD")
    document = _run_json(place, *words)
    assert document["path"] == path
    assert document["changed"] is True
    assert place.git("rev-list", "--count", "HEAD") == f"{int(before) + 1}\n"
    assert (
        place.git("log", "-1", "--format=%s%n%H")
        == f"{document['message']}\n{document['commit']}\n"
    )
    lists = {"CORTEX.md", "OVERVIEW.md"}
    assert {
        p for p in _list_committed_paths(place) if p == path or p.rpartition("/")[2] not in lists
    } == {path}
    assert place.git("status", "--porcelain") == ""
    assert place.run("check", "--strict").code == 0


@pytest.mark.parametrize("name", leave_to_soak(CHANGES, every=3))
def test_a_dry_run_shows_the_file_and_touches_nothing(place: Place, name: str) -> None:
    words, path = CHANGES[name]
    head = place.git("rev-parse", "HEAD")
    plan = _run_json(place, *words, "--dry-run")["plan"]
    assert path in [write["path"] for write in plan["writes"]]
    assert place.git("rev-parse", "HEAD") == head
    assert place.git("status", "--porcelain") == ""


@pytest.mark.parametrize("name", leave_to_soak(CHANGES, every=3))
def test_without_a_commit_the_files_are_written_and_not_committed(place: Place, name: str) -> None:
    words, path = CHANGES[name]
    head = place.git("rev-parse", "HEAD")
    assert "commit" not in _run_json(place, *words, "--no-commit")
    assert place.git("rev-parse", "HEAD") == head
    assert path in place.git("status", "--porcelain", "-uall")


@pytest.mark.parametrize("name", leave_to_soak(CHANGES, every=3))
def test_uncommitted_edits_of_the_file_are_committed_with_a_message(
    place: Place, name: str
) -> None:
    words, path = CHANGES[name]
    own = {"OVERVIEW.md": "\nMine.\n"}.get(path, "\n## Mine\n\nMine.\n")
    before = place.read(path) if (place.root / path).exists() else "# Scan\n"
    place.write(path, before + own)
    ran = place.run(*words)
    assert (ran.code, ran.err) == (
        0,
        f"{path}: your uncommitted changes are included in the commit\n",
    )
    edited = "edit" in name
    assert edited or place.read(path).startswith("# ")
    assert ("Mine." in place.git("show", f"HEAD:{path}")) is not edited
    assert place.git("status", "--porcelain") == ""


@pytest.mark.parametrize(
    "name", leave_to_soak([name for name in CHANGES if name != "project archive"], every=3)
)
def test_uncommitted_lists_are_not_changed(place: Place, name: str) -> None:
    words, _ = CHANGES[name]
    lists = (
        "CORTEX.md",
        "OVERVIEW.md",
        f"{PROJECT}/CORTEX.md",
        "scans/CORTEX.md",
        "user/CORTEX.md",
    )
    mine = {path: place.read(path) + "mine\n" for path in lists}
    for path, text in mine.items():
        place.write(path, text)
    place.ok(*words)
    assert {path: place.read(path) for path in lists} == mine
    assert not _list_committed_paths(place) & set(lists)


@pytest.mark.parametrize(
    ("words", "path"),
    [
        (["status", "set", "--next", "x" * 99], f"{PROJECT}/STATUS.md"),
        (["issue", "add", "t", "--problem", "x"], f"{PROJECT}/ISSUES.md"),
        (["roadmap", "add", "--phase", "1", "--item", "x"], f"{PROJECT}/roadmap.md"),
        (["mission", "edit", "--approved", "--body-file", "../new.md"], f"{PROJECT}/mission.md"),
        (["user", "learn", "k", "v"], "user/USER.md"),
    ],
)
def test_a_change_over_the_cap_is_refused_with_what_to_trim(
    place: Place, words: list[str], path: str
) -> None:
    long = f"{place.read(path)}\n## Long\n\n" + "- A line that could go.\n" * 260
    place.write("../new.md" if "edit" in words else path, long)
    place.git("add", ".")
    place.git("commit", "--allow-empty", "-qm", "by hand")
    ran = place.run(*words)
    assert ran.code == 3
    assert f"{path} would have" in ran.err
    assert "you could remove: " in ran.err
    assert "the longest section `Long` (260 lines)" in ran.err
    assert place.git("status", "--porcelain") == ""


def test_a_change_that_shrinks_a_file_over_its_cap_is_allowed(place: Place) -> None:
    entry = "## Issue {} (2026-01-{:02d})\n\n- Problem: x\n\n"
    text = "# i\n\n" + "".join(entry.format(day, day) for day in range(1, 26))
    place.write(f"{PROJECT}/ISSUES.md", text)
    place.git("commit", "-qam", "by hand")
    assert place.run("issue", "add", "more", "--problem", "x").code == 3
    place.ok("issue", "resolve", "1")
    assert (
        place.read(f"{PROJECT}/ISSUES.md") == text.replace(entry.format(1, 1), "").rstrip() + "\n\n"
    )


def test_a_tree_can_set_its_own_caps(place: Place) -> None:
    place.write("cortexfs.yaml", "caps: {STATUS.md: {bytes: 300}}\n")
    place.ok("commit")
    ran = place.run("status", "set", "--next", "x" * 200)
    assert "its cap is 120 lines and 300 bytes" in ran.err
    place.ok("status", "set", "--next", "x")


@pytest.mark.parametrize(
    "words",
    leave_to_soak(
        [
            ["status", "set", "--next", "Go on", "--phase", "Phase 2"],
            ["user", "learn", "Pace", "slow"],
            ["roadmap", "tick", "1"],
            ["project", "archive", "flywheel", "--reason", "done"],
        ],
        every=2,
    ),
)
def test_a_change_that_changes_nothing_makes_no_commit(place: Place, words: list[str]) -> None:
    place.ok(*words)
    head = place.git("rev-parse", "HEAD")
    assert place.ok(*words) == "nothing to change\n"
    assert _run_json(place, *words)["changed"] is False
    assert place.git("rev-parse", "HEAD") == head


def test_line_ends_and_odd_spacing_are_kept(place: Place) -> None:
    path, end = f"{PROJECT}/STATUS.md", "\r\n"
    text = place.read(path).replace("## Next steps\n\n", "##  Next   Steps ##\n\n\n")
    text = text.replace("\n", end)
    place.write(path, text)
    place.git("commit", "-qam", "by hand")
    place.ok("status", "set", "--next", "One", "--next", "Two")
    content = text.replace("- Write the success conditions into `mission.md`.", f"- One{end}- Two")
    assert place.read(path) == content


def test_a_missing_file_starts_from_its_template(place: Place) -> None:
    (place.root / PROJECT / "STATUS.md").unlink()
    (place.root / PROJECT / "ISSUES.md").unlink()
    place.ok("commit")
    assert "## Open blockers" in place.ok("status", "show")
    place.ok("status", "set", "--blocker", "No power")
    assert place.read(f"{PROJECT}/STATUS.md").startswith(
        "# flywheel status\n\nUpdated: 2026-05-06\n"
    )
    place.ok("issue", "add", "Slow", "--problem", "3 s")
    assert place.read(f"{PROJECT}/ISSUES.md").startswith(
        "# flywheel issues\n\n## Slow (2026-05-06)\n"
    )


def test_a_file_that_is_not_text_is_refused_and_untouched(place: Place) -> None:
    (place.root / PROJECT / "STATUS.md").write_bytes(b"\xff\xfe")
    for words in (["status", "show"], ["status", "set", "--next", "x"]):
        ran = place.run(*words)
        assert (ran.code, "is not UTF-8" in ran.err) == (3, True)
    assert (place.root / PROJECT / "STATUS.md").read_bytes() == b"\xff\xfe"


def test_a_mission_is_edited_only_with_approved(place: Place) -> None:
    ran = place.run("mission", "edit", "--body-file", "../new.md", EDITOR="false")
    assert (ran.code, "--approved" in ran.err) == (3, True)
    assert place.read(f"{PROJECT}/mission.md").startswith("# flywheel mission")


def test_the_editor_opens_the_current_text(place: Place) -> None:
    assert talk(place, "status", "edit", EDITOR="sed -i 's/Phase 1\\./Phase 2: go./'").code == 0
    assert "Phase 2: go." in place.read(f"{PROJECT}/STATUS.md")
    assert "| flywheel | **Phase 2: go** | medium | 2026-05-06 |" in place.read("OVERVIEW.md")
    assert talk(place, "status", "edit", EDITOR="true").output == "nothing to change\n"


def test_a_refused_edit_keeps_the_text_of_the_editor(place: Place) -> None:
    done = talk(place, "mission", "edit", "--approved", EDITOR="sh -c 'seq 200 > $1' x")
    assert done.code == 3
    path = done.output.rpartition("your text is saved in ")[2].strip()
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
    assert take_kept_text(done.output).splitlines()[-1] == "200"


def test_a_file_that_changed_while_the_editor_was_open_is_a_conflict(place: Place) -> None:
    path = place.root / PROJECT / "STATUS.md"
    done = talk(place, "status", "edit", EDITOR=f"sh -c 'echo mine >> {path}; echo new >> $1' x")
    assert done.code == 4
    assert place.read(f"{PROJECT}/STATUS.md").endswith("mine\n")
    assert take_kept_text(done.output).endswith("new\n")


def test_issues_are_listed_by_number_and_resolved_by_it(sample: Place) -> None:
    listed = _run_json(sample, "issue", "list", "-p", "greenhouse")["issues"]
    assert [(i["number"], i["title"], i["date"]) for i in listed] == [
        (1, "Lost packets", "2026-03-15"),
        (2, "Condensation in the north box", "2026-04-12"),
    ]
    before = sample.read("projects/greenhouse/ISSUES.md")
    sample.ok("issue", "resolve", "2", "-p", "greenhouse")
    assert listed[1]["content"] not in sample.read("projects/greenhouse/ISSUES.md")
    assert before.startswith(sample.read("projects/greenhouse/ISSUES.md").rstrip("\n"))
    assert sample.ok("issue", "list", "-p", "lighthouse").startswith("1\t2026-03-18\tTwo services")


def test_an_issue_has_its_problem_symptoms_and_investigation(place: Place) -> None:
    place.ok("issue", "add", "Slow", "--problem", "a", "--when", "b", "--investigation", "c")
    entry = "\n## Slow (2026-05-06)\n\n- Problem: a\n- When: b\n- Investigation: c\n"
    assert place.read(f"{PROJECT}/ISSUES.md").endswith(entry)


def test_a_roadmap_item_is_ticked_by_its_number(sample: Place) -> None:
    items = _run_json(sample, "roadmap", "show", "-p", "driftwood")["items"]
    open_ = [item for item in items if not item["done"]]
    assert open_[0] == {
        "number": 12,
        "done": False,
        "text": "Cost of frames by time measured on all sets",
        "phase": "Phase 3: Streaming",
        "milestone": "M3.1 Frames by time",
    }
    sample.ok("roadmap", "tick", "12", "-p", "driftwood")
    diff = sample.git("show", "--format=", "HEAD", "--", "projects/driftwood/roadmap.md")
    changed = [line for line in diff.splitlines() if line[:1] in "+-" and line[:3] not in "+++---"]
    assert changed == [f"-- [ ] {open_[0]['text']}", f"+- [x] {open_[0]['text']}"]
    assert "3\t[x]" not in sample.ok("roadmap", "show", "-p", "greenhouse")


def test_scans_of_one_day_share_a_file_and_the_overview_names_the_last(sample: Place) -> None:
    for body in ("first\n", "second\n"):
        sample.write("body.txt", body)
        sample.ok("scan", "new", "--scope", "all of it", "--body-file", "body.txt")
    text = sample.read("scans/2026-05-06.md")
    assert text == (
        "# Scan of 2026-05-06\n\nScope: all of it\n\nfirst\n\n"
        "## At 20:31 UTC\n\nScope: all of it\n\nsecond\n"
    )
    assert "Last scan: 2026-05-06\n" in sample.read("OVERVIEW.md")
    assert "| [2026-05-06.md](2026-05-06.md) | all of it |" in sample.read("scans/CORTEX.md")
    listed = _run_json(sample, "scan", "list")["scans"]
    assert [scan["date"] for scan in listed] == ["2026-05-06", "2026-05-04"]
    assert listed[0]["scope"] == "all of it"


def test_a_conflicting_preference_replaces_the_old_one(sample: Place) -> None:
    before = sample.read("user/USER.md")
    sample.ok("user", "learn", "driftwood", "Rust, no unsafe", "--type", "technical context")
    line = next(line for line in before.splitlines() if line.startswith("- driftwood: Rust"))
    dated = before.replace("last-updated: 2026-04-30", "last-updated: 2026-05-06")
    assert sample.read("user/USER.md") == dated.replace(line, "- driftwood: Rust, no unsafe")
    assert {
        "section": "Technical context",
        "key": "driftwood",
        "value": "Rust, no unsafe",
    } in _run_json(sample, "user", "show")["preferences"]


def test_a_private_user_file_keeps_its_mode(place: Place) -> None:
    file = place.root / "user" / "USER.md"
    file.chmod(0o600)
    place.ok("user", "learn", "Pace", "slow")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    (place.root / "scans").chmod(0o700)
    place.ok("scan", "new", "--body-file", "../new.md")
    assert stat.S_IMODE((place.root / "scans/2026-05-06.md").stat().st_mode) == 0o600


def test_control_characters_of_a_file_do_not_reach_the_terminal(place: Place) -> None:
    place.write(
        f"{PROJECT}/ISSUES.md", "# i\n\n## Red \x1b[31m alert (2026-05-01)\n\n- Problem: \x07\n"
    )
    place.write(f"{PROJECT}/roadmap.md", "## P\x1b]0;x\x07\n\n- [ ] a\u202eb\n")
    for words in (["issue", "list"], ["roadmap", "show"], ["issue", "resolve", "zzz"]):
        ran = place.run(*words)
        assert not set(ran.out + ran.err) & set("\x1b\x07\u202e"), words


def test_uncommitted_text_that_a_change_removes_is_committed_first(place: Place) -> None:
    path = f"{PROJECT}/ISSUES.md"
    place.write(path, f"{place.read(path)}\n## Slow\n\n- **Problem:** 3 s, by hand\n")
    place.ok("issue", "resolve", "Slow")
    assert "by hand" not in place.read(path)
    assert "by hand" in place.git("show", f"HEAD~1:{path}")
    assert place.git("log", "-1", "--format=%s", "HEAD~1") == f"keep {path} as it was\n"


def test_an_issue_needs_only_its_text(tree: Place) -> None:
    tree.ok("issue", "add", "Clock drifts. It loses 3 s a day. Since May.")
    tree.ok("issue", "add", "No board")
    text = tree.read("projects/flywheel/ISSUES.md")
    assert "## Clock drifts (" in text
    assert "- Problem: It loses 3 s a day. Since May.\n" in text
    found = json.loads(tree.ok("issue", "list", "--json"))["issues"]
    assert [issue["title"] for issue in found] == ["Clock drifts", "No board"]
    tree.ok("issue", "resolve", "1")
    assert "Clock" not in tree.read("projects/flywheel/ISSUES.md")


def test_a_status_without_a_phase_is_refused(tree: Place) -> None:
    before = tree.read("projects/flywheel/STATUS.md")
    assert tree.run("status", "set", "--phase", " ").code == 2
    assert tree.read("projects/flywheel/STATUS.md") == before
