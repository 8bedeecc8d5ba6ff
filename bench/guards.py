"""Measure the cost of the guard beyond an empty Python, in pairs: `python -m bench.guards`.

It measures processor time: wall time on a busy machine includes other programs.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from bench.corpus import write_corpus
from bench.events import make_write_event, write_sound_atom
from bench.measure import make_environment
from cortexfs.operations.own_commands import list_package_folders

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

HOOK = Path(__file__).parents[1] / "hooks/guard.py"
PYTHON = [sys.executable, "-I", "-S"]


class Cost(NamedTuple):
    """The milliseconds of one run of a process."""

    wall: float
    cpu: float


def main() -> None:
    """Print, for each event, the median of what the guard costs beyond an empty Python."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--pairs", type=int, default=100)
    pairs = asked.parse_args().pairs
    with tempfile.TemporaryDirectory(prefix="cortexfs-bench-") as folder:
        environ, tree = make_environment(Path(folder)), Path(folder) / "tree"
        init = [sys.executable, "-m", "cortexfs", "init", str(tree)]
        subprocess.run(init, check=True, env=environ, stdout=subprocess.DEVNULL)
        write_corpus(tree, 200, 200)
        project = f"{tree}/projects/bench-000"
        atom = write_sound_atom(Path(f"{project}/knowledge/K-9001.md"))
        events = {
            "before a write elsewhere": make_write_event("PreToolUse", "/elsewhere/notes.md"),
            "before a write of an atom": make_write_event("PreToolUse", atom),
            "before a write of a STATUS.md": make_write_event("PreToolUse", f"{project}/STATUS.md"),
            "after a write of an atom": make_write_event("PostToolUse", atom),
            "after a write of a STATUS.md": make_write_event("PostToolUse", f"{project}/STATUS.md"),
        }
        command = [*PYTHON, str(HOOK), str(tree), str(tree), "--", *list_package_folders()]
        for what, event in events.items():
            extra = [_measure_extra_cost(command, event, environ) for _ in range(pairs + 1)][1:]
            wall, cpu = (statistics.median(column) for column in zip(*extra, strict=True))
            sys.stdout.write(f"{what}: +{cpu:.1f} ms of processor, +{wall:.1f} ms of wall time\n")


def _measure_extra_cost(command: Sequence[str], event: bytes, environ: Mapping[str, str]) -> Cost:
    empty, guard = (
        _measure_run([*PYTHON, "-c", "pass"], event, environ),
        _measure_run(command, event, environ),
    )
    return Cost(guard.wall - empty.wall, guard.cpu - empty.cpu)


def _measure_run(command: Sequence[str], event: bytes, environ: Mapping[str, str]) -> Cost:
    with tempfile.TemporaryFile() as feed:
        feed.write(event)
        feed.seek(0)
        actions = [
            (os.POSIX_SPAWN_DUP2, feed.fileno(), 0),
            (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
        ]
        began = time.perf_counter()
        process = os.posix_spawn(command[0], list(command), environ, file_actions=actions)
        _, status, used = os.wait4(process, 0)
        wall = time.perf_counter() - began
    if status:
        raise subprocess.CalledProcessError(status, command)
    return Cost(wall * 1000, (used.ru_utime + used.ru_stime) * 1000)


if __name__ == "__main__":
    main()
