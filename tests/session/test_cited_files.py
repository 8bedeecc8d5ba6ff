"""Cited files are found where the user says, read within bounds, and nowhere else."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from cortexfs.session.cited_files import MAX_CITED_BYTES, CitedFiles, find_cited_files

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture
def code(tmp_path: Path) -> Path:
    """A repository named as the project, with one file."""
    folder = tmp_path / "code" / "flywheel"
    (folder / ".git").mkdir(parents=True)
    (folder / "src").mkdir()
    (folder / "src/store.py").write_text("one\ntwo\n")
    return folder


def _make_reader(folder: Path) -> Callable[[str], list[str] | None]:
    lines_of = CitedFiles({"flywheel": str(folder)}).make_line_reader("flywheel")
    assert lines_of
    return lines_of


def _write_user_settings(world: Path, text: str) -> None:
    path = world / ".config/cortexfs/config.yaml"
    path.parent.mkdir(parents=True)
    path.write_text(text)


def test_a_file_in_the_folder_is_read_as_lines(code: Path) -> None:
    assert _make_reader(code)("src/store.py") == ["one", "two"]
    assert CitedFiles({}).make_line_reader("flywheel") is None


def test_files_outside_hidden_files_and_links_are_not_read(code: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("secret\n")
    (code / "link.py").symlink_to(tmp_path / "secret.txt")
    (code / "away").symlink_to(tmp_path)
    (code / ".env").write_text("TOKEN=1\n")
    (code / ".git/config").write_text("[core]\n")
    read = _make_reader(code)
    for path in (
        "link.py",
        "away/secret.txt",
        "../secret.txt",
        "src/../../secret.txt",
        "/etc/passwd",
        ".env",
        ".git/config",
        "src",
        "",
        "src//store.py",
        "a\0b",
        "gone.py",
    ):
        assert read(path) is None


def test_pipes_and_huge_files_are_not_read(code: Path) -> None:
    os.mkfifo(code / "pipe.py")
    (code / "huge.py").write_bytes(b"x" * (MAX_CITED_BYTES + 1))
    (code / "full.py").write_bytes(b"x" * MAX_CITED_BYTES)
    read = _make_reader(code)
    assert read("pipe.py") is None
    assert read("huge.py") is None
    assert read("full.py") is not None


def test_binary_files_can_be_read(code: Path) -> None:
    (code / "raw.bin").write_bytes(b"\xff\xfe\n\x00")
    assert len(_make_reader(code)("raw.bin") or []) == 2


def test_the_repository_of_the_working_directory_is_that_of_the_project_of_its_name(
    code: Path,
) -> None:
    found = find_cited_files({}, str(code / "src"), "/tree")
    assert dict(found.folders) == {"flywheel": str(code)}
    assert dict(find_cited_files({}, str(code.parent), "/tree").folders) == {}


def test_the_repository_that_contains_the_tree_is_not_used(code: Path) -> None:
    for root in (code, code / "context"):
        root.mkdir(exist_ok=True)
        assert dict(find_cited_files({}, str(code / "src"), str(root)).folders) == {}


def test_folders_in_the_user_settings_come_first(code: Path, world: Path) -> None:
    _write_user_settings(
        world, "commit-in: []\nsources:\n  flywheel: ~/work\n  driftwood: ~/code/driftwood\n"
    )
    found = find_cited_files({}, str(code), "/tree")
    assert dict(found.folders) == {
        "flywheel": str(world / "work"),
        "driftwood": str(world / "code/driftwood"),
    }


@pytest.mark.parametrize(
    "text", ["sources: ~/code\n", "sources:\n  a: [b]\n", "sources: [\n", "\xff"]
)
def test_invalid_user_settings_are_ignored(world: Path, text: str) -> None:
    _write_user_settings(world, text)
    assert dict(find_cited_files({}, "/", "/tree").folders) == {}
