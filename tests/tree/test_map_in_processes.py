"""Results of several processes are those of one, in order, whatever happens to a process."""

from __future__ import annotations

import gc
import os
import signal
import threading
from typing import TYPE_CHECKING

import pytest

from cortexfs.tree.map_in_processes import CHUNK_SIZE, MIN_ITEMS, map_in_processes

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


def test_many_items_are_computed_in_other_processes_and_few_are_not() -> None:
    with map_in_processes(lambda _: os.getpid(), ITEMS) as pids:
        assert len(set(pids) - {os.getpid()}) == min(4, os.cpu_count() or 1)
    with map_in_processes(lambda _: os.getpid(), ITEMS[:10]) as pids:
        assert set(pids) == {os.getpid()}


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
    def fail(item: int) -> int:
        return 1 // (item - 700)

    with pytest.raises(ZeroDivisionError), map_in_processes(fail, ITEMS) as results:
        list(results)
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


def test_processes_end_when_their_results_are_not_read() -> None:
    with map_in_processes(lambda item: str(item) * 5000, ITEMS) as results:
        next(results)
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


def test_copies_have_what_the_first_items_have_cached() -> None:
    known: set[int] = set()

    def count_known(item: int) -> int:
        known.add(item)
        return len(known)

    with map_in_processes(count_known, ITEMS) as results:
        counts = list(results)
    assert min(counts[CHUNK_SIZE:]) > CHUNK_SIZE


def test_garbage_is_collected_as_before_afterwards() -> None:
    before = gc.get_threshold()
    with map_in_processes(_square, ITEMS) as results:
        assert gc.get_threshold() != before
        next(results)
    assert gc.get_threshold() == before
