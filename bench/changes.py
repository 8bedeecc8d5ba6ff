"""Measure how a command finds out what has changed: `python -m bench.changes --atoms N …`.

The tree has N short atoms, a thousand in each project, or is your own (`--tree`; atoms get more
words). `find` runs as a process, alone and beside a process that watches the tree; in process, a
session that watches reads, searches, and sees a changed atom. Beside them, every file gets one
`stat`, by one process and by one for each processor. The best of some runs is shown.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from bench.corpus import WORDS
from bench.find import print_figures
from bench.level import make_find, percentile
from bench.measure import Figure, make_environment, measure_peak_mib
from cortexfs.session.session import Session
from cortexfs.session.view import NeededContents

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

PER_PROJECT = 1000
RUNS, READS = 7, 200
_SILENT = ("/bin/sh", "-c", 'exec "$@" > /dev/null', "sh")
WATCHER = """
import sys
from datetime import UTC, datetime
from cortexfs.interfaces.answer_current import watch_and_answer
from cortexfs.session.session import Session
session = Session.open(sys.argv[1], lambda: datetime.now(UTC))
with watch_and_answer(session, session.refresh):
    session.refresh()
    print(flush=True)
    sys.stdin.read()
"""


def main() -> None:
    """Print a table for each size."""
    asked = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    asked.add_argument("--atoms", type=int, nargs="+", default=[100_000])
    asked.add_argument("--folder", type=Path, help="where the tree is made, and removed")
    asked.add_argument("--tree", type=Path, help="a tree that exists, instead of new ones")
    options = asked.parse_args()
    if options.tree:
        with tempfile.TemporaryDirectory(prefix="cortexfs-bench-") as folder:
            print_figures(str(options.tree), measure(options.tree, make_environment(Path(folder))))
        return
    for atoms in options.atoms:
        with tempfile.TemporaryDirectory(prefix="cortexfs-bench-", dir=options.folder) as folder:
            root = Path(folder, "tree")
            write_short_atoms(root, atoms)
            print_figures(f"{atoms:,} atoms", measure(root, make_environment(Path(folder))))


def write_short_atoms(root: Path, atoms: int) -> None:
    """Write a tree of short atoms."""
    for number in range(atoms):
        project, ident = f"z{number // PER_PROJECT:04d}", f"EXP-{number % PER_PROJECT + 1:03d}"
        folder = root / "projects" / project / "experiments"
        if number % PER_PROJECT == 0:
            folder.mkdir(parents=True)
        front = f"id: {ident}\ndate: 2026-03-01\nproject: {project}\nsummary: number {number}"
        (folder / f"{ident}.md").write_text(f"---\n{front}\ntags: [a]\n---\n\nbody\n")
    (root / "CORTEX.md").write_text("# Bench\n")


def measure(root: Path, around: Mapping[str, str]) -> Iterator[Figure]:
    """Yield all figures of one tree."""
    find = [sys.executable, "-m", "cortexfs", "--root", str(root), "find", "number 77"]

    def run() -> None:
        subprocess.run(find, env=dict(around), check=True, capture_output=True)

    began = time.perf_counter()
    run()
    yield Figure("the first `find`, which builds the catalog", _format_s([_elapsed(began)]), "")
    for _ in range(3):
        run()  # stamps are settled, digests stored
    folders = [str(path.parent) for path in root.glob("projects/*/*/*-001.md")]
    count = os.cpu_count() or 1
    yield Figure("a `stat` of each file, one process", _time(lambda: stat_all(folders, 1)), "")
    turns = [_time_both(lambda: stat_all(folders, count), run) for _ in range(RUNS)]
    stats, finds = ([turn[place] for turn in turns] for place in (0, 1))
    yield Figure(f"the same, {count} processes", _format_s(stats), "")
    ratio = f"{min(finds) / min(stats):.2f} × that `stat`"
    yield Figure("`find`, nobody watches", _format_s(finds), ratio)
    yield Figure("its peak memory", f"{measure_peak_mib([*_SILENT, *find], around):.0f} MiB", "")
    with watcher(root, around):
        yield Figure("`find` beside a process that watches", _time(run), "")
        yield Figure(
            "its peak memory", f"{measure_peak_mib([*_SILENT, *find], around):.0f} MiB", ""
        )
        yield Figure(
            "`find` after one atom has changed", _time(run, lambda: _change_atom(root)), ""
        )
    yield from measure_in_process(root)


def _time_both(one: Callable[[], object], other: Callable[[], object]) -> tuple[float, float]:
    """Return the seconds of two steps, which are measured in turn."""
    times = []
    for step in (one, other):
        began = time.perf_counter()
        step()
        times.append(_elapsed(began))
    return times[0], times[1]


def measure_in_process(root: Path) -> Iterator[Figure]:
    """Yield the times of a session that watches."""
    session = Session.open(str(root), lambda: datetime.now(UTC))
    with session.comparisons.watch_events():
        session.refresh()
        changes = {"a read": lambda: None, "a read after a change": lambda: _change_atom(root)}
        for name, change in changes.items():
            taken = list(_time_reads(session, change))
            for percent in (50, 95):
                shown = f"{percentile(taken, percent) * 1000:.2f} ms"
                yield Figure(f"{name}, in process, p{percent}", shown, "")
        for percent, seconds in zip((50, 95), _time_questions(session), strict=True):
            yield Figure(f"a query, in process, p{percent}", f"{seconds * 1000:.2f} ms", "")
    session.close()


def _time_reads(session: Session, change: Callable[[], object]) -> Iterator[float]:
    for _ in range(READS):
        change()
        began = time.perf_counter()
        with session.read(NeededContents.TEXTS):
            yield time.perf_counter() - began


def _time_questions(session: Session) -> list[float]:
    """Return p50 and p95 of queries of two words, each asked for the second time."""
    find, chance = make_find(session), random.Random(READS)
    questions = [" ".join((*chance.sample(WORDS, 2), str(number))) for number in range(READS)]
    for one in questions:
        find(one)
    taken = [_time_both(lambda: None, lambda one=one: find(one))[1] for one in questions]
    return [percentile(taken, percent) for percent in (50, 95)]


def stat_all(folders: Sequence[str], processes: int) -> None:
    """Stat every file of some folders, in several processes."""
    children = []
    for number in range(processes):
        if (pid := os.fork()) == 0:
            for folder in folders[number::processes]:
                with os.scandir(folder) as entries:
                    for entry in entries:
                        entry.stat(follow_symlinks=False)
            os._exit(0)
        children.append(pid)
    for pid in children:
        os.waitpid(pid, 0)


@contextmanager
def watcher(root: Path, around: Mapping[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    """Run a process that watches the tree, as the daemon and `watch` do."""
    command = [sys.executable, "-c", WATCHER, str(root)]
    with subprocess.Popen(
        command, env=dict(around), stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as running:
        try:
            if running.stdout:
                running.stdout.readline()
            yield running
        finally:
            running.kill()


def _change_atom(root: Path) -> None:
    path = next(root.glob("projects/z0000/*/*-001.md"))
    path.write_text(f"{path.read_text()}walrus\n")


def _time(step: Callable[[], object], before: Callable[[], object] = lambda: None) -> str:
    taken = []
    for _ in range(RUNS):
        before()
        began = time.perf_counter()
        step()
        taken.append(_elapsed(began))
    return _format_s(taken)


def _elapsed(began: float) -> float:
    return time.perf_counter() - began


def _format_s(taken: Sequence[float]) -> str:
    return f"{min(taken):.3f} s"


if __name__ == "__main__":
    main()
