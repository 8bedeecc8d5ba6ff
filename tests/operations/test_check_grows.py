"""`check`, `new`, `commit`: secrets, sources of numbers, cited lines, near-duplicates."""

from __future__ import annotations

import json
import shutil
import sqlite3
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from place import Place

FOLDER = "projects/flywheel/experiments"
STATUS = "projects/flywheel/STATUS.md"
TOKEN = "ghp_" + "aB3dE5gH7j" * 3 + "kL9mN1"
BODY = "\n## Background\n## Execution\n## Results\n{}\n## Conclusion\n## Reflection\n"
SETTINGS = "sources:\n  flywheel: {}\n"


def _write(place: Place, ident: str, results: str = "", fields: str = "") -> str:
    path = f"{FOLDER}/{ident}.md"
    head = f"id: {ident}\ndate: 2026-03-01\nproject: flywheel\nsummary: s {ident}\ntags: [a]\n"
    place.write(path, f"---\n{head}{fields}---\n{BODY.format(results)}")
    return path


def _found(place: Place, *words: str) -> list[tuple[str, str, int]]:
    document = json.loads(place.run("check", "--json", *words).out)["findings"]
    ours = {"index-stale", "listing-stale", "overview-stale"}
    return [
        (f["path"].rpartition("/")[2], f["code"], f["line"])
        for f in document
        if f["code"] not in ours
    ]


@pytest.fixture
def code(world: Path) -> Path:
    """The code of the project, in the folder that the user's settings name."""
    folder = world / "code"
    (folder / "src").mkdir(parents=True)
    (folder / "src/store.py").write_text("one\ntwo\nthree\n")
    settings = world / ".config/cortexfs/config.yaml"
    settings.parent.mkdir(parents=True)
    settings.write_text(SETTINGS.format(folder))
    return folder


def test_a_number_without_a_source_is_a_suggestion_and_can_be_listed_alone(tree: Place) -> None:
    _write(tree, "EXP-001", "It takes 3.2 ms.")
    _write(tree, "EXP-002", "It takes 3.2 ms.", "status: superseded:EXP-001\n")
    assert ("EXP-001.md", "no-provenance", 12) in _found(tree)
    assert _found(tree, "--provenance") == [("EXP-001.md", "no-provenance", 12)]
    assert tree.run("check").code == 0
    assert tree.run("check", "--strict", "--provenance").code == 1


def test_findings_of_a_text_are_cached_until_the_text_changes(tree: Place) -> None:
    path = _write(tree, "EXP-001", "It takes 3.2 ms.")
    assert len(_found(tree, "--provenance")) == 1
    (catalog,) = (tree.root / ".cortexfs").glob("catalog-v*.sqlite")
    with sqlite3.connect(catalog) as db:
        before = db.execute("SELECT digest, found FROM examined WHERE path = ?", (path,)).fetchone()
    db.close()
    assert "3.2 ms" in before[1]
    _write(tree, "EXP-001", "It takes 3.2 ms (`run.log:1`).")
    assert _found(tree, "--provenance") == []
    (tree.root / path).unlink()
    tree.run("check")
    with sqlite3.connect(catalog) as db:
        rows = db.execute("SELECT path FROM examined WHERE path = ?", (path,)).fetchall()
    db.close()
    assert rows == []


def test_a_successor_that_does_not_link_back_is_reported(tree: Place) -> None:
    _write(tree, "EXP-001", fields="status: superseded:EXP-002\n")
    _write(tree, "EXP-002", fields="links: [EXP-003]\n")
    _write(tree, "EXP-003", fields="status: refined:EXP-001\n")
    found = [each for each in _found(tree) if each[1] == "one-way-link"]
    assert found == [("EXP-001.md", "one-way-link", 1), ("EXP-002.md", "one-way-link", 7)]
    _write(tree, "EXP-001", "as EXP-003", fields="status: superseded:EXP-002\n")
    _write(tree, "EXP-002", fields="links: [EXP-003, EXP-001]\n")
    assert [each for each in _found(tree) if each[1] == "one-way-link"] == []


def test_fix_adds_the_missing_link_back_when_the_successor_is_unambiguous(
    tree: Place,
) -> None:
    _write(tree, "EXP-001", fields="status: superseded:EXP-002\n")
    successor = _write(tree, "EXP-002", fields="links: [EXP-003]  # mine\n")
    _write(tree, "EXP-003")
    before = tree.read(successor)
    tree.ok("check", "--fix")
    assert tree.read(successor) == before.replace("[EXP-003]", "[EXP-003, EXP-001]")
    assert [each for each in _found(tree) if each[1] == "one-way-link"] == []
    tree.write("projects/flywheel/experiments/copy.md", before)
    tree.write(successor, before)
    tree.run("check", "--fix")
    assert tree.read(successor) == before


def test_check_reports_task_findings_but_not_a_short_backlog(tree: Place) -> None:
    tree.write("projects/flywheel/TASKS.yaml", "tasks:\n- id: 3fa9\n  text: Turn\n  parent: 0000\n")
    found = [each for each in _found(tree) if each[0] == "TASKS.yaml"]
    assert ("TASKS.yaml", "missing-parent", 2) in found
    codes = {code for _, code, _ in found}
    assert "low-actionable-supply" not in codes
    assert tree.run("check").code == 1
    tree.write("projects/flywheel/TASKS.yaml", "tasks: [\n")
    assert [each[1] for each in _found(tree) if each[0] == "TASKS.yaml"] == ["bad-tasks"]


def test_governance_files_are_checked_against_caps_and_rules(tree: Place) -> None:
    tree.write(STATUS, "x\n" * 121)
    tree.write("projects/flywheel/roadmap.md", "# r\n\n## Phase 1\n\n- [ ] a\n\n## Phase 2\n\nb\n")
    tree.write("user/USER.md", "x" * 3073)
    tree.write("projects/flywheel/notes/kept.txt", "a\n<<<<<<< ours\nb\n>>>>>>> tsuccessors\n")
    assert _found(tree) == [
        ("STATUS.md", "over-cap", 1),
        ("STATUS.md", "says-nothing", 1),
        ("kept.txt", "conflict-marker", 2),
        ("roadmap.md", "bare-milestone", 7),
        ("USER.md", "over-cap", 1),
    ]
    assert tree.run("check").code == 1


def test_a_secret_is_found_in_atoms_and_in_governance_files(tree: Place) -> None:
    _write(tree, "EXP-001", f"The run used {TOKEN} (EXP-001).")
    tree.write(STATUS, f"# Status\n\n## Current phase\n- token: {TOKEN}\n")
    ran = tree.run("check")
    assert _found(tree) == [("STATUS.md", "secret", 4), ("EXP-001.md", "secret", 12)]
    assert ran.code == 1
    assert TOKEN not in ran.out + ran.err


def test_commit_leaves_out_a_file_with_a_secret_and_commits_the_rest(tree: Place) -> None:
    path = _write(tree, "EXP-001", f"used {TOKEN}")
    _write(tree, "EXP-002")
    tree.write(STATUS, f"# Status\n\n{TOKEN}\n")
    ran = tree.run("commit", "--json")
    document = json.loads(ran.out)
    assert ran.code == 1
    assert document["held-back"] == [STATUS, path]
    assert f"{FOLDER}/EXP-002.md" in document["committed"]
    assert TOKEN not in tree.git("log", "-p")
    _write(tree, "EXP-001", f"used {TOKEN} <!-- pragma: allowlist secret -->")
    tree.write(STATUS, "# Status\n")
    assert tree.run("commit").code == 0


def test_new_refuses_a_secret_and_creates_nothing(tree: Place) -> None:
    words = ("new", "experiment", "-s", "a run", "-t", "x", "--body-file", "-")
    head = tree.git("rev-parse", "HEAD")
    for created in (
        tree.run(*words, feed=f"\n# Run\n\n{TOKEN}\n"),
        tree.run("new", "experiment", "-s", f"with {TOKEN}", "-t", "x"),
    ):
        assert created.code == 3
        assert TOKEN not in created.out + created.err
        assert "a token of GitHub" in created.err
    assert tree.git("rev-parse", "HEAD") == head
    assert tree.git("status", "--porcelain") == ""
    allowed = tree.run(*words, feed=f"\n{TOKEN} <!-- pragma: allowlist secret -->\n")
    assert allowed.code == 0


def test_new_warns_about_near_duplicates(tree: Place) -> None:
    first = ("new", "experiment", "-s", "A presence bitmap for gaps costs 0.24 % on hive")
    assert "near" not in tree.run(*first, "-t", "gaps").err
    again = "A presence bitmap for lost samples costs 0.24 % on hive"
    ran = tree.run("new", "experiment", "-s", again, "-t", "gaps")
    assert ran.code == 0
    assert "flywheel/EXP-001" in ran.err
    assert ran.out == f"flywheel/EXP-002\t{FOLDER}/EXP-002.md\n"
    document: dict[str, Any] = json.loads(
        tree.ok("new", "experiment", "-s", again, "-t", "gaps", "--json")
    )
    near = document["created"]["near-duplicates"]
    assert [each["ref"] for each in near] == ["flywheel/EXP-002", "flywheel/EXP-001"]
    assert near[0]["similarity"] == 1
    idea = json.loads(tree.ok("new", "idea", "-s", again, "-t", "gaps", "--json"))
    assert "near" not in idea["created"], "only atoms of the kind are near"


def test_a_cited_line_gets_a_checksum_and_its_change_is_reported(tree: Place, code: Path) -> None:
    body = "\n## Results\n\nAs `src/store.py:2` says; `src/other.py:1` is not there.\n"
    words = ("new", "experiment", "-s", "cites", "-t", "x", "--body-file", "-")
    assert tree.run(*words, feed=body).code == 0
    text = tree.read(f"{FOLDER}/EXP-001.md")
    cited = text.partition("`src/store.py:2#")[2][:6]
    assert len(cited) == 6
    assert "`src/other.py:1` is" in text
    assert [each for each in _found(tree) if each[1] == "cited-line-changed"] == []
    (code / "src/store.py").write_text("one\nTWO\nthree\n")
    line = text.splitlines().index(next(x for x in text.splitlines() if cited in x)) + 1
    assert ("EXP-001.md", "cited-line-changed", line) in _found(tree)
    shown = tree.ok("show", "EXP-001", "--no-track")
    assert f"line {line}: `src/store.py:2` has changed since" in shown
    document = json.loads(tree.ok("show", "EXP-001", "--no-track", "--json"))
    assert document["changed-citations"] == [
        {"line": line, "message": "`src/store.py:2` has changed since"}
    ]
    shutil.rmtree(code)
    assert "no longer exists" in tree.run("check").out


def test_fix_adds_checksums_of_cited_lines_and_changes_no_other_byte(
    tree: Place, code: Path
) -> None:
    path = _write(tree, "EXP-001", "see `src/store.py:1-2` and `src/store.py:9`")
    tree.ok("commit")
    before = tree.read(path)
    shown = tree.ok("check", "--fix", "--dry-run")
    assert "+see `src/store.py:1-2#" in shown
    assert tree.read(path) == before
    tree.run("check", "--fix")
    after = tree.read(path)
    cited = after.partition("src/store.py:1-2#")[2][:6]
    assert after == before.replace(":1-2`", f":1-2#{cited}`")
    assert tree.git("status", "--porcelain") == ""
    head = tree.git("rev-parse", "HEAD")
    tree.run("check", "--fix")
    assert tree.git("rev-parse", "HEAD") == head
    assert (code / "src/store.py").read_text() == "one\ntwo\nthree\n"


def test_cited_lines_of_code_that_is_not_on_this_machine_are_not_checked(tree: Place) -> None:
    path = _write(tree, "EXP-001", "see `src/store.py:1#9f3a1c` and `src/store.py:2`")
    tree.ok("commit")
    tree.run("check", "--fix")
    assert "`src/store.py:2`" in tree.read(path)
    assert [each for each in _found(tree) if each[1] == "cited-line-changed"] == []


def test_the_settings_of_a_tree_cannot_set_where_sources_are(tree: Place, world: Path) -> None:
    (world / "private.txt").write_text("secret\n")
    tree.write("cortexfs.yaml", f"sources:\n  flywheel: {world}\n")
    path = _write(tree, "EXP-001", "see `private.txt:1`")
    tree.run("check", "--fix")
    assert "`private.txt:1`" in tree.read(path)
