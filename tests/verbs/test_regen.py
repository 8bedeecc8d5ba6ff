"""`index regen` on files as they really are: what is legal is read, what is not is named."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import oracle
import pytest
from corpus import AFTER, BEFORE, ILLEGAL, LEGAL, legal

if TYPE_CHECKING:
    from conftest import Place

NOBODY = 65534
FOLDER = "projects/ugly/experiments"
NAMES = {name: f"EXP-{number:03d}" for number, name in enumerate(LEGAL, start=1)}
LOG = "".join(
    f'{{"file":"{ident}.md","tool":"Read","ts":"2026-04-02T03:12:{second}.000Z"}}\n'
    for ident in NAMES.values()
    for second in (21, 25, 22, 23, 24)
)


@pytest.fixture
def ugly(tree: Place) -> Place:
    """A tree with a project of ugly files, each looked at five times."""
    for name, ident in NAMES.items():
        tree.write(f"{FOLDER}/{ident}.md", legal(name, ident, BEFORE).decode())
    tree.write("projects/ugly/_meta/access-log.jsonl", LOG)
    return tree


def test_of_ugly_but_legal_files_two_entries_change_and_not_one_other_byte(ugly: Place) -> None:
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
    assert {each["code"] for each in found} <= {"crlf", "bom", "missing-section", "summary-lines"}


def test_files_that_git_does_not_know_are_kept_true_but_not_committed(ugly: Place) -> None:
    ugly.ok("index", "regen", "--all")
    for name, ident in NAMES.items():
        assert (ugly.root / f"{FOLDER}/{ident}.md").read_bytes() == legal(name, ident, AFTER), name
    known = ugly.git("ls-files", "projects/ugly").split()
    assert known == [f"{FOLDER}/index.md"]


def test_a_file_changed_and_not_committed_stays_exactly_as_it_was(ugly: Place) -> None:
    ugly.git("add", ".")
    ugly.git("commit", "-qm", "by hand")
    edited, staged = NAMES["plain"], NAMES["crlf"]
    for ident in (edited, staged):
        with (ugly.root / f"{FOLDER}/{ident}.md").open("ab") as file:
            file.write(b"my own words, not finished\n")
    ugly.git("add", f"{FOLDER}/{staged}.md")
    before = {ident: (ugly.root / f"{FOLDER}/{ident}.md").read_bytes() for ident in (edited, staged)}
    status = ugly.git("status", "--porcelain")
    ugly.ok("index", "regen", "--all")
    for ident, content in before.items():
        assert (ugly.root / f"{FOLDER}/{ident}.md").read_bytes() == content
        assert f"{ident}.md" not in ugly.git("show", "--name-only", "--format=", "HEAD")
    assert ugly.git("status", "--porcelain") == status
    (row,) = (row for row in _rows(ugly) if row.id == edited)
    assert row.refs == 5, "the index counts its looks all the same"


@pytest.fixture
def open_place(tree: Place) -> Iterator[Path]:
    """A copy of the tree where another user may work, with what cannot be read in it."""
    folder = Path(tempfile.mkdtemp())
    root = folder / "home/tree"
    shutil.copytree(tree.root, root)
    shutil.copy(Path.home() / ".gitconfig", folder / "home")
    for number, (name, illegal) in enumerate(ILLEGAL.items(), start=100):
        path = root / FOLDER / f"EXP-{number}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        illegal.plant(path)
        assert path.is_symlink() or path.exists(), name
    for name, ident in NAMES.items():
        (root / FOLDER / f"{ident}.md").write_bytes(legal(name, ident, BEFORE))
    if os.geteuid() == 0:  # to root nothing is unreadable
        for path in (folder, *folder.rglob("*")):
            os.chown(path, NOBODY, NOBODY, follow_symlinks=False)
    yield root
    shutil.rmtree(folder)


def test_each_illegal_file_is_one_finding_and_all_other_atoms_are_indexed(
    open_place: Path,
) -> None:
    _as_nobody(open_place, "git", "add", "--ignore-errors", ".", code=None)
    _as_nobody(open_place, "git", "commit", "-qm", "by hand")
    before = _bytes(open_place)
    _as_nobody(open_place, *_CORTEXFS, "index", "regen", "--all")
    after = _bytes(open_place)
    assert {path for path in before if before[path] != after[path]} <= {f"{FOLDER}/index.md"}
    text = (open_place / FOLDER / "index.md").read_text()
    index = oracle.shown(text)
    assert [row.id for row in index.sections[oracle.ACTIVE]] == list(NAMES.values())
    assert f"## Unreadable ({len(ILLEGAL)} files)" in text
    assert "SECRET" not in text
    said = json.loads(_as_nobody(open_place, *_CORTEXFS, "check", "ugly", "--json", code=1))
    found = [f for f in said["findings"] if f["path"].rpartition("-")[2] >= "100.md"]
    assert [(f["path"], f["code"], f["line"]) for f in found] == [
        (f"{FOLDER}/EXP-{number}.md", illegal.code, illegal.line)
        for number, illegal in enumerate(ILLEGAL.values(), start=100)
    ]
    assert all(f["message"] for f in found)


_CORTEXFS = (sys.executable, "-m", "cortexfs", "--root", ".")


def _as_nobody(root: Path, *words: str, code: int | None = 0) -> str:
    """Run a program as a user to whom modes mean something."""
    dropped = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.geteuid() == 0 else {}
    done = subprocess.run(
        words,
        cwd=root,
        env={**os.environ, "HOME": str(root.parent)},
        capture_output=True,
        text=True,
        check=False,
        **dropped,
    )
    assert code is None or done.returncode == code, done
    return done.stdout


def _bytes(root: Path) -> dict[str, bytes]:
    files = (path for path in root.glob("projects/**/*") if path.is_file())
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in files}


def _rows(place: Place) -> list[oracle.Row]:
    return oracle.shown(place.read(f"{FOLDER}/index.md")).sections[oracle.ACTIVE]
