"""Measure `cortexfs serve`: `python -m bench.server`.

Prints the time from the start of the process to the first answer, the resident memory, the latency
of each list and page on a tree of 10,000 atoms (`--atoms` sets another size), just after a change
and again, and those of 50 readers beside 5 writers for a minute (`--seconds`). `/health`, which
does nothing, is measured beside them: it shows how busy the machine is. `--datasette PYTHON`
measures Datasette's pages of the same catalog too, with an interpreter that has it.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from bench.find import SMALL, print_figures
from bench.level import make_tree_once
from bench.measure import Figure, make_environment
from bench.server_answers import LISTS, PAGES, measure_answers
from bench.server_crowd import READERS, WRITERS, measure_crowd
from bench.server_peer import measure_datasette
from bench.server_process import make_command, serve

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


STARTS = 5


def main() -> None:
    """Print the figures."""
    asked = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    asked.add_argument("--atoms", type=int, default=SMALL)
    asked.add_argument("--seconds", type=int, default=60)
    asked.add_argument("--datasette", metavar="PYTHON")
    options = asked.parse_args()
    with tempfile.TemporaryDirectory(prefix="cortexfs-bench-") as folder:
        environ = make_environment(Path(folder))
        tree = make_tree_once(Path(folder), options.atoms)
        commit_all(tree, environ)
        subprocess.run([*make_command(tree), "list"], env=environ, check=True, capture_output=True)
        print_figures("start", list(measure_start(tree, environ)))
        with serve(tree, environ) as server:
            title = f"{options.atoms:,} atoms, one client, p95 after a change / again"
            print_figures(f"REST, {title}", list(measure_answers(server, LISTS)))
            print_figures(f"panel, {title}", list(measure_answers(server, PAGES)))
        if options.datasette:
            print_figures(
                "the catalog in Datasette",
                list(measure_datasette(options.datasette, tree, Path(folder))),
            )
        with serve(tree, environ) as server:
            print_figures(
                f"{READERS} readers, {WRITERS} writers", measure_crowd(server, options.seconds)
            )


def commit_all(tree: Path, environ: Mapping[str, str]) -> None:
    """Make a repository of a tree, as every tree of a person is one."""
    who = ["-c", "user.name=bench", "-c", "user.email=bench@example.com"]
    for words in (["init", "-q"], ["add", "."], [*who, "commit", "-q", "-m", "begin"]):
        subprocess.run(["git", "-C", str(tree), *words], env=environ, check=True)


def measure_start(tree: Path, environ: Mapping[str, str]) -> Iterator[Figure]:
    """Yield how soon the first answer comes, with its memory, and the first of REST."""
    starts, works, firsts = list[float](), list[float](), list[float]()
    memory = 0.0
    for _ in range(STARTS):
        with serve(tree, environ) as server:
            starts.append(server.started_s)
            works.append(server.read_cpu_s())
            began = time.perf_counter()
            server.ask("GET", "/api/v1/projects")
            firsts.append(server.started_s + time.perf_counter() - began)
            memory = server.read_memory_mib()
    work = f"{statistics.median(works) * 1000:.0f} ms of CPU"
    yield Figure("the first answer", f"{statistics.median(starts) * 1000:.0f} ms", work)
    yield Figure("the first of REST", f"{statistics.median(firsts) * 1000:.0f} ms", "")
    yield Figure("resident after it", f"{memory:.0f} MB", "")


if __name__ == "__main__":
    main()
