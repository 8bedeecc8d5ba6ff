"""Recorded events of real clients, and the reads that they must give."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from recorded_home import RECORDED, RecordedHome
from soak_cases import leave_to_soak

if TYPE_CHECKING:
    from pathlib import Path

CLIENTS = ("codex", "gemini", "opencode")
ROWS = json.loads((RECORDED / "EXPECTED.json").read_bytes())
ROWS += [
    row | {"payload": f"{client}/{row['payload']}"}
    for client in CLIENTS
    for row in json.loads((RECORDED / client / "EXPECTED.json").read_bytes())
]


def load_payload(row: dict[str, Any], home: Path | str) -> bytes:
    """Give a payload as it would have been in another home."""
    return (RECORDED / row["payload"]).read_bytes().replace(b"/home/dev", str(home).encode())


@pytest.mark.parametrize("client", CLIENTS)
def test_every_recorded_payload_of_a_client_has_an_expectation(client: str) -> None:
    payloads = {path.name for path in (RECORDED / client).glob("*-*.json")}
    rows = {row["payload"] for row in ROWS if row["payload"].startswith(f"{client}/")}
    assert rows == {f"{client}/{name}" for name in payloads}


def matches_expectation(row: dict[str, Any], got: list[tuple[str, str]]) -> bool:
    return not got if row["expect"] is None else got == sorted(map(tuple, row["expect"]))


@pytest.mark.parametrize("row", leave_to_soak(ROWS, every=3), ids=lambda row: row["payload"])
def test_every_recording_gives_the_expected_reads(
    recorded: RecordedHome, row: dict[str, Any]
) -> None:
    assert matches_expectation(row, recorded.reads(load_payload(row, recorded.home)))


def test_a_symlink_to_the_home_is_the_same_home(recorded: RecordedHome, tmp_path: Path) -> None:
    (tmp_path / "alias").symlink_to(recorded.home)
    for row in ROWS:
        assert matches_expectation(row, recorded.reads(load_payload(row, tmp_path / "alias"))), row[
            "payload"
        ]


def test_recordings_of_another_home_read_nothing(recorded: RecordedHome, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    by_home = [
        row
        for row in ROWS
        if "home-" not in row["payload"] and b"~/" not in (RECORDED / row["payload"]).read_bytes()
    ]
    assert [row for row in by_home if recorded.reads(load_payload(row, tmp_path / "other"))] == []


def test_a_deleted_atom_is_not_read(recorded: RecordedHome) -> None:
    reads = [row for row in ROWS if row["tool"] == "Read" and row["expect"]]
    for row in reads:
        assert recorded.reads(load_payload(row, recorded.home))
    for path in recorded.context.rglob("*-*.md"):
        path.unlink()
    assert [row for row in reads if recorded.reads(load_payload(row, recorded.home))] == []


def test_a_truncated_event_is_understood_up_to_the_cut(recorded: RecordedHome) -> None:
    whole = load_payload(ROWS[0], recorded.home)
    answer = whole.index(b'"tool_response"')
    for length in range(answer, len(whole)):
        assert recorded.reads(whole[:length]) == [("flywheel", "EXP-001.md")]
    assert recorded.reads(whole[: whole.index(b'"tool_input"')]) == []
