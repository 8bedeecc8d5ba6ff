"""Rotating a log by month: no line is lost, doubled or moved too early."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.access.rotate_log import plan_log_rotation

CURRENT = "2026-05"
months = st.sampled_from(["2026-03", "2026-04", "2026-05", "2026-06"])
events = st.builds(
    lambda month, n: json.dumps({"file": f"EXP-00{n}.md", "ts": f"{month}-01T00:00:00Z"}),
    months,
    st.integers(0, 3),
)
logs = st.lists(events | st.sampled_from(["", "junk", '{"ts": 3}', "{"]), max_size=20)


def _apply_rotation(files: dict[str, str], lines: str) -> dict[str, str]:
    present = {month: text for month, text in files.items() if month}
    for write in plan_log_rotation("p", lines, present, CURRENT):
        name = write.path.removeprefix("projects/p/_meta/access-log").removesuffix(".jsonl")
        month = name.removeprefix(".")
        assert write.expected_text == (present.get(month) if month else lines)
        files[month] = write.text
    return files


@given(logs, st.booleans())
def test_rotation_keeps_every_line_once_and_moves_past_months(lines: list[str], torn: bool) -> None:
    log = "\n".join(lines) + ("" if torn or not lines else "\n")
    files = _apply_rotation({"": log}, log)
    kept = Counter(line for text in files.values() for line in text.splitlines())
    assert kept == Counter(log.splitlines())
    for month, text in files.items():
        for line in text.splitlines():
            moved = any(f'"ts": "{early}' in line for early in ("2026-03", "2026-04"))
            assert moved is bool(month)
            assert not month or f'"{month}-' in line


@given(logs)
def test_a_rotation_that_was_killed_before_it_wrote_the_log_can_be_repeated(
    lines: list[str],
) -> None:
    log = "".join(f"{line}\n" for line in lines)
    once = _apply_rotation({"": log}, log)
    again = _apply_rotation({month: text for month, text in once.items() if month}, log)
    assert {**again, "": once[""]} == once


def test_nothing_is_written_while_no_month_is_over() -> None:
    assert plan_log_rotation("p", '{"file":"x","ts":"2026-05-01"}\n', {}, CURRENT) == []


@pytest.mark.parametrize(
    ("ts", "moved_to"),
    [
        ("2026-05-01T00:30:00+02:00", "access-log.2026-04.jsonl"),
        ("2026-04-30T23:30:00-02:00", ""),
        ("2026-04-30", "access-log.2026-04.jsonl"),
    ],
)
def test_the_month_of_a_line_is_its_month_in_utc(ts: str, moved_to: str) -> None:
    writes = plan_log_rotation("p", json.dumps({"file": "a", "ts": ts}) + "\n", {}, CURRENT)
    assert [write.path.rpartition("/")[2] for write in writes[:1]] == [moved_to][: bool(moved_to)]
