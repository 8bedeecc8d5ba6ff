"""Time whole processes in turn, so that changes of the machine's speed affect all of them."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path


_KEPT = ("PATH", "TMPDIR", "LANG", "LC_ALL", "TZ")
"""The variables that a measured process inherits; others would slow some programs down."""


class Figure(NamedTuple):
    """One line of the table."""

    name: str
    value: str
    baseline: str


@dataclass(frozen=True)
class Job:
    """One process to be timed: its command, its input, and an untimed command before it."""

    command: Sequence[str]
    stdin: bytes = b""
    before: Sequence[str] = ()


def time_in_turn(
    jobs: Mapping[str, Job], runs: int, world: Mapping[str, str]
) -> dict[str, list[float]]:
    """Return the wall seconds of the jobs, run A B C A B C … after a round that is not counted."""
    times: dict[str, list[float]] = {name: [] for name in jobs}
    for lap in range(runs + 1):
        for name, job in jobs.items():
            taken = time_once(job, world)
            if lap:
                times[name].append(taken)
    return times


def time_once(job: Job, world: Mapping[str, str]) -> float:
    """Run one job, and return its wall seconds; a failure ends the benchmark."""
    if job.before:
        subprocess.run(job.before, check=True, env=world)
    began = time.perf_counter()
    done = subprocess.run(job.command, input=job.stdin, check=False, env=world, capture_output=True)
    taken = time.perf_counter() - began
    if done.returncode:
        sys.stderr.buffer.write(done.stderr)
        done.check_returncode()
    return taken


def median_ratio(times: Mapping[str, list[float]], one: str, other: str) -> float:
    """Return the median of the ratios of two jobs, lap by lap."""
    return statistics.median(a / b for a, b in zip(times[one], times[other], strict=True))


def subtract_times(times: Mapping[str, list[float]], one: str, other: str) -> list[float]:
    """Return for each lap how many seconds longer one job took than another."""
    return [a - b for a, b in zip(times[one], times[other], strict=True)]


def measure_peak_mib(command: Sequence[str], world: Mapping[str, str]) -> float:
    """Run a command in a child process, and return its peak memory in MiB."""
    child = os.fork()
    if not child:
        os.execvpe(command[0], list(command), dict(world))  # noqa: S606 - argv, no shell
    _, status, used = os.wait4(child, 0)
    if status:
        raise subprocess.CalledProcessError(status, command)
    return used.ru_maxrss / 1024


def make_ratio_figure(
    what: str, times: Mapping[str, list[float]], one: str, other: str, baseline: str
) -> Figure:
    """Return a line with the ratio of one job to another."""
    return Figure(
        what, f"{median_ratio(times, one, other):.2f} × ({format_ms(times[one])})", baseline
    )


def format_ms(times: Sequence[float]) -> str:
    """Return the median of seconds as milliseconds."""
    return f"{statistics.median(times) * 1000:.0f} ms"


def make_environment(folder: Path) -> dict[str, str]:
    """Return an environment in which no file of the user is read or written."""
    home = folder / "home"
    home.mkdir(exist_ok=True)
    (home / ".gitconfig").write_text("[user]\n\tname = Bench\n\temail = bench@example.org\n")
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    return {**kept, "HOME": str(home), "CORTEXFS_DRAIN_QUIET": "off"}
