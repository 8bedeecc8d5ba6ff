"""The shell completes names of the tree from the catalog, which is not refreshed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from place import build_sample
from soak_cases import leave_rows_to_soak

if TYPE_CHECKING:
    from place import CopyTree, Place

HEAVY = {"yaml", "rich", "tantivy", "watchdog", "Stemmer", "cortexfs.session.session"}


def _complete(line: str, cwd: Path, *python: str) -> subprocess.CompletedProcess[str]:
    """Complete the last word of a line as bash does."""
    words = line.split(" ")
    env = {
        **os.environ,
        "_CORTEXFS_COMPLETE": "complete_bash",
        "COMP_WORDS": line,
        "COMP_CWORD": str(len(words) - 1),
    }
    return subprocess.run(
        [sys.executable, *python, str(Path(sys.executable).parent / "cortexfs")],
        cwd=cwd,
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )


def _list_completions(line: str, cwd: Path) -> list[str]:
    done = _complete(line, cwd)
    assert done.stderr == ""
    return done.stdout.split("\n")[:-1] if done.stdout.endswith("\n") else [done.stdout]


def _build_with_catalog(sample: Place) -> None:
    build_sample(sample)
    sample.ok("list")


@pytest.fixture
def with_catalog(tmp_path: Path, copy_tree: CopyTree) -> Place:
    """The sample with its catalog."""
    return copy_tree(tmp_path / "tree", _build_with_catalog)


@pytest.mark.parametrize(
    ("line", "offered"),
    leave_rows_to_soak([
        ("cortexfs show K-00", ["K-006", "K-007", "K-008", "K-009"]),
        ("cortexfs show driftwood/PAT-002", ["driftwood/PAT-002"]),
        ("cortexfs list --status chal", ["challenged"]),
        ("cortexfs list --status valid,chal", ["valid,challenged"]),
        ("cortexfs list --tag resid", ["residuals"]),
        ("cortexfs find x --tag resid", ["residuals"]),
        ("cortexfs list --project gre", ["greenhouse"]),
        ("cortexfs list -p driftwood,gre", ["driftwood,greenhouse"]),
        ("cortexfs list know", ["knowledge"]),
        ("cortexfs list --kind know", ["knowledge"]),
        ("cortexfs task claim 3f", ["3fa9"]),
        ("cortexfs task list --status rea", ["ready"]),
        ("cortexfs new pattern --evidence driftwood/PAT-001", ["driftwood/PAT-001"]),
        ("cortexfs stat", ["stats", "status"]),
    ], every=3),
)  # fmt: skip
def test_names_are_completed(with_catalog: Place, line: str, offered: list[str]) -> None:
    assert sorted(_list_completions(line, with_catalog.root)) == sorted(offered)


def test_in_a_project_its_ids_are_completed(with_catalog: Place) -> None:
    here = with_catalog.root / "projects" / "greenhouse"
    assert _list_completions("cortexfs show EXP-003", here) == ["EXP-003", "EXP-003a"]
    assert _list_completions(
        "cortexfs issue resolve Th", with_catalog.root / "projects" / "driftwood"
    ) != [""]


@pytest.mark.parametrize("line", ["cortexfs --root {} show K-00", "cortexfs show --root {} K-00"])
def test_the_root_option_on_the_line_is_used(
    with_catalog: Place, tmp_path: Path, line: str
) -> None:
    offered = _list_completions(line.format(with_catalog.root), tmp_path)
    assert offered == ["K-006", "K-007", "K-008", "K-009"]


def test_completion_writes_nothing(with_catalog: Place) -> None:
    with_catalog.write(
        "projects/driftwood/knowledge/K-077.md", "---\nid: K-077\nsummary: x\ntags: [new]\n---\n"
    )
    folder = with_catalog.root / ".cortexfs"
    before = {path.name: path.stat().st_mtime_ns for path in folder.iterdir() if path.is_file()}
    assert _list_completions("cortexfs show K-07", with_catalog.root) == [""]
    after = {path.name: path.stat().st_mtime_ns for path in folder.iterdir() if path.is_file()}
    assert {name for name in after if not name.endswith(("-shm", "-wal"))} <= before.keys()
    for name in before.keys() & after.keys():
        assert name.endswith("-shm") or before[name] == after[name]


def test_completion_imports_nothing_heavy(with_catalog: Place) -> None:
    done = _complete("cortexfs show K-00", with_catalog.root, "-X", "importtime")
    assert "K-006" in done.stdout
    imported = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "cortexfs.session.completion" in imported
    assert imported & HEAVY == set()


def test_without_a_catalog_or_with_a_damaged_one_nothing_is_offered(with_catalog: Place) -> None:
    (catalog,) = (with_catalog.root / ".cortexfs").glob("catalog-v*.sqlite")
    for log in with_catalog.root.glob(".cortexfs/catalog-v*.sqlite-*"):
        log.unlink()  # it may hold every page of the database
    catalog.write_bytes(b"no database" * 99)
    assert _list_completions("cortexfs show K-00", with_catalog.root) == [""]
    catalog.unlink()
    assert _list_completions("cortexfs show K-00", with_catalog.root) == [""]


def test_control_characters_are_not_offered(with_catalog: Place) -> None:
    text = '---\nid: K-078\nsummary: x\ntags: ["a\\x1b[31mb", abc]\n---\n'
    with_catalog.write("projects/driftwood/knowledge/K-078.md", text)
    with_catalog.ok("list")
    assert _list_completions("cortexfs list --tag a", with_catalog.root).count("abc") == 1
    assert not any(
        "\x1b" in each for each in _list_completions("cortexfs list --tag a", with_catalog.root)
    )
