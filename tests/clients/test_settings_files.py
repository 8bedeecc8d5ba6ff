"""Other programs' settings files: replaced in one step, or left alone."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from cortexfs.clients import settings_files
from cortexfs.errors import Refused, SettingsChanged, Unreadable

if TYPE_CHECKING:
    from pathlib import Path


def list_names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if path.name != "home")


def test_writing_keeps_mode_and_line_endings(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    settings_files.write_file(str(path), "a\r\n")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.chmod(0o640)
    settings_files.write_file(str(path), "b\r\n", expected="a\r\n")
    assert (settings_files.read_settings_file(str(path)), stat.S_IMODE(path.stat().st_mode)) == (
        "b\r\n",
        0o640,
    )
    settings_files.write_file(str(path), None)
    assert settings_files.read_settings_file(str(path)) is None


def test_a_symlink_stays_a_symlink(tmp_path: Path) -> None:
    (tmp_path / "dotfiles").mkdir()
    link, target = tmp_path / "settings.json", tmp_path / "dotfiles/claude.json"
    link.symlink_to("dotfiles/claude.json")
    for text in ("a", "b"):
        settings_files.write_file(str(link), text)
        assert (os.readlink(link), target.read_text()) == ("dotfiles/claude.json", text)
    assert list_names(tmp_path / "dotfiles") == ["claude.json"]


def test_a_file_with_hard_links_is_refused_with_a_command_that_helps(
    tmp_path: Path,
) -> None:
    path, other = tmp_path / "settings.json", tmp_path / "other name"
    path.write_text("a")
    other.hardlink_to(path)
    for text in ("b", None):
        with pytest.raises(Refused, match="has 2 hard links") as refused:
            settings_files.write_file(str(path), text)
    assert (path.read_text(), other.read_text()) == ("a", "a")
    command = str(refused.value.hint).split("`")[1]
    subprocess.run(["sh", "-c", command], check=True)
    settings_files.write_file(str(path), "b")
    assert (path.read_text(), other.read_text()) == ("b", "a")


@pytest.mark.parametrize(("current", "expected"), [("b", "a"), (None, "a"), ("b", None)])
def test_a_file_that_has_changed_meanwhile_is_not_replaced(
    tmp_path: Path, current: str | None, expected: str | None
) -> None:
    path = tmp_path / "settings.json"
    if current:
        path.write_text(current)
    for text in ("c", None):
        with pytest.raises(SettingsChanged):
            settings_files.write_file(str(path), text, expected=expected)
    assert settings_files.read_settings_file(str(path)) == current
    assert list_names(tmp_path) == ["settings.json"] * bool(current)


@pytest.mark.parametrize("what", ["pipe", "folder", "device"])
def test_a_pipe_folder_or_device_is_refused_at_once(tmp_path: Path, what: str) -> None:
    path = tmp_path / "settings.json"
    match what:
        case "pipe":
            os.mkfifo(path)
        case "folder":
            path.mkdir()
        case "device":
            path.symlink_to("/dev/zero")
    with pytest.raises((Unreadable, IsADirectoryError)):
        settings_files.read_settings_file(str(path))


KILLED_BEFORE_RENAME = """
import os, sys
from cortexfs.clients import settings_files
os.rename = lambda *_: os.kill(os.getpid(), 9)
settings_files.write_file(sys.argv[1], "a key")
"""


def test_the_next_run_removes_the_draft_of_a_killed_one(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_text("{}")
    for _ in range(2):
        subprocess.run([sys.executable, "-c", KILLED_BEFORE_RENAME, str(path)], check=False)
    drafts = [name for name in list_names(tmp_path) if name != path.name]
    assert len(drafts) == 1, "the second run has removed what the first one left"
    ours = tmp_path / ".settings.json.cortexfs-draft.1.0123abcd"  # its process lives
    theirs = [tmp_path / name for name in (".settings.json.swp", "settings.json.1.0123abcd")]
    for file in (ours, *theirs):
        file.touch()
    settings_files.remove_stale_drafts(str(path))
    assert list_names(tmp_path) == sorted(file.name for file in (path, ours, *theirs))
    os.utime(ours, (0, 0))
    settings_files.remove_stale_drafts(str(path))
    assert not ours.exists()
