from __future__ import annotations

import errno

from cortexfs.interfaces.daemon.limit_reports import MAX_LINES, REPEAT_S, limit_reports


def test_a_line_is_reported_again_only_after_some_minutes() -> None:
    said: list[str] = []
    now = [0.0]
    report = limit_reports(said.append, lambda: now[0])
    for now[0] in (0.0, 1.0, REPEAT_S - 1, REPEAT_S, REPEAT_S + 1):
        report("a")
        report("b")
    assert said == ["a", "b", "a", "b"]


def test_any_number_of_lines_is_reported_and_few_are_remembered() -> None:
    said: list[str] = []
    report = limit_reports(said.append, lambda: 0.0)
    for number in (*range(3 * MAX_LINES), 0, 3 * MAX_LINES - 1):
        report(str(number))
    assert said == [*map(str, range(3 * MAX_LINES)), "0"]


def test_a_line_that_cannot_be_written_is_lost() -> None:
    def refuse(_: str) -> None:
        raise OSError(errno.ENOSPC, "no space left on device")

    limit_reports(refuse, lambda: 0.0)("a")
