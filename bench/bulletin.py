"""Measure the bulletins of a tree of 10,000 atoms: `python -m bench.bulletin`.

An atom is changed; then all bulletins are rendered (20 projects and the tree), and one is read as a
hook reads it. `--atoms` sets another size. Rendering includes the comparison of all stamps, which
`without the comparison` leaves out: a daemon knows what has changed.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from bench.corpus import write_corpus
from bench.find import print_figures
from bench.measure import Figure, make_environment
from cortexfs.operations.refresh_bulletin import refresh_bulletin
from cortexfs.session.session import Session

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

ATOMS, PROJECTS, CHANGES = 10_000, 20, 15
BULLETIN = ".cortexfs/injection/bulletins/bench-000.md"
STATUS = """# {name} Status

Updated: 2026-05-05

## Current phase

Phase {number}, streaming.

## Open blockers

- The board does not boot (EXP-0{number:02d}).

## Next steps

1. Judge EXP-1{number:02d}.
2. Repeat EXP-2{number:02d} on the other board.
"""
TASK = """  - id: {ident:04x}
    text: Repeat EXP-{ident:03d}
    priority: medium
    status: open
"""
TASKS_PER_PROJECT = 20


def main() -> None:
    """Build the tree, and print the figures."""
    asked = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    asked.add_argument("--atoms", type=int, default=ATOMS)
    options = asked.parse_args()
    with tempfile.TemporaryDirectory(prefix="cortexfs-bench-") as folder:
        environ, tree = make_environment(Path(folder)), Path(folder) / "tree"
        make_tree(tree, options.atoms, environ)
        session = Session.open(str(tree), lambda: datetime.now(UTC))
        refresh_bulletin(session, environ)
        compared = measure_refresh(session, tree, environ, lambda: None)
        with session.comparisons.watch_events():
            watched = measure_refresh(session, tree, environ, lambda: session.refresh([CHANGED]))
        print_figures(
            f"{options.atoms:,} atoms in {PROJECTS} projects",
            [
                Figure("all bulletins after a change", f"{compared:.0f} ms", ""),
                Figure("… without the comparison", f"{watched:.0f} ms", ""),
                Figure("read a bulletin", f"{measure_read(tree):.2f} ms", ""),
            ],
        )


def make_tree(tree: Path, atoms: int, environ: Mapping[str, str]) -> None:
    """Make a tree with a status and tasks in each project, and a full catalog."""
    cortexfs = [sys.executable, "-m", "cortexfs", "--root", str(tree)]
    subprocess.run([*cortexfs, "init"], check=True, env=environ, stdout=subprocess.DEVNULL)
    write_corpus(tree, atoms, max(atoms // PROJECTS, 1))
    for number, project in enumerate(sorted((tree / "projects").glob("bench-*"))):
        (project / "STATUS.md").write_text(STATUS.format(name=project.name, number=number))
        first = number * TASKS_PER_PROJECT
        tasks = (TASK.format(ident=first + at) for at in range(TASKS_PER_PROJECT))
        (project / "TASKS.yaml").write_text("tasks:\n" + "".join(tasks))
    subprocess.run([*cortexfs, "index", "regen", "--all", "-q"], check=True, env=environ)


CHANGED = "projects/bench-000/experiments/EXP-007.md"


def measure_refresh(
    session: Session, tree: Path, environ: Mapping[str, str], tell: Callable[[], object]
) -> float:
    """Return the median milliseconds from a change until all bulletins are written."""
    taken = []
    for number in range(CHANGES):
        path = tree / CHANGED
        head, _, tail = path.read_text().partition('summary: "')
        changed = f'{head}summary: "{number} {time.time_ns()}"\n{tail.partition(chr(10))[2]}'
        path.write_text(changed)
        began = time.perf_counter()
        tell()
        refresh_bulletin(session, environ)
        taken.append((time.perf_counter() - began) * 1000)
    return median(taken)


def measure_read(tree: Path) -> float:
    """Return the median milliseconds for reading a bulletin."""
    taken = []
    for _ in range(100):
        began = time.perf_counter()
        file = os.open(tree / BULLETIN, os.O_RDONLY)
        os.read(file, 1 << 20)
        os.close(file)
        taken.append((time.perf_counter() - began) * 1000)
    return median(taken)


if __name__ == "__main__":
    main()
