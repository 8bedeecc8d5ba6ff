"""`check` reports each flaw with its place; `--fix` corrects what has one right answer."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from place import build_tree

if TYPE_CHECKING:
    from pathlib import Path

    from place import CopyTree, Place

FOLDER = "projects/flywheel/experiments"
BODY = "\n## Background\n## Execution\n## Results\n## Conclusion\n## Reflection\n"


def _write(place: Place, ident: str, fields: str, body: str = BODY, name: str = "") -> None:
    place.write(f"{FOLDER}/{name or ident}.md", f"---\nid: {ident}\n{fields}---\n{body}")


FIELDS = "date: 2026-03-01\nproject: flywheel\nsummary: s\ntags: [a]\n"


def _findings(place: Place, *words: str) -> list[tuple[str, str, int]]:
    ran = place.run("check", "--json", *words)
    return [(f["path"].rpartition("/")[2], f["code"], f["line"]) for f in _parse_findings(ran.out)]


def _parse_findings(out: str) -> list[dict[str, Any]]:
    return json.loads(out)["findings"]


def _build_flawed(tree: Place) -> None:
    build_tree(tree)
    _write(tree, "EXP-001", FIELDS)
    _write(tree, "EXP-002", FIELDS.replace("2026-03-01", "March"))
    _write(tree, "EXP-003", FIELDS + "status: sleepy\n")
    _write(tree, "EXP-004", FIELDS + "status: VALID\n")
    _write(tree, "EXP-005", FIELDS.replace("summary: s", f"summary: {'x' * 301}"))
    _write(tree, "EXP-006", FIELDS, body=f"{BODY}\nas EXP-900 showed\n")
    _write(tree, "EXP-007", FIELDS.replace("project: flywheel", "project: other"))
    _write(tree, "EXP-008", FIELDS.replace("project: flywheel\n", ""))
    _write(tree, "EXP-001", FIELDS, name="EXP-009")
    _write(tree, "K-010", FIELDS, name="EXP-010")
    _write(tree, "EXP-011", FIELDS.replace("summary: s", 'summary: "ANTI-PATTERN: x"'))
    _write(tree, "EXP-012", FIELDS + "refs: many\n")
    _write(tree, "EXP-013", FIELDS, body="no sections\n")
    _write(tree, "EXP-014", FIELDS, body=f"{BODY}\n<<<<<<< ours\n")
    _write(tree, "EXP-015", FIELDS + "status: invalidated\n")
    _write(tree, "EXP-016", FIELDS + "evidence: EXP-015\n")
    tree.write("projects/flywheel/_meta/access-log.jsonl", '{}\n{"file":')
    tree.write("cortexfs.yaml", "colour: red\n")


@pytest.fixture
def flawed(tmp_path: Path, copy_tree: CopyTree) -> Place:
    """A tree with one flaw of each kind."""
    return copy_tree(tmp_path / "tree", _build_flawed)


WANTED = [
    ("cortexfs.yaml", "bad-setting", 1),
    ("access-log.jsonl", "bad-log-line", 1),
    ("access-log.jsonl", "bad-log-line", 2),
    ("EXP-002.md", "bad-date", 3),
    ("EXP-003.md", "bad-status", 7),
    ("EXP-004.md", "status-case", 7),
    ("EXP-005.md", "summary-too-long", 5),
    ("EXP-006.md", "dangling-ref", 15),
    ("EXP-007.md", "project-mismatch", 4),
    ("EXP-008.md", "missing-field", 1),
    ("EXP-009.md", "duplicate-id", 2),
    ("EXP-009.md", "name-mismatch", 2),
    ("EXP-010.md", "bad-id", 2),
    ("EXP-011.md", "anti-pattern-tag", 6),
    ("EXP-012.md", "bad-refs", 7),
    ("EXP-013.md", "missing-section", 8),
    ("EXP-014.md", "conflict-marker", 15),
    ("EXP-016.md", "stale-evidence", 7),
    ("index.md", "index-stale", 1),
    ("CORTEX.md", "listing-stale", 17),
]


def test_every_flaw_is_reported_with_its_file_and_line(flawed: Place) -> None:
    assert sorted(_findings(flawed)) == sorted(WANTED)


def test_only_errors_fail_the_check_unless_it_is_strict(tree: Place) -> None:
    assert tree.run("check").code == 0
    _write(tree, "EXP-001", FIELDS, body="no sections\n")
    tree.ok("index", "regen", "--all")
    assert tree.run("check").code == 0
    assert tree.run("check", "--strict").code == 1
    _write(tree, "EXP-002", FIELDS + "links: EXP-900\n")
    tree.ok("index", "regen", "--all")
    assert tree.run("check").code == 1


def test_a_check_writes_nothing(flawed: Place) -> None:
    before = flawed.git("status", "--porcelain", "-uall")
    index = flawed.read(f"{FOLDER}/index.md")
    flawed.run("check")
    assert flawed.git("status", "--porcelain", "-uall") == before
    assert flawed.read(f"{FOLDER}/index.md") == index


def test_a_project_is_checked_alone_but_against_the_whole_tree(flawed: Place) -> None:
    flawed.ok("project", "new", "sundial", "--goal", "x")
    text = f"---\nid: EXP-001\n{FIELDS.replace('flywheel', 'sundial')}---\n{BODY}flywheel/EXP-002\n"
    flawed.write("projects/sundial/experiments/EXP-001.md", text)
    flawed.ok("index", "regen", "--all")
    assert _findings(flawed, "sundial") == []
    assert flawed.run("check", "sundail").code == 3


def test_on_github_each_finding_is_an_annotation(flawed: Place) -> None:
    flawed.write(f"{FOLDER}/EXP-0,1:%.md", "no fence")
    lines = flawed.run("check", "--format", "github").out.splitlines()
    assert f"::error file={FOLDER}/EXP-002.md,line=3,col=1,title=bad-date::" in "\n".join(lines)
    assert any(line.startswith(f"::notice file={FOLDER}/EXP-004.md,line=7") for line in lines)
    assert any(f"file={FOLDER}/EXP-0%2C1%3A%25.md," in line for line in lines)
    assert len(lines) == len(WANTED) + 1


def test_fix_corrects_what_is_safe_and_changes_no_other_byte(flawed: Place) -> None:
    flawed.git("add", ".")
    flawed.git("commit", "-qm", "by hand")
    paths = sorted(flawed.root.glob(f"{FOLDER}/EXP-*.md"))
    before = {path.name: path.read_text() for path in paths}
    flawed.run("check", "--fix")
    wanted = {
        **before,
        "EXP-004.md": before["EXP-004.md"].replace("VALID", "valid"),
        "EXP-008.md": before["EXP-008.md"].replace("tags: [a]\n", "tags: [a]\nproject: flywheel\n"),
        "EXP-007.md": before["EXP-007.md"].replace("project: other", "project: flywheel"),
        "EXP-009.md": before["EXP-009.md"].replace("id: EXP-001", "id: EXP-009"),
        "EXP-011.md": before["EXP-011.md"].replace("[a]", "[anti-pattern, a]"),
    }
    assert {path.name: path.read_text() for path in paths} == wanted
    assert flawed.git("status", "--porcelain") == ""
    remaining = [found for found in _findings(flawed) if found[1] in {"status-case", "index-stale"}]
    assert remaining == []


def test_fix_corrects_a_wrong_id_or_project_in_place(tree: Place) -> None:
    ugly = "\ufeff---  \r\n# mine\r\nid:   'EXP-001' # a copy\r\nproject: [gone]\t\r\n"
    more = "date: 2026-03-01\r\nsummary: >-\r\n  s\r\ntags: [a]\r\n---\r\n# EXP-001: x"
    _write(tree, "EXP-001", FIELDS)
    tree.write(f"{FOLDER}/EXP-002.md", ugly + more)
    tree.git("add", ".")
    tree.git("commit", "-qm", "by hand")
    tree.run("check", "--fix")
    mended = ugly.replace("'EXP-001'", "'EXP-002'").replace("[gone]", "flywheel")
    assert tree.read(f"{FOLDER}/EXP-002.md") == mended + more
    assert tree.git("log", "-1", "--format=%s") == "check: fix what is safe\n"
    codes = {code for name, code, _ in _findings(tree) if name == "EXP-002.md"}
    assert codes == {"bom", "crlf", "missing-section"}


def test_fix_leaves_an_ambiguous_ref_with_a_hint(tree: Place) -> None:
    tree.ok("project", "new", "sundial", "--goal", "x")
    _write(tree, "EXP-002", FIELDS, name="EXP-001")
    _write(tree, "EXP-003", FIELDS.replace("flywheel", "sundial"))
    before = [tree.read(f"{FOLDER}/{name}.md") for name in ("EXP-001", "EXP-003")]
    ran = tree.run("check", "--fix")
    assert [tree.read(f"{FOLDER}/{name}.md") for name in ("EXP-001", "EXP-003")] == before
    assert "rename the file or correct the id" in ran.out
    assert "correct the field or move the file" in ran.out


def test_a_dry_fix_has_the_exit_code_of_the_real_one(tree: Place) -> None:
    def codes(*words: str) -> list[int]:
        return [tree.run("check", "--fix", *words, *more).code for more in (("--dry-run",), ())]

    _write(tree, "EXP-001", FIELDS.replace("project: flywheel\n", "") + "status: VALID\n")
    assert (tree.run("check").code, codes("--strict")) == (1, [0, 0])
    _write(tree, "EXP-002", FIELDS.replace("project: flywheel\n", "") + "links: EXP-900\n")
    assert codes() == [1, 1]
    _write(tree, "EXP-002", FIELDS, body="no sections\n")
    assert (codes(), codes("--strict")) == ([0, 0], [1, 1])


def test_a_second_fix_changes_nothing(flawed: Place) -> None:
    flawed.run("check", "--fix")
    head = flawed.git("rev-parse", "HEAD")
    flawed.run("check", "--fix")
    assert flawed.git("rev-parse", "HEAD") == head


def test_fix_names_the_fixed_files_and_rules(tree: Place) -> None:
    _write(tree, "EXP-001", FIELDS)
    _write(tree, "EXP-004", FIELDS + "status: VALID\n")
    tree.ok("commit", "-m", "by hand")
    tree.write(f"{FOLDER}/index.md", "")
    assert tree.run("check", "--fix").err.splitlines() == [
        "2 files fixed: index-stale (1), status-case (1)",
        f"  {FOLDER}/EXP-004.md",
        f"  {FOLDER}/index.md",
    ]
    assert tree.run("check", "--fix").err == "0 files fixed\n"


def test_uncommitted_files_are_fixed_but_not_committed(flawed: Place) -> None:
    flawed.run("check", "--fix")
    assert "status: valid" in flawed.read(f"{FOLDER}/EXP-004.md")
    assert "EXP-004.md" not in flawed.git("ls-files")
