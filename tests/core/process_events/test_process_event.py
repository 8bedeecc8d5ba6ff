from __future__ import annotations

import pytest

from cortexfs.core.process_events.process_event import (
    EventType,
    ProcessEvent,
    format_event_line,
    parse_event_line,
)

EVENT = ProcessEvent("2026-05-06T10:00:00.000Z", EventType.PROMPT, "codex", "s-1", text='a "b"\n€')


def test_an_event_is_one_line_and_reads_back() -> None:
    line = format_event_line(EVENT)
    assert line.count("\n") == 1
    assert '"agent"' not in line
    assert parse_event_line(line) == EVENT


@pytest.mark.parametrize(
    "line",
    ["", "{", "[]", '"x"', "1", "null", '{"ts":"t"}', '{"ts":"t","event":"dance"}',
     '{"event":"prompt"}', '{"ts":"t","event":"prompt","session":1}',
     '{"ts":"t","event":["prompt"]}', "[" * 100_000],
)  # fmt: skip
def test_a_line_that_is_no_event_is_skipped(line: str) -> None:
    assert parse_event_line(line) is None
