"""The event log: bounded, private, and never a reason for which a drain stops."""

from __future__ import annotations

import errno
import os
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING

import pytest

from cortexfs.core.process_events.process_event import EventType, ProcessEvent, format_event_line
from cortexfs.operations.shared.load_process_events import load_process_events
from cortexfs.session import process_event_log
from cortexfs.session.process_event_log import (
    MAX_DAY_BYTES,
    FullDisk,
    count_skipped_events,
    log_process_events,
)
from cortexfs.session.session import Session
from cortexfs.tree import atomic_files

if TYPE_CHECKING:
    from pathlib import Path

DAY = "2026-05-06"
TODAY = date(2026, 5, 6)


def event(number: int, day: str = DAY, note: str = "") -> ProcessEvent:
    time = f"{day}T10:00:{number:02}.000Z"
    return ProcessEvent(time, EventType.PROMPT, "codex", "s", "", "", "hi", note or f"{number}.1")


@pytest.fixture
def session(tmp_path: Path) -> Session:
    (tmp_path / "tree/projects").mkdir(parents=True)
    (tmp_path / "tree/CORTEX.md").write_text("# Cortex\n")
    return Session.open_unchecked(str(tmp_path / "tree"), lambda: datetime(2026, 5, 6, tzinfo=UTC))


@pytest.fixture
def folder(session: Session, tmp_path: Path) -> Path:
    log_process_events(session.tree, [event(1, "2026-05-05", "0.1")], TODAY)
    return tmp_path / "tree/.cortexfs/events"


def test_events_are_private_and_read_back_in_order(session: Session, folder: Path) -> None:
    log_process_events(session.tree, [event(3), event(2), event(1)], TODAY)
    assert sorted(os.listdir(folder)) == ["2026-05-05.jsonl", f"{DAY}.jsonl"]
    assert oct((folder / f"{DAY}.jsonl").stat().st_mode)[-3:] == "600"
    assert oct(folder.stat().st_mode)[-3:] == "700"
    assert load_process_events(session, TODAY.isoformat()) == [event(1), event(2), event(3)]
    assert load_process_events(session, "2026-05-05")[0] == event(1, "2026-05-05", "0.1")
    assert load_process_events(session, "2026-05-07") == []


def test_an_event_that_was_written_twice_counts_once(session: Session) -> None:
    log_process_events(session.tree, [event(1), event(2)], TODAY)
    log_process_events(session.tree, [event(2)._replace(text="cut"), event(3)], TODAY)
    assert load_process_events(session, TODAY.isoformat()) == [event(1), event(2), event(3)]


def test_an_incomplete_last_line_is_ended(session: Session, folder: Path) -> None:
    (folder / f"{DAY}.jsonl").write_text(format_event_line(event(1))[:-9])
    log_process_events(session.tree, [event(2)], TODAY)
    assert load_process_events(session, TODAY.isoformat()) == [event(2)]


def test_lines_that_are_no_events_are_skipped(session: Session, folder: Path) -> None:
    bad = (
        '{"ts":"yesterday","event":"prompt"}',
        '{"ts":"2026-05-06T25:00:00Z","event":"prompt"}',
        f'{{"ts":"{DAY}T10:00:00Z","event":"prompt","text":"{"x" * 5000}"}}',
        '{"ts":"2020-01-01T10:00:00Z","event":"prompt"}',
        "\0\xff[[[",
    )
    (folder / f"{DAY}.jsonl").write_bytes("\n".join(bad).encode("latin-1") + b"\n")
    log_process_events(session.tree, [event(2)], TODAY)
    assert load_process_events(session, TODAY.isoformat()) == [event(2)]


def test_events_are_deleted_after_ninety_days(session: Session, folder: Path) -> None:
    for name in ("2026-02-04.jsonl", "2026-02-04.skipped", "2026-02-05.jsonl", "notes.jsonl"):
        (folder / name).write_text("")
    (folder / "2026-01-01.jsonl").mkdir()
    later = [f"{DAY}.jsonl", "2026-05-07.jsonl", "2026-05-08.jsonl"]
    for name in later:
        (folder / name).write_text("")
    log_process_events(session.tree, [event(1)], TODAY)
    assert sorted(os.listdir(folder)) == [
        "2026-01-01.jsonl", "2026-02-05.jsonl", "2026-05-05.jsonl", *later, "notes.jsonl",
    ]  # fmt: skip


def test_a_clock_that_is_wrong_for_two_days_deletes_no_event(
    session: Session, folder: Path
) -> None:
    for day in ("2026-05-04", DAY):
        log_process_events(session.tree, [event(1, day)], TODAY)
    for day in (1, 2, 2):
        wrong = date(2038, 1, day)
        log_process_events(session.tree, [event(1, wrong.isoformat())], wrong)
    assert sorted(os.listdir(folder)) == [
        *("2026-05-04.jsonl", "2026-05-05.jsonl", f"{DAY}.jsonl"),
        *("2038-01-01.jsonl", "2038-01-02.jsonl"),
    ]
    log_process_events(session.tree, [event(2)], TODAY)
    assert len(os.listdir(folder)) == 5


def test_above_its_limit_a_day_is_only_counted(session: Session, folder: Path) -> None:
    with (folder / f"{DAY}.jsonl").open("w") as file:
        file.truncate(MAX_DAY_BYTES - 2 * len(format_event_line(event(1))))
    log_process_events(session.tree, [event(number) for number in range(1, 8)], TODAY)
    assert (folder / f"{DAY}.jsonl").stat().st_size <= MAX_DAY_BYTES
    assert count_skipped_events(session.tree, DAY) in {5, 6}
    log_process_events(session.tree, [event(9)], TODAY)
    assert count_skipped_events(session.tree, DAY) in {6, 7}
    assert count_skipped_events(session.tree, "2026-05-05") == 0


def test_reading_is_bounded(
    session: Session, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log_process_events(session.tree, [event(1), event(2)], TODAY)
    size = (folder / f"{DAY}.jsonl").stat().st_size
    monkeypatch.setattr(process_event_log, "MAX_BYTES_READ", size)
    assert load_process_events(session, "2026-05-01") == [event(1), event(2)]


def test_events_of_the_future_are_no_events(
    session: Session, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    later = format_event_line(event(5, "9999-12-31"))
    (folder / "9999-12-31.jsonl").write_text(later)
    log_process_events(session.tree, [event(1), event(2)], TODAY)
    size = (folder / f"{DAY}.jsonl").stat().st_size
    with (folder / f"{DAY}.jsonl").open("a") as file:
        file.write(later)
    monkeypatch.setattr(process_event_log, "MAX_BYTES_READ", size + len(later))
    assert load_process_events(session, TODAY.isoformat()) == [event(1), event(2)]


@pytest.mark.parametrize("kind", ["link", "file", "pipe", "link to a file", "folder"])
def test_a_hostile_log_is_neither_followed_nor_read(
    session: Session, folder: Path, tmp_path: Path, kind: str
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / f"{DAY}.jsonl").write_text("untouched\n")
    if kind in {"link", "file"}:
        for file in folder.iterdir():
            file.unlink()
        folder.rmdir()
    match kind:
        case "link":
            folder.symlink_to(outside)
        case "file":
            folder.write_text("x")
        case "pipe":
            os.mkfifo(folder / f"{DAY}.jsonl")
        case "link to a file":
            (folder / f"{DAY}.jsonl").symlink_to(outside / f"{DAY}.jsonl")
        case _:
            (folder / f"{DAY}.jsonl").mkdir()
    log_process_events(session.tree, [event(1)], TODAY)
    assert load_process_events(session, TODAY.isoformat()) == []
    assert count_skipped_events(session.tree, DAY) == 0
    assert (outside / f"{DAY}.jsonl").read_text() == "untouched\n"


def test_a_full_disk_is_told_apart(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, "no space")

    monkeypatch.setattr(atomic_files, "append_lines", fail)
    with pytest.raises(FullDisk):
        log_process_events(session.tree, [event(1)], TODAY)
