"""Results of several processes are those of one, in order, whatever happens to a process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

import pytest

from cortexfs.tree.map_in_processes import CHUNK_SIZE, FIRST_ITEMS, MIN_ITEMS, map_in_processes

if TYPE_CHECKING:
    from collections.abc import Sequence

ITEMS = range(MIN_ITEMS + CHUNK_SIZE // 2)
PARENT = os.getpid()


def _square(item: int) -> tuple[int, str]:
    return item * item, "ä\ud800"


def _compute(items: Sequence[int]) -> list[tuple[int, str]]:
    with map_in_processes(_square, items) as results:
        return list(results)


@pytest.mark.parametrize("count", [0, 1, CHUNK_SIZE, len(ITEMS)])
def test_results_are_in_the_order_of_the_items(count: int) -> None:
    assert _compute(ITEMS[:count]) == list(map(_square, ITEMS[:count]))


def _run(script: str) -> str:
    """Run a script in a process without threads; return what it prints."""
    begin = (
        "import os\nfrom cortexfs.tree.map_in_processes import map_in_processes\n"
        f"ITEMS = range({len(ITEMS)})\n"
    )
    command = [sys.executable, "-c", begin + script]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


_TRY_TO_WAIT = """
try:
    os.waitpid(-1, os.WNOHANG)
except ChildProcessError:
    print("no process is left")
"""


def test_many_items_are_computed_in_other_processes_and_few_are_not() -> None:
    script = """
for items in (ITEMS, ITEMS[:10]):
    with map_in_processes(lambda _: os.getpid(), items) as pids:
        print(len(set(pids) - {os.getpid()}))
"""
    count = os.cpu_count() or 1
    assert _run(script).split() == [str(min(4, count) if count > 1 else 0), "0"]


def test_a_process_with_threads_is_not_copied() -> None:
    done = threading.Event()
    thread = threading.Thread(target=done.wait)
    thread.start()
    try:
        with map_in_processes(lambda _: os.getpid(), ITEMS) as pids:
            assert set(pids) == {os.getpid()}
    finally:
        done.set()
        thread.join()


def test_the_items_of_a_killed_process_are_computed_here() -> None:
    def kill_once(item: int) -> int:
        if item == CHUNK_SIZE * 5 + 3 and os.getpid() != PARENT:
            os.kill(os.getpid(), signal.SIGKILL)
        return item

    with map_in_processes(kill_once, ITEMS) as results:
        assert list(results) == list(ITEMS)


def test_an_error_is_raised_here_and_no_process_stays() -> None:
    script = """
try:
    with map_in_processes(lambda item: 1 // (item - 700), ITEMS) as results:
        list(results)
except ZeroDivisionError:
    print("raised")
"""
    assert _run(script + _TRY_TO_WAIT) == "raised\nno process is left\n"


def test_processes_end_when_their_results_are_not_read() -> None:
    script = """
with map_in_processes(lambda item: str(item) * 5000, ITEMS) as results:
    next(results)
"""
    assert _run(script + _TRY_TO_WAIT) == "no process is left\n"


def test_copies_have_what_the_first_items_have_cached() -> None:
    known: set[int] = set()

    def count_known(item: int) -> int:
        known.add(item)
        return len(known)

    with map_in_processes(count_known, ITEMS) as results:
        counts = list(results)
    assert min(counts[FIRST_ITEMS:]) > FIRST_ITEMS


def test_garbage_is_collected_as_before_afterwards() -> None:
    script = """
import gc
before = gc.get_threshold()
with map_in_processes(lambda item: item, ITEMS) as results:
    print(gc.get_threshold() != before, next(results))
print(gc.get_threshold() == before)
"""
    assert _run(script).split() == ["True", "0", "True"]
