"""What real clients told their hooks, and what that must be understood to mean."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from desk import RECORDED, Desk

if TYPE_CHECKING:
    from pathlib import Path

ROWS = json.loads((RECORDED / "EXPECTED.json").read_bytes())


def recorded(row: dict[str, Any], home: Path | str) -> bytes:
    """Give a payload as it would have been in another home."""
    return (RECORDED / row["payload"]).read_bytes().replace(b"/home/dev", str(home).encode())


def fits(row: dict[str, Any], got: list[tuple[str, str]]) -> bool:
    return not got if row["expect"] is None else got == sorted(map(tuple, row["expect"]))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["payload"])
def test_every_recording_gives_the_expected_reads(desk: Desk, row: dict[str, Any]) -> None:
    assert fits(row, desk.looks(recorded(row, desk.home)))


def test_a_symlink_to_the_home_is_the_same_home(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "alias").symlink_to(desk.home)
    for row in ROWS:
        assert fits(row, desk.looks(recorded(row, tmp_path / "alias"))), row["payload"]


def test_recordings_of_another_home_read_nothing(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    by_home = [row for row in ROWS if "home-" not in row["payload"]]
    assert [row for row in by_home if desk.looks(recorded(row, tmp_path / "other"))] == []


def test_a_deleted_atom_is_not_read(desk: Desk) -> None:
    reads = [row for row in ROWS if row["tool"] == "Read" and row["expect"]]
    for row in reads:
        assert desk.looks(recorded(row, desk.home))
    for path in desk.context.rglob("*-*.md"):
        path.unlink()
    assert [row for row in reads if desk.looks(recorded(row, desk.home))] == []


def test_a_truncated_event_is_understood_up_to_the_cut(desk: Desk) -> None:
    whole = recorded(ROWS[0], desk.home)
    answer = whole.index(b'"tool_response"')
    for length in range(answer, len(whole)):
        assert desk.looks(whole[:length]) == [("flywheel", "EXP-001.md")]
    assert desk.looks(whole[: whole.index(b'"tool_input"')]) == []
