"""Measure how soon `find` sees a change while `watch` runs: `python -m bench.watched`.

Atoms are written by hand in a tree of 10,000 (`--atoms` sets another size). The time runs from
the end of the write until a query finds the new word. The query runs every millisecond on the
catalog as it is: only the watching process reads the tree.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from bench.find import SMALL, print_figures
from bench.level import make_tree_once, percentile
from bench.measure import Figure, make_environment
from cortexfs.catalog.search_atoms import search_atoms
from cortexfs.core.find.parse_query import parse_query
from cortexfs.session.session import Session

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

TIMEOUT_S = 600
POLL_S = 0.001
PAUSE_S = 2.0
"""Seconds between two changes, in which the indexes are written."""


def main() -> None:
    """Print the times."""
    asked = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    asked.add_argument("--atoms", type=int, default=SMALL)
    asked.add_argument("--changes", type=int, default=40)
    options = asked.parse_args()
    with tempfile.TemporaryDirectory(prefix="cortexfs-bench-") as folder:
        tree = make_tree_once(Path(folder), options.atoms)
        taken = list(time_changes(tree, make_environment(Path(folder)), options.changes))
        print_figures(
            f"{options.atoms:,} atoms, watched",
            [
                Figure(
                    f"a changed atom is found, p{percent}",
                    f"{percentile(taken, percent):.0f} ms",
                    "",
                )
                for percent in (50, 95)
            ],
        )


def time_changes(tree: Path, around: Mapping[str, str], changes: int) -> Iterator[float]:
    """Change atoms one by one, and yield the milliseconds until each is found."""
    command = [sys.executable, "-m", "cortexfs", "--root", str(tree), "watch", "--json"]
    paths = sorted(tree.glob("projects/*/experiments/EXP-*.md"))
    with subprocess.Popen(command, env=dict(around), stdout=subprocess.DEVNULL) as watching:
        try:
            session = Session.open(str(tree), lambda: datetime.now(UTC))
            _append_word(paths[0], "first")
            _wait_until_found(
                session, "first"
            )  # everything is ingested, and the indexes are written
            for number in range(changes):
                word = f"walrus{number}"
                time.sleep(PAUSE_S)
                _append_word(paths[7 * number % len(paths)], word)
                began = time.perf_counter()
                _wait_until_found(session, word)
                yield (time.perf_counter() - began) * 1000
        finally:
            watching.terminate()


def _append_word(path: Path, word: str) -> None:
    path.write_text(f"{path.read_text(encoding='utf-8')}\n{word}\n", encoding="utf-8")


def _wait_until_found(session: Session, word: str) -> None:
    query, today = parse_query(word, session.clock().date()), session.clock().date()
    deadline = time.monotonic() + TIMEOUT_S
    while not search_atoms(session.catalog, query, today, 1):
        if time.monotonic() > deadline:
            raise TimeoutError(word)
        time.sleep(POLL_S)


if __name__ == "__main__":
    main()
