"""What a piece of work costs: done in a process of its own, which is ended where it is too much."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import traceback
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

SECONDS, MEGABYTES = 2.0, 200
"""What one megabyte of text may cost, whatever it says."""
_ENDED_AFTER = 10
_RUN_AND_PRINT_COST = """
import os, sys, resource
limit = int(sys.argv[1])
child = os.fork()
if not child:
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))
    null = os.open(os.devnull, os.O_RDWR)
    for fd in range(3):
        os.dup2(null, fd)
    os.execv(sys.argv[2], sys.argv[2:])
_, status, used = os.wait4(child, 0)
print(os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)
"""
"""A process reports at least the memory of the process that it was forked from: so a small one."""


class CommandCost(NamedTuple):
    """Exit code, seconds of CPU, and megabytes at most."""

    code: int
    seconds: float
    megabytes: float


def cost_of_command(command: Sequence[str], cwd: Path) -> CommandCost:
    """Run a command without input and output, and measure it."""
    starter = [sys.executable, "-S", "-c", _RUN_AND_PRINT_COST, str(_ENDED_AFTER)]
    ran = subprocess.run([*starter, *command], cwd=cwd, capture_output=True, check=True)
    code, seconds, megabytes = ran.stdout.split()
    return CommandCost(int(code), float(seconds), float(megabytes))


class Cost(NamedTuple):
    """Seconds of CPU, megabytes above the beginning, and what was raised."""

    seconds: float
    megabytes: float
    error: str

    @property
    def is_allowed(self) -> bool:
        """Tell whether this is what a megabyte may cost."""
        return not self.error and self.seconds < SECONDS and self.megabytes < MEGABYTES


def cost_of(work: Callable[[], object]) -> Cost:
    """Do some work in a child process, and measure it there."""
    receive, send = os.pipe()
    child = os.fork()
    if not child:
        os.close(receive)
        _measure(work, send)
    os.close(send)
    with os.fdopen(receive) as pipe:
        told = pipe.read()
    _, status = os.waitpid(child, 0)
    if not told:
        return Cost(_ENDED_AFTER, 0, f"ended by signal {status & 0x7F}")
    seconds, megabytes, error = told.split("\n", 2)
    return Cost(float(seconds), float(megabytes), error)


def _measure(work: Callable[[], object], send: int) -> None:
    """Do the work within limits, send what it has cost, and end."""
    limit_cpu()
    before, error = resource.getrusage(resource.RUSAGE_SELF), ""
    try:
        work()
    except BaseException:  # noqa: BLE001 - whatever it is, the parent shows it
        error = traceback.format_exc()
    after = resource.getrusage(resource.RUSAGE_SELF)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    megabytes = (after.ru_maxrss - before.ru_maxrss) / 1024
    os.write(send, f"{seconds}\n{megabytes}\n{error[-2000:]}".encode(errors="replace"))
    os._exit(0)


def limit_cpu() -> None:
    """End this process by a signal where it computes for far too long."""
    signal.signal(signal.SIGXCPU, signal.SIG_DFL)
    used = sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
    limit = int(used) + _ENDED_AFTER
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))
