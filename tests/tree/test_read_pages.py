"""Every text of a tree that is no atom is read, and nothing that is none."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from cortexfs.core.atoms.kinds import Kinds
from cortexfs.tree.non_atoms import MAX_TEXT_BYTES, Page, list_text_paths, read_pages

if TYPE_CHECKING:
    from pathlib import Path


def test_pages_are_governance_files_indexes_and_settings(
    tmp_path: Path,
) -> None:
    wanted = {
        "OVERVIEW.md",
        "cortexfs.yaml",
        "user/USER.md",
        "scans/2026-05-04.md",
        "projects/p/STATUS.md",
        "projects/p/experiments/index.md",
        "projects/p/notes/deep/x.txt",
    }
    others = {
        "projects/p/experiments/EXP-001.md",
        "projects/p/_meta/access-log.jsonl",
        "projects/p/_meta/notes.md",
        ".git/config.md",
        ".cortexfs/x.md",
        "picture.png",
    }
    for path in wanted | others:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(path)
    assert _read(tmp_path) == {path: path for path in wanted}


def test_links_pipes_and_huge_files_are_not_pages(tmp_path: Path) -> None:
    (tmp_path / "outside.md").write_text("x")
    root = tmp_path / "tree"
    (root / "folder.md").mkdir(parents=True)
    (root / "link.md").symlink_to(tmp_path / "outside.md")
    (root / "away").symlink_to(tmp_path)
    os.mkfifo(root / "pipe.md")
    (root / "huge.md").write_bytes(b"x" * (MAX_TEXT_BYTES + 1))
    (root / "odd.md").write_bytes(b"\xff")
    assert list(_read(root).items()) == [Page("huge.md", None), Page("odd.md", "\ufffd")]


def _read(root: Path) -> dict[str, str | None]:
    return dict(read_pages(str(root), list_text_paths(str(root), Kinds())))
