"""Measure the memory of a process and of its copies."""

from __future__ import annotations

import os
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

SAMPLE_S = 0.1
"""Seconds between two samples of the memory of a process and its copies."""


class Usage(NamedTuple):
    """What a command used: MiB of memory at the peak, seconds of a processor, and seconds.

    `peak_mib` is that of one process, as `/usr/bin/time` prints it. `total_mib` is that of all its
    processes together: what several have in common counts once.
    """

    peak_mib: float
    total_mib: float
    processor_s: float
    wall_s: float


def measure_process(command: Sequence[str], around: Mapping[str, str]) -> Usage:
    """Run a command without its output; it may exit with 1, as `check` does."""
    began, total_kib = time.perf_counter(), 0
    child = os.fork()
    if not child:
        nowhere = os.open(os.devnull, os.O_RDWR)
        os.dup2(nowhere, 0)
        os.dup2(nowhere, 1)
        os.execvpe(command[0], list(command), dict(around))  # noqa: S606 - argv, no shell
    while not (ended := os.wait4(child, os.WNOHANG))[0]:
        total_kib = max(total_kib, sum(map(_read_share_kib, _iter_family(child))))
        time.sleep(SAMPLE_S)
    _, status, used = ended
    if os.waitstatus_to_exitcode(status) not in {0, 1}:
        print(f"failed: {status} {command}", file=sys.stderr)
    peak = used.ru_maxrss / 1024
    taken = time.perf_counter() - began
    return Usage(peak, total_kib / 1024, used.ru_utime + used.ru_stime, taken)


def read_peak_mib(pid: int) -> float:
    """Return the peak of a process that runs, in MiB."""
    return _read_kib(Path(f"/proc/{pid}/status"), "VmHWM:") / 1024


def _iter_family(pid: int) -> Iterator[int]:
    """Yield a process and all that it has started."""
    yield pid
    with suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            for child in (task / "children").read_text().split():
                yield from _iter_family(int(child))


def _read_share_kib(pid: int) -> int:
    return _read_kib(Path(f"/proc/{pid}/smaps_rollup"), "Pss:")


def _read_kib(path: Path, key: str) -> int:
    with suppress(OSError):
        for line in path.read_text().splitlines():
            if line.startswith(key):
                return int(line.split()[1])
    return 0
