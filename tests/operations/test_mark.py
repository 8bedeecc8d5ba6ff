"""`mark` changes a status and all that depends on it in one commit, or changes nothing."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import frontmatter
import pytest
from place import build_tree
from soak_cases import leave_rows_to_soak, leave_to_soak

if TYPE_CHECKING:
    from pathlib import Path

    from place import CopyTree, Place

P = "projects/flywheel"
EXP1, EXP2 = f"{P}/experiments/EXP-001.md", f"{P}/experiments/EXP-002.md"
K1, PAT1 = f"{P}/knowledge/K-001.md", f"{P}/patterns/PAT-001.md"


def _build_work(tree: Place) -> None:
    build_tree(tree)
    tree.ok("new", "experiment", "-s", "The first says so", "-t", "a")
    tree.ok("new", "experiment", "-s", "The second says otherwise", "-t", "a")
    tree.ok("new", "knowledge", "-s", "So it is", "-t", "a", "--evidence", "EXP-001")
    tree.ok("new", "pattern", "-s", "So it goes", "-t", "a", "--source-experiments", "EXP-001")
    tree.write(f"{P}/STATUS.md", tree.read(f"{P}/STATUS.md") + "\nSee EXP-001.\n")
    tree.write(f"{P}/tasks-archive.md", "- [x] Repeat EXP-001 [id: 3fa9]\n")
    tree.ok("commit", "-m", "by hand")


@pytest.fixture
def work(tmp_path: Path, copy_tree: CopyTree) -> Place:
    """Two experiments; knowledge, a pattern and a STATUS.md that cite the first."""
    return copy_tree(tmp_path / "tree", _build_work)


def _head(place: Place) -> str:
    return place.git("rev-parse", "HEAD")


def _state(place: Place) -> tuple[str, str, str]:
    return _head(place), place.git("status", "--porcelain"), place.git("stash", "create")


def _files(place: Place) -> list[str]:
    return place.git("show", "--format=", "--name-only").split()


def _fields(place: Place, path: str) -> dict[str, object]:
    return frontmatter.loads(place.read(path)).metadata


def _errors(place: Place) -> int:
    errors: int = json.loads(place.run("check", "--json").out)["errors"]
    return errors


def test_superseding_is_one_commit_with_all_dependent_changes(work: Place) -> None:
    before = _head(work).strip()
    output = work.ok("mark", "EXP-001", "superseded", "--by", "EXP-002", "--reason", "It was noise")
    assert output.splitlines() == [
        "flywheel/EXP-001\tsuperseded:EXP-002",
        "flywheel/K-001\tchallenged:EXP-002",
        "flywheel/PAT-001\tchallenged:EXP-002",
        "flywheel/EXP-002\tlinked back, Downstream Impact",
    ]
    assert work.git("rev-list", f"{before}..").split() == [_head(work).strip()]
    subject = "mark flywheel/EXP-001 superseded:EXP-002: It was noise"
    assert work.git("log", "-1", "--format=%s").strip() == subject
    indexes = [f"{P}/{folder}/index.md" for folder in ("experiments", "knowledge", "patterns")]
    assert _files(work) == sorted([EXP1, EXP2, K1, PAT1, *indexes])
    assert _fields(work, EXP1)["status"] == "superseded:EXP-002"
    assert _fields(work, EXP2)["links"] == ["EXP-001"]
    assert "## Superseded / Deprecated (1 entries)" in work.read(f"{P}/experiments/index.md")
    line = work.read(f"{P}/STATUS.md").count("\n")
    assert work.read(EXP2).partition("|---|---|---|---|\n")[2].splitlines() == [
        "| flywheel/K-001 | needs-update | EXP-001 (line 7) | challenged:EXP-002 |",
        "| flywheel/PAT-001 | needs-update | EXP-001 (line 7) | challenged:EXP-002 |",
        f"| projects/flywheel/STATUS.md | needs-update | EXP-001 (line {line}) | It was noise |",
        "| projects/flywheel/tasks-archive.md | no-impact | EXP-001 (line 1) | a log |",
    ]
    assert work.git("status", "--porcelain") == ""
    assert _errors(work) == 0


def test_marking_changes_no_other_byte(work: Place) -> None:
    body = work.read(EXP1).replace("id:", "# mine\nid:").replace("\n---\n\n", "\n---  \n\n")
    work.write(EXP1, body)
    work.write(K1, work.read(K1).replace("evidence: [EXP-001]", "evidence:\n  - EXP-001 # yes"))
    work.ok("commit", "-m", "by hand")
    work.ok("mark", "EXP-001", "refined", "--by", "EXP-002")
    changed = work.git("show", "--format=", "--unified=0", "--", EXP1, K1)
    lines = [x for x in changed.splitlines() if x[0] in "+-" and x[:3] not in {"+++", "---"}]
    assert lines == ["+status: refined:EXP-002", "+status: challenged:EXP-002"]


def test_a_dry_run_shows_the_whole_change_and_touches_nothing(work: Place) -> None:
    words = ("mark", "EXP-001", "invalidated", "--by", "EXP-002")
    state = _state(work)
    document = json.loads(work.ok(*words, "--dry-run", "--json"))["plan"]
    assert [write["path"] for write in document["writes"]] == [EXP1, K1, PAT1, EXP2]
    assert _state(work) == state
    work.ok(*words)
    for write in document["writes"]:
        shown = [x[1:] for x in write["diff"].splitlines() if x[0] == "+" and x[:3] != "+++"]
        assert all(line in work.read(write["path"]).splitlines() for line in shown)


def test_a_superseded_atom_of_another_project_is_named_in_full(work: Place) -> None:
    work.ok("project", "new", "sundial", "--goal", "Know the time")
    based = ("--evidence", "flywheel/EXP-001")
    work.ok("new", "knowledge", "-p", "sundial", "-s", "There too", "-t", "a", *based)
    work.ok("new", "experiment", "-p", "sundial", "-s", "Elsewhere", "-t", "a")
    work.ok("mark", "flywheel/EXP-001", "superseded", "--by", "sundial/EXP-001")
    assert _fields(work, EXP1)["status"] == "superseded:sundial/EXP-001"
    knowledge = "projects/sundial/knowledge/K-001.md"
    assert _fields(work, knowledge)["status"] == "challenged:EXP-001"
    successor = "projects/sundial/experiments/EXP-001.md"
    assert _fields(work, successor)["links"] == ["flywheel/EXP-001"]
    assert "| flywheel/K-001 | needs-update | flywheel/EXP-001 (line 7) |" in work.read(successor)
    assert _errors(work) == 0


def test_invalidating_makes_a_tombstone_and_keeps_the_body_in_git(work: Place) -> None:
    before, base = work.read(EXP1), _head(work).strip()
    work.ok("mark", "EXP-001", "invalidated", "--by", "EXP-002", "--reason", "The probe was off")
    fields = _fields(work, EXP1)
    assert fields["status"] == "invalidated:EXP-002"
    assert fields["invalidated-reason"] == "The probe was off"
    assert len(str(fields["invalidated-date"])) == len("2026-05-06")
    text = work.read(EXP1)
    assert "## Results" not in text
    assert "`cortexfs restore flywheel/EXP-001`" in text
    assert work.git("show", f"{base}:{EXP1}") == before
    assert [x for x in work.run("check").out.splitlines() if "EXP-001.md" in x] == []


def test_an_uncommitted_body_is_committed_before_it_becomes_a_tombstone(
    work: Place,
) -> None:
    mine = work.read(EXP1) + "\nNobody has seen this line.\n"
    work.write(EXP1, mine)
    base = _head(work).strip()
    ran = work.run("mark", "EXP-001", "invalidated", "--reason", "withdrawn")
    assert (ran.code, "your uncommitted changes" in ran.err) == (0, True)
    assert work.git("log", "--reverse", "--format=%s", f"{base}..").splitlines() == [
        f"keep {EXP1} as it was",
        "mark flywheel/EXP-001 invalidated: withdrawn",
    ]
    assert work.git("show", f"HEAD~1:{EXP1}") == mine
    assert work.git("status", "--porcelain") == ""


def test_an_untracked_atom_is_committed_before_it_is_invalidated(work: Place) -> None:
    path = work.ok("new", "experiment", "-s", "Third", "-t", "a", "--no-commit").split()[1]
    text = work.read(path)
    work.ok("mark", "EXP-003", "invalidated", "--reason", "withdrawn")
    assert work.git("show", f"HEAD~1:{path}") == text


def test_without_a_commit_an_uncommitted_body_is_not_invalidated(work: Place) -> None:
    work.write(EXP1, work.read(EXP1) + "\nMine.\n")
    state = _state(work)
    words = ("mark", "EXP-001", "invalidated", "--reason", "withdrawn", "--no-commit")
    ran = work.run(*words)
    assert (ran.code, f"`cortexfs commit {EXP1}`" in ran.err) == (3, True)
    assert _state(work)[:2] == state[:2]
    work.ok("commit")
    work.ok(*words)
    assert "Mine." not in work.read(EXP1)
    assert "Mine." in work.git("show", f"HEAD:{EXP1}")


def test_without_git_invalidating_is_refused_and_other_marks_work(work: Place) -> None:
    (work.root / ".git").rename(work.root.parent / "elsewhere")
    text = work.read(EXP1)
    ran = work.run("mark", "EXP-001", "invalidated", "--reason", "withdrawn")
    assert (ran.code, "`cortexfs init`" in ran.err, work.read(EXP1)) == (3, True, text)
    work.ok("mark", "EXP-001", "superseded", "--by", "EXP-002")
    assert _fields(work, K1)["status"] == "challenged:EXP-002"


def test_during_a_merge_an_uncommitted_body_is_not_invalidated(work: Place) -> None:
    work.write(EXP1, work.read(EXP1) + "\nMine.\n")
    work.write(".git/MERGE_HEAD", _head(work))
    ran = work.run("mark", "EXP-001", "invalidated", "--reason", "withdrawn")
    assert (ran.code, "merge" in ran.err) == (3, True)
    assert "Mine." in work.read(EXP1)


def test_uncommitted_changes_of_the_marked_atom_are_committed_with_a_message(work: Place) -> None:
    work.write(EXP1, work.read(EXP1) + "\nCorrected by hand.\n")
    ran = work.run("mark", "EXP-001", "corrected", "--by", "EXP-002")
    assert f"{EXP1}: your uncommitted changes are included in the commit" in ran.err
    assert "Corrected by hand." in work.git("show", f"HEAD:{EXP1}")
    assert "| flywheel/EXP-001 | corrected | EXP-001 (itself) |" in work.read(EXP2)
    assert work.git("status", "--porcelain") == ""


def test_other_uncommitted_files_are_skipped_until_the_mark_is_repeated(
    work: Place,
) -> None:
    for path in (K1, EXP2):
        work.write(path, work.read(path) + "\nUnfinished.\n")
    mine = work.read(K1), work.read(EXP2)
    words = ("mark", "EXP-001", "superseded", "--by", "EXP-002")
    document = json.loads(work.ok(*words, "--json"))
    assert [each["path"] for each in document["skipped"]] == [K1, EXP2]
    assert "uncommitted changes" in document["skipped"][0]["reason"]
    assert [each["ref"] for each in document["affected"]] == [
        "flywheel/EXP-001",
        "flywheel/PAT-001",
    ]
    assert (work.read(K1), work.read(EXP2)) == mine
    assert K1 not in _files(work)
    assert f"  {K1}:7: `EXP-001` is" in work.run("check").out
    work.ok("commit")
    done = work.ok(*words).splitlines()
    assert done == [
        "flywheel/K-001\tchallenged:EXP-002",
        "flywheel/EXP-002\tlinked back, Downstream Impact",
    ]


def test_a_repeated_mark_makes_no_commit(work: Place) -> None:
    words = ("mark", "EXP-001", "superseded", "--by", "EXP-002")
    work.ok(*words)
    state = _state(work)
    assert work.ok(*words) == "flywheel/EXP-001 is already superseded:EXP-002\n"
    assert work.ok("mark", "EXP-001", "superseded") == (
        "flywheel/EXP-001 is already superseded:EXP-002\n"
    )
    assert json.loads(work.ok(*words, "--json")) == {
        "format": 1,
        "marked": {"ref": "flywheel/EXP-001", "path": EXP1, "status": "superseded:EXP-002"},
        "affected": [],
        "skipped": [],
    }
    assert _state(work) == state


@pytest.mark.parametrize("project", leave_to_soak(["flywheel", "sundial"], every=2))
def test_a_mark_repeated_without_its_cause_completes_the_skipped_files(
    work: Place, project: str
) -> None:
    work.ok("project", "new", "sundial", "--goal", "Know the time")
    successor, path = work.ok("new", "experiment", "-p", project, "-s", "Third", "-t", "a").split()
    work.write(path, work.read(path) + "\nUnfinished.\n")
    work.ok("mark", "flywheel/EXP-001", "superseded", "--by", successor)
    work.ok("commit")
    output = work.ok("mark", "flywheel/EXP-001", "superseded")
    assert output == f"{successor}\tlinked back, Downstream Impact\n"


def test_the_status_argument_may_contain_the_cause(work: Place) -> None:
    work.ok("mark", "EXP-001", "Challenged:EXP-002")
    assert _fields(work, EXP1)["status"] == "challenged:EXP-002"


@pytest.mark.parametrize(
    ("words", "message"),
    leave_rows_to_soak(
        [
            (["EXP-009", "valid"], "no atom named"),
            (["EXP-001", "superseded", "--by", "EXP-009"], "no atom named"),
            (["EXP-001", "superseeded", "--by", "EXP-002"], "`superseded`"),
            (["EXP-001", "accepted"], "no status"),
            (["EXP-001", "superseded"], "--by REF"),
            (["EXP-001", "superseded", "--by", "K-001"], "of kind knowledge"),
            (["EXP-001", "challenged", "--by", "EXP-001"], "by itself"),
            (["EXP-001", "invalidated"], "--reason TEXT"),
            (["DR-0001", "superseded", "--by", "DR-0001"], "`cortexfs decision"),
            (["EXP-001", "invalidated", "--reason", "EXP-404 shows it"], "dangling-ref"),
        ],
        every=3,
    ),
)
def test_an_invalid_request_is_refused_and_nothing_is_changed(
    work: Place, words: list[str], message: str
) -> None:
    choices = ("--alternative", "git", "--alternative", "fossil")
    work.ok("decision", "new", "-p", "flywheel", "-s", "Use git", "-t", "x", *choices)
    state = _state(work)
    ran = work.run("mark", *words)
    assert (ran.code, ran.out, _state(work)) == (3, "", state)
    assert message in ran.err


def test_a_refused_mark_commits_no_uncommitted_text(work: Place) -> None:
    work.write(EXP1, work.read(EXP1) + "\nMine.\n")
    state = _state(work)
    assert work.run("mark", "EXP-001", "invalidated", "--reason", "EXP-404").code == 3
    assert _state(work)[:2] == state[:2]


def test_marking_a_tombstone_is_refused_with_the_restore_command(work: Place) -> None:
    work.ok("mark", "EXP-001", "invalidated", "--reason", "withdrawn")
    ran = work.run("mark", "EXP-001", "valid")
    assert ran.code == 3
    assert " hint: `cortexfs restore flywheel/EXP-001` brings it back" in ran.err


def test_marking_an_idea_updates_its_contents_page(work: Place) -> None:
    work.ok("new", "idea", "-s", "Tides as a clock", "-t", "a")
    work.ok("mark", "IDEA-001", "stale")
    assert "Tides as a clock (stale)" in work.read("ideas/CORTEX.md")
    assert work.git("status", "--porcelain") == ""


def test_an_unreadable_atom_does_not_stop_a_mark_of_another(work: Place) -> None:
    work.write(f"{P}/knowledge/K-009.md", "---\nid: [\n---\nEXP-001\n")
    work.write(f"{P}/knowledge/K-010.md", "---\nid: K-010\nevidence: &a [EXP-001]\n---\n")
    (work.root / f"{P}/knowledge/K-011.md").write_bytes(b"\xff\xfe EXP-001")
    os.symlink("K-001.md", work.root / f"{P}/knowledge/K-012.md")
    work.ok("mark", "EXP-001", "superseded", "--by", "EXP-002")
    text = work.read(EXP2)
    assert "| flywheel/K-009 | needs-update | EXP-001 (line 4) |" in text
    assert "K-011" not in text
    assert "K-012" not in text


def test_an_unreadable_atom_is_not_marked(work: Place) -> None:
    work.write(EXP1, "---\nid: [\n---\n")
    ran = work.run("mark", f"{EXP1}", "stale")
    assert (ran.code, "fix the frontmatter by hand" in ran.err) == (3, True)
    assert work.read(EXP1) == "---\nid: [\n---\n"


def test_custom_folders_are_searched_for_refs_and_hidden_ones_are_not(work: Place) -> None:
    work.write(f"{P}/notes/deep/plan.md", "Builds on EXP-001.\n")
    work.write("notes EXP-999/[odd] | name.md", "Builds on flywheel/EXP-001.\n")
    work.write(f"{P}/.private/plan.md", "EXP-001\n")
    work.ok("mark", "EXP-001", "superseded", "--by", "EXP-002")
    text = work.read(EXP2)
    assert "| projects/flywheel/notes/deep/plan.md | needs-update | EXP-001 (line 1) |" in text
    assert "| notes%20EXP-999/%5Bodd%5D%20%7C%20name.md | needs-update |" in text
    assert ".private" not in text
    assert _errors(work) == 0


def test_a_reason_is_written_as_one_harmless_line(work: Place) -> None:
    reason = "a | b\n## Heading\x1b[31m `c` <i>"
    work.ok("mark", "EXP-001", "invalidated", "--by", "EXP-002", "--reason", reason)
    assert _fields(work, EXP1)["invalidated-reason"] == "a | b ## Heading[31m `c` <i>"
    assert "\\| b ## Heading" in work.read(EXP2)
    assert "\x1b" not in work.read(EXP1) + work.read(EXP2)
    assert _errors(work) == 0


def test_unrelated_changes_of_the_user_stay_as_they_are(work: Place, world: Path) -> None:
    work.write("mine.txt", "staged")
    work.git("add", "mine.txt")
    work.write("OVERVIEW.md", work.read("OVERVIEW.md") + "\nedited\n")
    before = work.git("status", "--porcelain")
    work.ok("mark", "EXP-001", "superseded", "--by", "EXP-002")
    assert work.git("status", "--porcelain") == before
    assert world.is_dir()


def _supersede_evidence(place: Place) -> None:
    place.ok("mark", "EXP-001", "superseded", "--by", "EXP-002")
    assert _fields(place, K1)["status"] == "challenged:EXP-002"


def _list_stale_evidence(place: Place) -> list[str]:
    found = json.loads(place.run("check", "--json").out)["findings"]
    return [f["path"] for f in found if f["code"] == "stale-evidence"]


def test_an_answered_challenge_stays_answered(work: Place) -> None:
    _supersede_evidence(work)
    assert _list_stale_evidence(work) == [K1, PAT1]
    output = work.ok("mark", "K-001", "valid")
    today = json.loads(work.ok("list", "--json"))["atoms"][0]["date"]
    assert output == "flywheel/K-001\tvalid, reviewed EXP-002\n"
    assert _fields(work, K1)["reviewed"] == [f"EXP-002 {today}"]
    assert _list_stale_evidence(work) == [PAT1]
    report = json.loads(work.ok("maintain", "--json"))
    assert [one["ref"] for one in report["maintenance"][0]["unsupported-claims"]] == [
        "flywheel/PAT-001"
    ]
    again = work.ok("mark", "EXP-001", "superseded", "--by", "EXP-002")
    assert again == "flywheel/EXP-001 is already superseded:EXP-002\n"
    assert _fields(work, K1)["status"] == "valid"


def test_a_second_change_of_the_evidence_challenges_again(work: Place) -> None:
    _supersede_evidence(work)
    work.ok("mark", "K-001", "valid")
    work.ok("mark", "EXP-001", "invalidated", "--reason", "The data are gone")
    assert _fields(work, K1)["status"] == "challenged:EXP-001"


def test_a_review_alone_leaves_the_status_as_it_is(work: Place) -> None:
    before = work.read(K1)
    assert "reviewed EXP-002" in work.ok("mark", "K-001", "--reviewed", "EXP-002,EXP-001")
    added = set(work.read(K1).splitlines()) - set(before.splitlines())
    (line,) = added
    assert line.startswith("reviewed: [EXP-002 ")
    assert "status" not in _fields(work, K1)
    assert work.git("log", "-1", "--format=%s") == "mark flywheel/K-001 reviewed\n"


def test_a_review_without_content_is_refused(work: Place) -> None:
    before = _state(work)
    for words, code in {
        ("K-001",): 2,
        ("K-001", "", "--by", "EXP-001"): 2,
        ("K-001", "stale", "--reviewed", "EXP-001"): 3,
        ("K-001", "--reviewed", "K-001"): 3,
        ("K-001", "--reviewed", "EXP-099"): 3,
    }.items():
        assert work.run("mark", *words).code == code, words
    assert _state(work) == before
