"""Jobs in threads: failures, bugs, and runs without an end; and a loop that goes on."""

from __future__ import annotations

import threading
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from cortexfs.errors import Refused, TreeMoved
from cortexfs.interfaces.daemon.job_runner import JobResult, JobRunner

if TYPE_CHECKING:
    from collections.abc import Iterator

    from place import Place

DEADLINE_S = 30


class Waiting:
    """A runner, and a way to wait for the next end of a job."""

    def __init__(self, root: str) -> None:
        self.ended = threading.Semaphore(0)
        self.hang = threading.Event()
        self.runner = JobRunner(root, lambda: datetime.now(UTC), self.ended.release)

    def collect(self, now: float = 0.0) -> list[JobResult]:
        assert self.ended.acquire(timeout=DEADLINE_S)
        return [*self.runner.collect(now)]

    def wait_forever(self) -> None:
        self.hang.wait(DEADLINE_S)

    def fail(self, error: Exception) -> None:
        raise error


@pytest.fixture
def waiting(sample: Place) -> Iterator[Waiting]:
    waiting = Waiting(str(sample.root))
    yield waiting
    waiting.hang.set()


def test_a_job_returns_its_value_and_may_run_again(waiting: Waiting) -> None:
    for value in (1, 2):
        waiting.runner.start("a", lambda value=value: value, 0.0, 10.0)
        (result,) = waiting.collect()
        assert (result.name, result.value, result.error) == ("a", value, "")
    assert waiting.runner.is_idle


def test_refusals_and_errors_of_the_system_are_reported_in_one_line(waiting: Waiting) -> None:
    for error in (Refused("no"), OSError(28, "No space left on device")):
        waiting.runner.start("a", lambda error=error: waiting.fail(error), 0.0, 10.0)
        (result,) = waiting.collect()
        assert result.error == str(error)


def test_a_bug_writes_a_report_and_ends_nothing(waiting: Waiting, sample: Place) -> None:
    waiting.runner.start("a", lambda: waiting.fail(ZeroDivisionError("x")), 0.0, 10.0)
    (result,) = waiting.collect()
    (report,) = (sample.root / ".cortexfs/crash").iterdir()
    assert result.error == f"bug: ZeroDivisionError; report: {report}"
    assert "wait_forever" not in report.read_text()
    assert "ZeroDivisionError: x" in report.read_text()
    waiting.runner.start("a", lambda: "again", 0.0, 10.0)
    assert waiting.collect()[0].value == "again"


def test_a_tree_that_has_moved_is_told_apart(waiting: Waiting) -> None:
    waiting.runner.start("a", lambda: waiting.fail(TreeMoved("/x")), 0.0, 10.0)
    assert waiting.collect()[0].is_tree_moved


def test_a_job_that_hangs_is_given_up_and_holds_up_no_other(waiting: Waiting) -> None:
    waiting.runner.start("slow", waiting.wait_forever, 0.0, 300.0)
    waiting.runner.start("other", lambda: "done", 0.0, 300.0)
    assert [result.name for result in waiting.collect(299.0)] == ["other"]
    assert waiting.runner.find_next_deadline() == 300.0
    (given_up,) = waiting.runner.collect(300.0)
    assert (given_up.name, given_up.error) == ("slow", "not finished after 300 s")
    assert (waiting.runner.is_busy("slow"), waiting.runner.is_idle) == (True, False)
    assert [*waiting.runner.collect(301.0)] == []
    waiting.hang.set()
    assert waiting.collect(302.0) == []  # its end says nothing any more
    assert waiting.runner.is_idle


def test_time_in_suspension_does_not_count_for_a_deadline(waiting: Waiting) -> None:
    waiting.runner.start("slow", waiting.wait_forever, 0.0, 300.0)
    waiting.runner.extend_deadlines(5000.0)
    assert [*waiting.runner.collect(5299.0)] == []
    assert len([*waiting.runner.collect(5300.0)]) == 1
