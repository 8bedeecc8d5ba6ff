"""Several processes test what one would: with the same answer, or none."""

from __future__ import annotations

import subprocess
import sys

from for_each import for_each

_SCRIPT = """
import os, threading, time
from cortexfs.tree import scan_in_processes as shared
shared.MAX_PROCESSES = 2
os.cpu_count = lambda: 2
own, items = os.getpid(), {str(number): number for number in range(1000)}
{SETUP}
print(sorted(map(int, shared.find_true_in_processes(items, test))))
"""


def run(setup: str) -> list[int]:
    script = _SCRIPT.replace("{SETUP}", setup)
    ran = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True
    )
    return [int(each) for each in ran.stdout.strip("[]\n").split(",") if each]


def test_the_answer_is_that_of_one_process() -> None:
    assert run("def test(item): return int(item) % 7 == 0") == [*range(0, 1000, 7)]


def test_other_processes_take_a_part() -> None:
    assert 0 < len(run("def test(item): return os.getpid() != own")) < 1000


@for_each(["os._exit(1)", "os.kill(os.getpid(), 9)", "1 / 0"])
def test_what_a_process_that_fails_would_have_answered_is_left_out(end: str) -> None:
    answered = run(f"def test(item): return os.getpid() == own or {end}")
    assert 0 < len(answered) < 1000


def test_a_process_with_threads_is_not_copied() -> None:
    setup = "threading.Thread(target=time.sleep, args=(9,), daemon=True).start()\n"
    assert run(f"{setup}def test(item): return True") == []
