"""`decision`: alternatives first, settled in one commit, and unchanged once accepted."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import frontmatter
import pytest
from place import build_tree
from soak_cases import leave_rows_to_soak, leave_to_soak
from terminal import take_kept_text, talk

if TYPE_CHECKING:
    from pathlib import Path

    from place import CopyTree, Place

PROJECT = "projects/flywheel/decisions"
ALTERNATIVES = (
    "--alternative",
    "Git",
    "--alternative",
    "A server",
    "--decision",
    "Git: it is there",
)
FIRST, SECOND = f"{PROJECT}/0001-use-git.md", f"{PROJECT}/0002-use-a-server.md"


def _build_work(tree: Place) -> None:
    build_tree(tree)
    tree.ok("decision", "new", "-p", "flywheel", "-s", "Use git", "-t", "a", *ALTERNATIVES)
    tree.ok("decision", "accept", "flywheel/DR-0001")
    tree.ok("decision", "new", "-p", "flywheel", "-s", "Use a server", "-t", "a", *ALTERNATIVES)


@pytest.fixture
def work(tmp_path: Path, copy_tree: CopyTree) -> Place:
    """A project with an accepted and a proposed decision."""
    return copy_tree(tmp_path / "tree", _build_work)


def _head(place: Place) -> str:
    return place.git("rev-parse", "HEAD").strip()


def _state(place: Place) -> tuple[str, str]:
    return _head(place), place.git("status", "--porcelain", "--untracked-files=all")


def _changed(place: Place) -> list[str]:
    found = json.loads(place.run("check", "--json").out)["findings"]
    return [each["path"] for each in found if each["code"] == "decision-changed"]


def _fields(place: Place, path: str) -> dict[str, Any]:
    return frontmatter.loads(place.read(path)).metadata


def test_fewer_than_two_alternatives_are_refused_however_they_are_given(tree: Place) -> None:
    state = _state(tree)
    tree.write("../body.md", "# D\n\n## Options Considered\n\n1. Git\n2.\n\n## Decision\n\nGit\n")
    one = ("--alternative", "Git")
    for words in (
        [],
        one,
        (*one, *one),
        (*one, "--alternative", " "),
        ("--body-file", "../body.md"),
    ):
        ran = tree.run("decision", "new", "-s", "Use git", *words)
        assert (ran.code, _state(tree)) == (3, state), ran
        assert "at least two alternatives" in ran.err


def test_a_decision_belongs_to_the_named_project_the_working_directory_or_the_whole_tree(
    tree: Place,
) -> None:
    document = {
        ("-p", "flywheel"): "flywheel/DR-0001",
        ("--system",): "DR-0001",
        (): "DR-0002",
        ("-p", "flywheel", "--system"): "DR-0003",
    }
    for number, (words, ref) in enumerate(document.items()):
        created = tree.ok("decision", "new", "-s", f"Number {number}", *ALTERNATIVES, *words)
        assert created.split("\t")[0] == ref
    assert [path.name for path in sorted((tree.root / PROJECT).glob("0*"))] == ["0001-number-0.md"]
    assert "Number 0 (proposed)" in tree.read(f"{PROJECT}/CORTEX.md")
    assert "Number 3 (proposed)" in tree.read("decisions/CORTEX.md")


def test_the_options_fill_the_sections_and_add_nothing_else(tree: Place) -> None:
    words = ("--context", "# It is\nslow", "--consequence", "- Fast", "--consequence", "Dear")
    path = tree.ok("decision", "new", "-s", "Use git", *ALTERNATIVES, *words).split()[1]
    body = frontmatter.loads(tree.read(path)).content
    assert body.split("\n\n") == [
        *("# DR-0001: Use git", "## Context", "\\# It is slow", "## Alternatives"),
        *("1. Git\n2. A server", "## Decision", "Git: it is there"),
        *("## Consequences", "- \\- Fast\n- Dear"),
    ]
    assert tree.run("decision", "new", "-s", "x", *ALTERNATIVES, "--body-file", "-").code == 2


def test_a_refused_decision_keeps_the_text_of_the_editor(tree: Place) -> None:
    done = talk(tree, "decision", "new", "-s", "Use git", "--edit", EDITOR="true")
    assert done.code == 3
    assert "## Alternatives" in take_kept_text(done.output)
    created = ("decision", "new", "-s", "Use git", "--alternative", "Git", "--alternative", "Ink")
    path = talk(tree, *created, "--edit", EDITOR="sed -i s/Ink/Paper/").output.split()[-1]
    assert "1. Git\n2. Paper\n" in tree.read(path)


def test_accepting_commits_the_decision_and_its_line_in_the_list_together(work: Place) -> None:
    before = work.read(SECOND)
    head = _head(work)
    output = work.ok("decision", "accept", "flywheel/DR-0002", "--reason", "git was slow")
    assert output == "flywheel/DR-0002\taccepted\n"
    assert work.read(SECOND) == before.replace("status: proposed", "status: accepted")
    assert work.git("rev-list", f"{head}..").split() == [_head(work)]
    files = work.git("show", "--format=%s", "--name-only").split("\n")
    message = "decision flywheel/DR-0002 accepted: git was slow"
    assert [line for line in files if line] == [message, SECOND, f"{PROJECT}/CORTEX.md"]
    assert "Use a server (accepted)" in work.read(f"{PROJECT}/CORTEX.md")
    state = _state(work)
    again = work.ok("decision", "accept", "flywheel/DR-0002")
    assert (again, _state(work)) == ("flywheel/DR-0002 is already accepted\n", state)


def test_superseding_is_one_commit_that_undo_reverts_byte_for_byte(work: Place) -> None:
    before = {path: work.read(path) for path in (FIRST, SECOND, f"{PROJECT}/CORTEX.md")}
    words = ("decision", "supersede", "flywheel/DR-0001", "--by", "flywheel/DR-0002")
    state = _state(work)
    plan = json.loads(work.ok(*words, "--dry-run", "--json"))["plan"]
    assert [write["path"] for write in plan["writes"]] == list(before)
    assert _state(work) == state
    document = json.loads(work.ok(*words, "--json"))
    assert document["decided"]["status"] == "superseded:DR-0002"
    assert [each["change"] for each in document["affected"]] == [
        "superseded:DR-0002",
        "accepted, supersedes flywheel/DR-0001",
    ]
    assert _fields(work, FIRST)["status"] == "superseded:DR-0002"
    later = _fields(work, SECOND)
    assert (later["status"], later["supersedes"], later["links"]) == (
        "accepted",
        ["DR-0001"],
        ["DR-0001"],
    )
    assert work.git("rev-list", f"{state[0]}..").split() == [document["commit"]]
    assert json.loads(work.ok("check", "--json"))["errors"] == 0
    work.ok("undo")
    assert {path: work.read(path) for path in before} == before


@pytest.mark.parametrize(
    ("words", "message"),
    leave_rows_to_soak(
        [
            (["reject", "flywheel/DR-0001"], "cannot become rejected"),
            (["accept", "flywheel/EXP-001"], "of kind experiment"),
            (["accept", "flywheel/DR-0009"], "no atom named"),
            (["supersede", "flywheel/DR-0001", "--by", "flywheel/DR-0001"], "by itself"),
            (["supersede", "flywheel/DR-0001", "--by", "DR-0001"], "means `flywheel/DR-0001`"),
            (["show", "flywheel/EXP-001"], "of kind experiment"),
        ],
        every=3,
    ),
)
def test_an_invalid_request_is_refused_and_nothing_is_changed(
    work: Place, words: list[str], message: str
) -> None:
    work.ok("new", "experiment", "-p", "flywheel", "-s", "Spin", "-t", "a")
    work.ok("decision", "new", "--system", "-s", "For all", *ALTERNATIVES)
    state = _state(work)
    ran = work.run("decision", *words)
    assert (ran.code, ran.out, _state(work)) == (3, "", state)
    assert message in ran.err


def test_check_reports_an_edited_accepted_decision_until_its_text_is_restored(
    work: Place,
) -> None:
    assert _changed(work) == []
    text = work.read(FIRST)
    work.write(FIRST, text.replace("it is there", "it is here"))
    work.write(SECOND, work.read(SECOND).replace("it is there", "it is here"))
    assert _changed(work) == [FIRST], "before it is committed"
    ran = work.run("commit")
    assert ran.code == 0, "it is named, and not held back"
    assert f"{FIRST}:" in ran.err
    assert "decision-changed" in ran.err
    assert _changed(work) == [FIRST]
    work.ok("decision", "supersede", "flywheel/DR-0001", "--by", "flywheel/DR-0002")
    assert _changed(work) == [FIRST], "superseded decisions are immutable too"
    shown = json.loads(work.ok("decision", "show", "flywheel/DR-0001", "--no-track", "--json"))
    assert (shown["accepted"]["edited-since"], shown["accepted"]["line"]) == (True, 23)
    work.write(FIRST, work.read(FIRST).replace("it is here", "it is there"))
    assert _changed(work) == []


def test_check_follows_a_decision_under_its_new_name(work: Place) -> None:
    moved = f"{PROJECT}/0001-git-it-is.md"
    work.git("mv", FIRST, moved)
    work.ok("commit", "-m", "a better name")
    assert _changed(work) == []
    work.write(moved, work.read(moved).replace("it is there", "it is here"))
    assert _changed(work) == [moved]


def test_a_proposed_or_rejected_decision_may_be_edited(work: Place) -> None:
    for status in ("proposed", "rejected"):
        work.write(SECOND, work.read(SECOND).replace("it is there", f"was {status}: it is there"))
        work.ok("commit", "-m", "by hand")
        if status == "proposed":
            work.ok("decision", "reject", "flywheel/DR-0002")
    work.ok("decision", "accept", "flywheel/DR-0002")
    assert _changed(work) == []


def test_without_git_decisions_are_settled_and_edits_are_not_detected(work: Place) -> None:
    (work.root / ".git").rename(work.root.parent / "gone")
    work.write(FIRST, work.read(FIRST).replace("it is there", "it is here"))
    assert _changed(work) == []
    assert work.ok("decision", "reject", "flywheel/DR-0002") == "flywheel/DR-0002\trejected\n"
    assert "accepted" not in json.loads(
        work.ok("decision", "show", "flywheel/DR-0001", "--no-track", "--json")
    )


def test_decisions_in_the_older_style_are_listed_shown_and_settled(sample: Place) -> None:
    rows = [line.split("\t") for line in sample.ok("decision", "list", "--system").splitlines()]
    assert [row[0] for row in rows[:2]] == ["DR-0001", "DR-0002"]
    assert rows[1][2:] == ["accepted", "Tombstones instead of deletion"]
    assert ", 3 alternatives" in sample.ok("decision", "show", "DR-0002", "--no-track")
    path = "decisions/DR-0002-tombstones-instead-of-deletion.md"
    text = sample.read(path)
    later = sample.ok("decision", "new", "--system", "-s", "Nothing goes", *ALTERNATIVES).split()[0]
    sample.ok("decision", "supersede", "DR-0002", "--by", later)
    assert sample.read(path) == text.replace("Status: accepted", f"Status: superseded:{later}")
    assert f"deletion (superseded:{later})" in sample.read("decisions/CORTEX.md")
    assert _changed(sample) == []


def test_a_decision_accepted_by_hand_without_alternatives_is_a_finding(work: Place) -> None:
    text = work.read(SECOND).replace("2. A server\n", "")
    for status, codes in (("proposed", []), ("accepted", ["few-alternatives"])):
        work.write(SECOND, text.replace("status: proposed", f"status: {status}"))
        found = json.loads(work.ok("check", "--json"))["findings"]
        assert [each["code"] for each in found if each["path"] == SECOND] == codes


RENAMES = {
    "rename": ("rename", "flywheel/EXP-001", "EXP-007"),
    "move": ("move", "flywheel/EXP-001", "mill"),
    "project": ("rename", "flywheel", "wheel"),
    "its own name": ("rename", "flywheel/DR-0001", "DR-0009"),
    "its own project": ("move", "flywheel/DR-0001", "mill"),
}


@pytest.mark.parametrize("how", leave_to_soak(RENAMES, every=3))
def test_our_own_renaming_does_not_count_as_an_edit(tree: Place, how: str) -> None:
    tree.ok("project", "new", "mill", "--goal", "Grind")
    tree.ok("new", "experiment", "-p", "flywheel", "-s", "Spin", "-t", "a")
    decided = (
        "--decision",
        "Git, as DR-0001 of flywheel/EXP-001 says: [it](../experiments/EXP-001.md)",
    )
    tree.ok("decision", "new", "-p", "flywheel", "-s", "Use git", *ALTERNATIVES[:4], *decided)
    text = tree.read(FIRST).replace("links:", "evidence: [EXP-001]\nlinks:")
    tree.write(FIRST, text.replace("# Use git", "# DR-0001: Use git"))
    tree.ok("commit", "-m", "evidence")
    tree.ok("decision", "accept", "flywheel/DR-0001")
    tree.ok(*RENAMES[how])
    assert _changed(tree) == []
    (path,) = tree.git("ls-files", "*use-git.md").splitlines()
    for before, after in (("says", "does not say"), ("[EXP-", "[EXP-9"), ("/EXP-", "/EXP-9")):
        text = tree.read(path)
        if before in text:
            tree.write(path, text.replace(before, after, 1))
            assert _changed(tree) == [path], before
            tree.write(path, text)
    assert _changed(tree) == []
