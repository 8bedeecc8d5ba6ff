"""What is kept between calls is bounded, and whatever replaces it harms nothing."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest

from cortexfs.core.language_model.call_limits import CallState
from cortexfs.language_model import state_folder

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "cortexfs/language-model"


@pytest.fixture
def folder_fd(tmp_path: Path) -> Iterator[int]:
    with state_folder.open_state_folder({"XDG_STATE_HOME": str(tmp_path)}) as opened:
        yield opened


def test_by_default_it_is_in_the_state_of_the_home(world: Path) -> None:
    expected = world / ".local/state/cortexfs/language-model"
    assert state_folder.state_folder_path({}) == str(expected)


def test_a_folder_that_others_may_use_is_taken_from_them(tmp_path: Path, folder: Path) -> None:
    folder.mkdir(parents=True, mode=0o777)
    folder.chmod(0o777)
    with state_folder.open_state_folder({"XDG_STATE_HOME": str(tmp_path)}):
        assert folder.stat().st_mode & 0o777 == 0o700


def test_a_link_is_not_followed(tmp_path: Path, folder: Path) -> None:
    folder.parent.mkdir()
    folder.symlink_to(tmp_path)
    with (
        pytest.raises(NotADirectoryError),
        state_folder.open_state_folder({"XDG_STATE_HOME": str(tmp_path)}),
    ):
        pass


def test_links_pipes_and_damaged_files_in_it_are_as_if_missing(
    folder: Path, folder_fd: int, tmp_path: Path
) -> None:
    (tmp_path / "other").write_text('{"answer": "x"}')
    state_folder.store_answer(folder_fd, "kept", {"answer": "y"})
    (folder / "answers/linked").symlink_to(tmp_path / "other")
    os.mkfifo(folder / "answers/pipe")
    (folder / "answers/damaged").write_bytes(b"\xff{")
    (folder / "answers/large").write_bytes(b"1" * (state_folder.MAX_ANSWER_BYTES + 1))
    read = [state_folder.read_stored_answer(folder_fd, n) for n in os.listdir(folder / "answers")]
    assert sorted(map(str, read)) == ["None"] * 4 + ["{'answer': 'y'}"]
    (folder / "state.json").write_bytes(b"x" * (state_folder.MAX_STATE_BYTES + 1))
    assert state_folder.read_call_state(folder_fd) == CallState()


def test_the_answers_that_were_not_read_for_longest_are_removed(
    folder: Path, folder_fd: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(state_folder, "MAX_ANSWERS", 3)
    for number in range(3):
        state_folder.store_answer(folder_fd, f"a{number}", number)
        os.utime(folder / f"answers/a{number}", (number, number))
    assert state_folder.read_stored_answer(folder_fd, "a0") == 0
    state_folder.store_answer(folder_fd, "a3", 3)
    assert sorted(os.listdir(folder / "answers")) == ["a0", "a2", "a3"]


def test_a_long_log_is_put_aside_once(
    folder: Path, folder_fd: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(state_folder, "MAX_LOG_BYTES", 100)
    for number in range(50):
        state_folder.append_to_log(folder_fd, {"number": number})
    sizes = {path.name: path.stat().st_size for path in folder.iterdir()}
    assert sizes.keys() == {"calls.jsonl", "calls.1.jsonl"}
    assert max(sizes.values()) < 130
    last = (folder / "calls.jsonl").read_text().splitlines()[-1]
    assert json.loads(last) == {"number": 49}


def test_of_many_items_the_newest_are_kept(
    folder: Path, folder_fd: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(state_folder, "MAX_ITEMS", 3)
    state_folder.add_items(folder_fd, {"a": "1", "b": "2", "c": "3"})
    state_folder.add_items(folder_fd, {"a": "1", "d": "4"})
    assert list(state_folder.read_items(folder_fd)) == ["c", "a", "d"]
    for damaged in (b"", b"[]", b'{"a": 1}', b"[" * 100_000):
        (folder / "items.json").write_bytes(damaged)
        assert state_folder.read_items(folder_fd) == {}
