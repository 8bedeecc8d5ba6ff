"""`index regen` on unusual files: valid ones are read, invalid ones are findings."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import oracle
import pytest
from corpus import AFTER, BEFORE, ILLEGAL, LEGAL, legal
from place import build_tree
from unprivileged import CORTEXFS, run_unprivileged

if TYPE_CHECKING:
    from pathlib import Path

    from place import CopyTree, Place

FOLDER = "projects/ugly/experiments"
NAMES = {name: f"EXP-{number:03d}" for number, name in enumerate(LEGAL, start=1)}
LOG = "".join(
    f'{{"file":"{ident}.md","tool":"Read","ts":"2026-04-02T03:12:{second}.000Z"}}\n'
    for ident in NAMES.values()
    for second in (21, 25, 22, 23, 24)
)


def _build_ugly(tree: Place) -> None:
    build_tree(tree)
    for name, ident in NAMES.items():
        tree.write(f"{FOLDER}/{ident}.md", legal(name, ident, BEFORE).decode())
    tree.write("projects/ugly/_meta/access-log.jsonl", LOG)


@pytest.fixture
def ugly(tmp_path: Path, copy_tree: CopyTree) -> Place:
    """A tree with a project of unusual files, each read five times."""
    return copy_tree(tmp_path / "tree", _build_ugly)


def test_in_unusual_but_valid_files_only_two_fields_change(ugly: Place) -> None:
    ugly.git("add", ".")
    ugly.git("commit", "-qm", "by hand")
    ugly.ok("index", "regen", "--all")
    for name, ident in NAMES.items():
        assert (ugly.root / f"{FOLDER}/{ident}.md").read_bytes() == legal(name, ident, AFTER), name
    index = oracle.shown(ugly.read(f"{FOLDER}/index.md"))
    assert [row.id for row in index.sections[oracle.ACTIVE]] == list(NAMES.values())
    assert {row[1:] for row in index.sections[oracle.ACTIVE]} == {(5, AFTER["@L"])}
    assert ugly.git("status", "--porcelain") == ""
    found = json.loads(ugly.ok("check", "ugly", "--json"))["findings"]
    assert {each["code"] for each in found} <= {
        *("crlf", "bom", "missing-section", "summary-lines"),
        "listing-stale",  # the project has no CORTEX.md
    }


STATUSES = (
    *("", "valid", "corrected:EXP-900", "refined:EXP-002", "Superseded:EXP-001"),
    *("invalidated: EXP-009", "challenged:EXP-900", "stale", "partial", "deprecated"),
)
"""The statuses of ten experiments, as other programs write them."""
SEEN = (("EXP-001.md", "05-01"), ("EXP-001.md", "04-01"), ("_directory_search", "05-02"))


def test_a_tree_maintained_by_another_program_is_counted_correctly(tree: Place) -> None:
    folder = "projects/flywheel/experiments"
    for number, status in enumerate(STATUSES, start=1):
        head = f"id: EXP-{number:03d}\ndate: 2026-05-0{number % 9 + 1}\nproject: flywheel\n"
        tree.write(
            f"{folder}/EXP-{number:03d}.md",
            f"---\n{head}summary: a | b\ntags:\n  - one\nstatus: {status}\nrefs: 0\n---",
        )
    events = [*SEEN, *(("EXP-007.md", f"04-0{day}") for day in range(1, 6))]
    lines = [f'{{"file":"{file}","tool":"Read","ts":"2026-{day}"}}\n' for file, day in events]
    log = "".join([lines[0], "not json\n", *lines[1:]])
    tree.write("projects/flywheel/_meta/access-log.jsonl", log)
    tree.ok("index", "regen", "--all")
    text = tree.read(f"{folder}/index.md")
    index = oracle.shown(text)
    assert index.sections[oracle.ACTIVE][:2] == [
        oracle.Row("EXP-007", 5, "2026-04-05"),
        oracle.Row("EXP-001", 2, "2026-05-01"),
    ]
    replaced = {row.id for row in index.sections[oracle.SUPERSEDED]}
    assert replaced == {"EXP-004", "EXP-005", "EXP-008", "EXP-010"}
    assert "| superseded:EXP-001 |" in text
    assert "| a \\| b | EXP-009 | 0 |" in text
    assert index.stats[:3] == [
        "- Total: 10 (5 active, 4 superseded/deprecated, 1 invalidated)",
        "- Challenged: EXP-007",
        "- Corrected: EXP-003",
    ]
    assert tree.read(f"{folder}/EXP-001.md").endswith("tags:\n  - one\nstatus: \nrefs: 2\n---")


def test_untracked_files_are_updated_but_not_committed(ugly: Place) -> None:
    ugly.ok("index", "regen", "--all")
    for name, ident in NAMES.items():
        assert (ugly.root / f"{FOLDER}/{ident}.md").read_bytes() == legal(name, ident, AFTER), name
    known = ugly.git("ls-files", "projects/ugly").split()
    assert known == [f"{FOLDER}/index.md"]


def test_an_uncommitted_file_is_not_changed(ugly: Place) -> None:
    ugly.git("add", ".")
    ugly.git("commit", "-qm", "by hand")
    edited, staged = NAMES["plain"], NAMES["crlf"]
    for ident in (edited, staged):
        with (ugly.root / f"{FOLDER}/{ident}.md").open("ab") as file:
            file.write(b"my own words, not finished\n")
    ugly.git("add", f"{FOLDER}/{staged}.md")
    before = {
        ident: (ugly.root / f"{FOLDER}/{ident}.md").read_bytes() for ident in (edited, staged)
    }
    status = ugly.git("status", "--porcelain")
    ugly.ok("index", "regen", "--all")
    for ident, content in before.items():
        assert (ugly.root / f"{FOLDER}/{ident}.md").read_bytes() == content
        assert f"{ident}.md" not in ugly.git("show", "--name-only", "--format=", "HEAD")
    assert ugly.git("status", "--porcelain") == status
    (row,) = (row for row in _rows(ugly) if row.id == edited)
    assert row.refs == 5, "the index counts the reads nevertheless"


def test_each_invalid_file_is_one_finding_and_all_others_are_indexed(ugly: Place) -> None:
    for number, (name, illegal) in enumerate(ILLEGAL.items(), start=100):
        path = ugly.root / f"{FOLDER}/EXP-{number}.md"
        illegal.plant(path)
        assert path.is_symlink() or path.exists(), name
    assert run_unprivileged(ugly, "git", "add", "--ignore-errors", ".").returncode == 1
    assert run_unprivileged(ugly, "git", "commit", "-qm", "by hand").returncode == 0
    before = _bytes(ugly.root)
    assert run_unprivileged(ugly, *CORTEXFS, "index", "regen", "--all").returncode == 0
    changed = {path for path, content in _bytes(ugly.root).items() if before.get(path) != content}
    assert changed == {f"{FOLDER}/index.md", "projects/CORTEX.md"} | {
        f"{FOLDER}/{ident}.md" for name, ident in NAMES.items() if "no count" not in name
    }
    text = ugly.read(f"{FOLDER}/index.md")
    assert [row.id for row in _rows(ugly)] == list(NAMES.values())
    assert f"## Unreadable ({len(ILLEGAL)} files)" in text
    assert "SECRET" not in text
    document = json.loads(run_unprivileged(ugly, *CORTEXFS, "check", "ugly", "--json").stdout)
    found = [each for each in document["findings"] if _number(each["path"]) >= 100]
    assert [(each["path"], each["code"], each["line"]) for each in found] == [
        (f"{FOLDER}/EXP-{number}.md", illegal.code, illegal.line)
        for number, illegal in enumerate(ILLEGAL.values(), start=100)
    ]
    assert all(each["message"] for each in found)


def _number(path: str) -> int:
    return int("".join(filter(str.isdigit, path)) or 0)


def _bytes(root: Path) -> dict[str, bytes]:
    files = (p for p in root.glob("projects/**/*") if p.is_file() and not p.is_symlink())
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in files}


def _rows(place: Place) -> list[oracle.Row]:
    return oracle.shown(place.read(f"{FOLDER}/index.md")).sections[oracle.ACTIVE]
