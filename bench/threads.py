"""Measure the latency of reads beside other threads: `python -m bench.threads`.

One session has 10,000 atoms. Eight threads read (a list of one project, and a search) while two
write. It prints the median and the 99th percentile of a read in three modes: with a watcher,
comparing the stamps of all files, and accepting a comparison up to one second old.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import threading
import time
from contextlib import nullcontext
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.changes.plan import Plan, PlanOnlyResult, Write
from cortexfs.session.session import Session
from cortexfs.session.view import NeededContents

if TYPE_CHECKING:
    from collections.abc import Callable

    from cortexfs.session.view import View

READERS, WRITERS = 8, 2
MODES = (("watched", True, 0.0), ("not watched", False, 0.0), ("at most 1 s old", False, 1.0))
"""How a read learns of changed files: name, whether it watches, `max_age_s`."""
PAUSE_S = 0.05
"""Seconds between two requests of one thread, like those of an agent."""


def write_tree(root: Path, atoms: int) -> None:
    """Write a tree of `atoms` atoms, a hundred for each project."""
    (root / "CORTEX.md").write_text("# Tree\n")
    for number in range(atoms):
        folder = root / f"projects/p{number // 100:03d}/experiments"
        folder.mkdir(parents=True, exist_ok=True)
        text = (
            f"---\nid: EXP-{number:05d}\ndate: 2026-03-01\nsummary: Run {number}\ntags: [a]\n---\n"
        )
        (folder / f"EXP-{number:05d}.md").write_text(f"{text}\nIt took {number} turns.\n")


def time_reads(session: Session, seconds: float, pause_s: float) -> list[float]:
    """Let threads read and write, and return the seconds of each read."""
    end, took = time.monotonic() + seconds, list[float]()

    def read(number: int) -> None:
        turn = 0
        while time.monotonic() < end:
            turn += 1
            began = time.perf_counter()
            with session.read(NeededContents.TEXTS if turn % 2 else NeededContents.ATOMS) as view:
                view.queries.list_entries(f"projects/p{(number * 7 + turn) % 100:03d}/experiments")
            took.append(time.perf_counter() - began)
            time.sleep(pause_s)

    def write(number: int) -> None:
        turn = 0
        while time.monotonic() < end:
            turn += 1
            path = f"projects/p{number:03d}/experiments/EXP-9{turn:04d}.md"
            session.execute(_make_planner(path), ExecutionMode.WRITE)
            time.sleep(pause_s)

    act: list[tuple[Callable[[int], None], int]] = [(read, n) for n in range(READERS)]
    act += [(write, n) for n in range(WRITERS)]
    threads = [threading.Thread(target=one, args=(number,)) for one, number in act]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return took


def _make_planner(path: str) -> Callable[[View], PlanOnlyResult]:
    ident = path.rpartition("/")[2].removesuffix(".md")
    text = f"---\nid: {ident}\ndate: 2026-03-01\nsummary: More\ntags: [a]\n---\n\nbody\n"
    return lambda view: PlanOnlyResult(
        Plan("more", (Write(path, text, view.tree.read_text_lossy(path)),))
    )


def main() -> None:
    """Measure each mode, and print it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--atoms", type=int, default=10_000)
    parser.add_argument("--seconds", type=float, default=10.0)
    asked = parser.parse_args()
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # noqa: S108 - no disk is measured
    with tempfile.TemporaryDirectory(dir=memory) as folder:
        write_tree(Path(folder), asked.atoms)
        session = Session.open(folder, lambda: datetime.now(UTC))
        with session.read(NeededContents.TEXTS):
            pass
        for name, watched, age_s in MODES:
            session.reader.max_age_s = age_s
            with session.comparisons.watch_events() if watched else nullcontext():
                took = sorted(time_reads(session, asked.seconds, PAUSE_S))
            middle, high = took[len(took) // 2], took[len(took) * 99 // 100]
            print(f"{name}: {len(took)} reads, p50 {middle * 1e3:.1f} ms, p99 {high * 1e3:.1f} ms")
        session.close()


if __name__ == "__main__":
    main()
