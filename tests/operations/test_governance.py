"""`status`, `issue`, `mission`, `roadmap`, `scan`, `user`: one file, one commit, its cap kept."""

from __future__ import annotations

import json
import os
import stat
from typing import TYPE_CHECKING, Any

import pytest
from terminal import kept, talk

if TYPE_CHECKING:
    from place import Place

HERE = "projects/flywheel"
CHANGES = {
    "status set": (["status", "set", "--next", "Go on"], f"{HERE}/STATUS.md"),
    "status edit": (["status", "edit", "--body-file", "../new.md"], f"{HERE}/STATUS.md"),
    "issue add": (["issue", "add", "Slow", "--problem", "3 s"], f"{HERE}/ISSUES.md"),
    "mission edit": (
        ["mission", "edit", "--approved", "--body-file", "../new.md"],
        f"{HERE}/mission.md",
    ),
    "roadmap add": (["roadmap", "add", "--phase", "1", "--item", "Spin"], f"{HERE}/roadmap.md"),
    "roadmap tick": (["roadmap", "tick", "1"], f"{HERE}/roadmap.md"),
    "scan new": (["scan", "new", "--body-file", "../new.md"], "scans/2026-05-06.md"),
    "user learn": (["user", "learn", "Pace", "slow"], "user/USER.md"),
    "project archive": (["project", "archive", "flywheel"], "OVERVIEW.md"),
}
"""Every changing command, and the file that it is about."""
NOW = "2026-05-06T20:31:10+00:00"


@pytest.fixture(autouse=True)
def _today(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CORTEXFS_NOW", NOW)


@pytest.fixture
def here(tree: Place) -> Place:
    """A tree with a text to be put in place of another, beside it."""
    tree.write(f"{HERE}/roadmap.md", "# r\n\n## Phase 1\n\n### M1\n\n- [ ] Turn\n")
    tree.git("commit", "-qam", "by hand")
    tree.write(
        "../new.md",
        "# New\n\nUpdated: 2026-01-01\n\n## Goal\n\nSpin.\n\n## Current phase\n\nPhase 2: on.\n",
    )
    return tree


def _in_head(place: Place) -> set[str]:
    return set(place.git("show", "--name-only", "--format=", "HEAD").split())


def _said(place: Place, *words: str) -> dict[str, Any]:
    return json.loads(place.ok(*words, "--json"))


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_is_one_commit_of_its_file_and_the_lists_that_follow(
    here: Place, name: str
) -> None:
    words, path = CHANGES[name]
    before = here.git("rev-list", "--count", "HEAD")
    said = _said(here, *words)
    assert said["path"] == path
    assert said["changed"] is True
    assert here.git("rev-list", "--count", "HEAD") == f"{int(before) + 1}\n"
    assert here.git("log", "-1", "--format=%s%n%H") == f"{said['message']}\n{said['commit']}\n"
    lists = {"CORTEX.md", "OVERVIEW.md"}
    assert {p for p in _in_head(here) if p == path or p.rpartition("/")[2] not in lists} == {path}
    assert here.git("status", "--porcelain") == ""
    assert here.run("check", "--strict").code == 0


@pytest.mark.parametrize("name", CHANGES)
def test_a_dry_run_shows_the_file_and_touches_nothing(here: Place, name: str) -> None:
    words, path = CHANGES[name]
    head = here.git("rev-parse", "HEAD")
    plan = _said(here, *words, "--dry-run")["plan"]
    assert path in [write["path"] for write in plan["writes"]]
    assert here.git("rev-parse", "HEAD") == head
    assert here.git("status", "--porcelain") == ""


@pytest.mark.parametrize("name", CHANGES)
def test_without_a_commit_the_files_are_written_and_left(here: Place, name: str) -> None:
    words, path = CHANGES[name]
    head = here.git("rev-parse", "HEAD")
    assert "commit" not in _said(here, *words, "--no-commit")
    assert here.git("rev-parse", "HEAD") == head
    assert path in here.git("status", "--porcelain", "-uall")


@pytest.mark.parametrize("name", CHANGES)
def test_what_the_user_had_changed_in_the_file_comes_along_and_that_is_said(
    here: Place, name: str
) -> None:
    words, path = CHANGES[name]
    own = {"OVERVIEW.md": "\nMine.\n"}.get(path, "\n## Mine\n\nMine.\n")
    before = here.read(path) if (here.root / path).exists() else "# Scan\n"
    here.write(path, before + own)
    ran = here.run(*words)
    assert (ran.code, ran.err) == (0, f"{path}: what you had changed in it is committed too\n")
    edited = "edit" in name
    assert edited or here.read(path).startswith("# ")
    assert ("Mine." in here.git("show", f"HEAD:{path}")) is not edited
    assert here.git("status", "--porcelain") == ""


@pytest.mark.parametrize("name", [name for name in CHANGES if name != "project archive"])
def test_lists_that_the_user_has_changed_are_left_to_him(here: Place, name: str) -> None:
    words, _ = CHANGES[name]
    lists = ("CORTEX.md", "OVERVIEW.md", f"{HERE}/CORTEX.md", "scans/CORTEX.md", "user/CORTEX.md")
    mine = {path: here.read(path) + "mine\n" for path in lists}
    for path, text in mine.items():
        here.write(path, text)
    here.ok(*words)
    assert {path: here.read(path) for path in lists} == mine
    assert not _in_head(here) & set(lists)


@pytest.mark.parametrize(
    ("words", "path"),
    [
        (["status", "set", "--next", "x" * 99], f"{HERE}/STATUS.md"),
        (["issue", "add", "t", "--problem", "x"], f"{HERE}/ISSUES.md"),
        (["roadmap", "add", "--phase", "1", "--item", "x"], f"{HERE}/roadmap.md"),
        (["mission", "edit", "--approved", "--body-file", "../new.md"], f"{HERE}/mission.md"),
        (["user", "learn", "k", "v"], "user/USER.md"),
    ],
)
def test_what_would_be_over_its_cap_is_refused_with_what_could_go(
    here: Place, words: list[str], path: str
) -> None:
    long = f"{here.read(path)}\n## Long\n\n" + "- A line that could go.\n" * 260
    here.write("../new.md" if "edit" in words else path, long)
    here.git("add", ".")
    here.git("commit", "--allow-empty", "-qm", "by hand")
    ran = here.run(*words)
    assert ran.code == 3
    assert f"{path} would have" in ran.err
    assert "you could remove: " in ran.err
    assert "the longest section `Long` (260 lines)" in ran.err
    assert here.git("status", "--porcelain") == ""


def test_a_change_that_shrinks_a_file_over_its_cap_is_made(here: Place) -> None:
    entry = "## Issue {} (2026-01-{:02d})\n\n- Problem: x\n\n"
    text = "# i\n\n" + "".join(entry.format(day, day) for day in range(1, 26))
    here.write(f"{HERE}/ISSUES.md", text)
    here.git("commit", "-qam", "by hand")
    assert here.run("issue", "add", "more", "--problem", "x").code == 3
    here.ok("issue", "resolve", "1")
    assert here.read(f"{HERE}/ISSUES.md") == text.replace(entry.format(1, 1), "").rstrip() + "\n\n"


def test_a_tree_can_set_its_own_caps(here: Place) -> None:
    here.write("cortexfs.yaml", "caps: {STATUS.md: {bytes: 300}}\n")
    here.ok("commit")
    ran = here.run("status", "set", "--next", "x" * 200)
    assert "its cap is 120 lines and 300 bytes" in ran.err
    here.ok("status", "set", "--next", "x")


@pytest.mark.parametrize(
    "words",
    [
        ["status", "set", "--next", "Go on", "--phase", "Phase 2"],
        ["user", "learn", "Pace", "slow"],
        ["roadmap", "tick", "1"],
        ["project", "archive", "flywheel", "--reason", "done"],
    ],
)
def test_what_is_so_already_is_no_commit(here: Place, words: list[str]) -> None:
    here.ok(*words)
    head = here.git("rev-parse", "HEAD")
    assert here.ok(*words) == "nothing to change\n"
    assert _said(here, *words)["changed"] is False
    assert here.git("rev-parse", "HEAD") == head


def test_line_ends_and_odd_spacing_are_kept(here: Place) -> None:
    path, end = f"{HERE}/STATUS.md", "\r\n"
    text = (
        here.read(path).replace("## Next steps\n\n", "##  Next   Steps ##\n\n\n").replace("\n", end)
    )
    here.write(path, text)
    here.git("commit", "-qam", "by hand")
    here.ok("status", "set", "--next", "One", "--next", "Two")
    said = text.replace("- Write the success conditions into `mission.md`.", f"- One{end}- Two")
    assert here.read(path) == said


def test_a_file_that_is_missing_begins_as_its_template(here: Place) -> None:
    (here.root / HERE / "STATUS.md").unlink()
    (here.root / HERE / "ISSUES.md").unlink()
    here.ok("commit")
    assert "## Open blockers" in here.ok("status", "show")
    here.ok("status", "set", "--blocker", "No power")
    assert here.read(f"{HERE}/STATUS.md").startswith("# flywheel status\n\nUpdated: 2026-05-06\n")
    here.ok("issue", "add", "Slow", "--problem", "3 s")
    assert here.read(f"{HERE}/ISSUES.md").startswith("# flywheel issues\n\n## Slow (2026-05-06)\n")


def test_a_file_that_is_no_text_is_refused_and_untouched(here: Place) -> None:
    (here.root / HERE / "STATUS.md").write_bytes(b"\xff\xfe")
    for words in (["status", "show"], ["status", "set", "--next", "x"]):
        ran = here.run(*words)
        assert (ran.code, "is not UTF-8" in ran.err) == (3, True)
    assert (here.root / HERE / "STATUS.md").read_bytes() == b"\xff\xfe"


def test_a_mission_is_not_edited_without_the_users_word(here: Place) -> None:
    ran = here.run("mission", "edit", "--body-file", "../new.md", EDITOR="false")
    assert (ran.code, "--approved" in ran.err) == (3, True)
    assert here.read(f"{HERE}/mission.md").startswith("# flywheel mission")


def test_the_editor_begins_with_what_stands_there(here: Place) -> None:
    assert talk(here, "status", "edit", EDITOR="sed -i 's/Phase 1\\./Phase 2: go./'").code == 0
    assert "Phase 2: go." in here.read(f"{HERE}/STATUS.md")
    assert "| flywheel | **Phase 2: go** | medium | 2026-05-06 |" in here.read("OVERVIEW.md")
    assert talk(here, "status", "edit", EDITOR="true").said == "nothing to change\n"


def test_what_was_written_in_the_editor_is_kept_where_it_is_refused(here: Place) -> None:
    done = talk(here, "mission", "edit", "--approved", EDITOR="sh -c 'seq 200 > $1' x")
    assert done.code == 3
    path = done.said.rpartition("what you wrote is kept in ")[2].strip()
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
    assert kept(done.said).splitlines()[-1] == "200"


def test_a_file_that_changed_while_the_editor_was_open_is_a_conflict(here: Place) -> None:
    path = here.root / HERE / "STATUS.md"
    done = talk(here, "status", "edit", EDITOR=f"sh -c 'echo mine >> {path}; echo new >> $1' x")
    assert done.code == 4
    assert here.read(f"{HERE}/STATUS.md").endswith("mine\n")
    assert kept(done.said).endswith("new\n")


def test_issues_are_listed_by_number_and_resolved_by_it(sample: Place) -> None:
    listed = _said(sample, "issue", "list", "-p", "greenhouse")["issues"]
    assert [(i["number"], i["title"], i["date"]) for i in listed] == [
        (1, "Lost packets", "2026-03-15"),
        (2, "Condensation in the north box", "2026-04-12"),
    ]
    before = sample.read("projects/greenhouse/ISSUES.md")
    sample.ok("issue", "resolve", "2", "-p", "greenhouse")
    assert listed[1]["content"] not in sample.read("projects/greenhouse/ISSUES.md")
    assert before.startswith(sample.read("projects/greenhouse/ISSUES.md").rstrip("\n"))
    assert sample.ok("issue", "list", "-p", "lighthouse").startswith("1\t2026-03-18\tTwo services")


def test_an_issue_says_its_problem_when_it_shows_and_what_was_looked_into(here: Place) -> None:
    here.ok("issue", "add", "Slow", "--problem", "a", "--when", "b", "--investigation", "c")
    entry = "\n## Slow (2026-05-06)\n\n- Problem: a\n- When: b\n- Investigation: c\n"
    assert here.read(f"{HERE}/ISSUES.md").endswith(entry)


def test_a_roadmap_is_shown_with_its_numbers_and_ticked_by_them(sample: Place) -> None:
    items = _said(sample, "roadmap", "show", "-p", "driftwood")["items"]
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


def test_scans_of_one_day_are_one_file_and_the_last_is_said_above(sample: Place) -> None:
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
    listed = _said(sample, "scan", "list")["scans"]
    assert [scan["date"] for scan in listed] == ["2026-05-06", "2026-05-04"]
    assert listed[0]["scope"] == "all of it"


def test_a_preference_that_conflicts_replaces_the_old_one(sample: Place) -> None:
    before = sample.read("user/USER.md")
    sample.ok("user", "learn", "driftwood", "Rust, no unsafe", "--type", "technical context")
    line = next(line for line in before.splitlines() if line.startswith("- driftwood: Rust"))
    dated = before.replace("last-updated: 2026-04-30", "last-updated: 2026-05-06")
    assert sample.read("user/USER.md") == dated.replace(line, "- driftwood: Rust, no unsafe")
    assert {
        "section": "Technical context",
        "key": "driftwood",
        "value": "Rust, no unsafe",
    } in _said(sample, "user", "show")["preferences"]


def test_what_is_private_stays_private(here: Place) -> None:
    file = here.root / "user" / "USER.md"
    file.chmod(0o600)
    here.ok("user", "learn", "Pace", "slow")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    (here.root / "scans").chmod(0o700)
    here.ok("scan", "new", "--body-file", "../new.md")
    assert stat.S_IMODE((here.root / "scans/2026-05-06.md").stat().st_mode) == 0o600


def test_words_of_a_file_never_reach_the_terminal_as_commands(here: Place) -> None:
    here.write(
        f"{HERE}/ISSUES.md", "# i\n\n## Red \x1b[31m alert (2026-05-01)\n\n- Problem: \x07\n"
    )
    here.write(f"{HERE}/roadmap.md", "## P\x1b]0;x\x07\n\n- [ ] a\u202eb\n")
    for words in (["issue", "list"], ["roadmap", "show"], ["issue", "resolve", "zzz"]):
        ran = here.run(*words)
        assert not set(ran.out + ran.err) & set("\x1b\x07\u202e"), words


def test_what_a_change_takes_away_before_git_has_seen_it_is_committed_first(here: Place) -> None:
    path = f"{HERE}/ISSUES.md"
    here.write(path, f"{here.read(path)}\n## Slow\n\n- **Problem:** 3 s, by hand\n")
    here.ok("issue", "resolve", "Slow")
    assert "by hand" not in here.read(path)
    assert "by hand" in here.git("show", f"HEAD~1:{path}")
    assert here.git("log", "-1", "--format=%s", "HEAD~1") == f"keep {path} as it was\n"


def test_an_issue_needs_nothing_but_its_text(tree: Place) -> None:
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
