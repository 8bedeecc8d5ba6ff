"""Measure the daemon on a tree of 10,000 atoms: `python -m bench.daemon`.

Idle: processor time over a minute, and resident memory. An atom is saved as an editor saves it, and
the time runs until the catalog and the index have it. 20,000 files are created while the daemon is
stopped; the time runs from its start until catalog and indexes have all of them.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from bench.corpus import write_corpus
from bench.find import SMALL, print_figures
from bench.level import percentile
from bench.measure import Figure, make_environment
from cortexfs.catalog.search_atoms import search_atoms
from cortexfs.core.find.parse_query import parse_query
from cortexfs.session.daemon_files import find_daemon, read_stored_state
from cortexfs.session.session import Session

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

TIMEOUT_S = 600
SETTLE_S = 5.0
PAUSE_S = 2.0
NEW_PROJECT = "projects/bench-new"


def main() -> None:
    """Print the figures."""
    asked = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    asked.add_argument("--atoms", type=int, default=SMALL)
    asked.add_argument("--files", type=int, default=20_000)
    asked.add_argument("--idle", type=float, default=60.0)
    asked.add_argument("--saves", type=int, default=20)
    options = asked.parse_args()
    with tempfile.TemporaryDirectory(prefix="cortexfs-bench-") as folder:
        environ = make_environment(Path(folder))
        tree = make_tree(Path(folder) / "tree", options.atoms, environ)
        load = os.getloadavg()[0]
        print_figures(
            f"{options.atoms:,} atoms, load {load:.1f} on {os.cpu_count()} processors",
            measure(tree, environ, options),
        )


def make_tree(tree: Path, atoms: int, environ: Mapping[str, str]) -> Path:
    """Return a tree with atoms, all committed."""
    command = [sys.executable, "-m", "cortexfs"]
    subprocess.run([*command, "init", str(tree)], env=environ, check=True, capture_output=True)
    write_corpus(tree, atoms)
    for words in (["git", "add", "."], ["git", "commit", "-qm", "corpus"]):
        subprocess.run(words, cwd=tree, env=environ, check=True, capture_output=True)
    return tree


def measure(
    tree: Path, environ: Mapping[str, str], options: argparse.Namespace
) -> Iterator[Figure]:
    """Yield each figure as soon as it is known."""
    with running_daemon(tree, environ) as (pid, first_s):
        yield Figure("first start, until all is prepared", f"{first_s:.1f} s", "")
        time.sleep(SETTLE_S)
        before, began = read_cpu_s(pid), time.monotonic()
        time.sleep(options.idle)
        share = (read_cpu_s(pid) - before) / (time.monotonic() - began)
        yield Figure("idle, share of a processor", f"{share:.3%}", "below 0.5 %")
        yield Figure("idle, resident memory", f"{read_rss_mib(pid):.0f} MiB", "below 100 MB")
        saves = list(time_saves(tree, options.saves))
        for name, taken in zip(("catalog", "index"), zip(*saves, strict=True), strict=True):
            value = f"{percentile(taken, 50):.0f} / {percentile(taken, 95):.0f} ms"
            yield Figure(f"a saved atom is in the {name}, p50 / p95", value, "below 1 s")
        yield Figure("resident memory after that", f"{read_rss_mib(pid):.0f} MiB", "")
    create_files(tree, options.files)
    with running_daemon(tree, environ) as (pid, start_s):
        began = time.monotonic()
        wait_until(lambda: is_listed(tree, options.files))
        total_s = start_s + time.monotonic() - began
        what = f"{options.files:,} files created while it was stopped"
        yield Figure(what, f"{total_s:.1f} s", "below 30 s")
        yield Figure("resident memory after that", f"{read_rss_mib(pid):.0f} MiB", "")


@contextmanager
def running_daemon(tree: Path, environ: Mapping[str, str]) -> Iterator[tuple[int, float]]:
    """Run a daemon; yield its process id, and the seconds until everything was prepared."""
    command = [sys.executable, "-m", "cortexfs", "--root", str(tree), "daemon", "run"]
    began = time.monotonic()
    with subprocess.Popen(command, env=dict(environ), stderr=subprocess.DEVNULL) as running:
        try:
            wait_until(lambda: is_prepared(tree, running.pid))
            yield running.pid, time.monotonic() - began
        finally:
            running.terminate()


def is_prepared(tree: Path, pid: int) -> bool:
    """Return whether the daemon with this id has stored that its warm-up has ended."""
    state = read_stored_state(str(tree)) if find_daemon(str(tree)) else None
    return bool(state and state.pid == pid and state.warm_up.state in {"warm", "degraded"})


def time_saves(tree: Path, saves: int) -> Iterator[tuple[float, float]]:
    """Save atoms with new summaries as an editor does; yield milliseconds to catalog and index."""
    session = Session.open(str(tree), lambda: datetime.now(UTC))
    folder = tree / "projects" / "bench-000" / "experiments"
    path, index = folder / "EXP-001.md", folder / "index.md"
    text = path.read_text()
    for number in range(saves):
        time.sleep(PAUSE_S)
        word = f"walrus{number}"
        lines = [f'summary: "{word}"' if s.startswith("summary:") else s for s in text.splitlines()]
        draft = folder / ".EXP-001.md.swp"
        draft.write_text("\n".join(lines) + "\n")
        draft.rename(path)
        began = time.perf_counter()
        wait_until(lambda word=word: is_in_catalog(session, word))
        in_catalog = time.perf_counter()
        wait_until(lambda word=word: word in index.read_text())
        yield (in_catalog - began) * 1000, (time.perf_counter() - began) * 1000
    session.close()


def is_in_catalog(session: Session, word: str) -> bool:
    """Return whether the catalog, as it is, has an atom with this summary."""
    today = session.clock().date()
    return bool(search_atoms(session.catalog, parse_query(word, today), today, 1))


def create_files(tree: Path, count: int) -> None:
    """Create atoms in a project of their own."""
    folder = tree / NEW_PROJECT / "experiments"
    folder.mkdir(parents=True)
    for number in range(1, count + 1):
        text = (
            f"---\nid: EXP-{number:05d}\ndate: 2026-03-01\nproject: bench-new\n"
            f"summary: atom {number} of the burst\ntags: [burst]\n---\n\nThe relay {number}.\n"
        )
        (folder / f"EXP-{number:05d}.md").write_text(text)


def is_listed(tree: Path, count: int) -> bool:
    """Return whether the index of the new project lists all its atoms."""
    index = tree / NEW_PROJECT / "experiments" / "index.md"
    return index.exists() and f"Total: {count}" in index.read_text()


def read_cpu_s(pid: int) -> float:
    """Return the processor seconds that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def read_rss_mib(pid: int) -> float:
    """Return the resident memory of a process in MiB."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:")) / 1024


def wait_until(is_true: Callable[[], bool]) -> None:
    """Wait for another process, looking every few milliseconds."""
    deadline = time.monotonic() + TIMEOUT_S
    while not is_true():
        if time.monotonic() > deadline:
            raise TimeoutError
        time.sleep(0.005)


if __name__ == "__main__":
    main()
