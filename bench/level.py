"""Shared parts of the measurements of `find`: trees, plain FTS5, timing of questions."""

from __future__ import annotations

import sqlite3
import statistics
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from bench import zipf
from bench.engines import fill_plain_index
from cortexfs.catalog.content_queries import TextQueries
from cortexfs.core.find.parse_query import parse_query
from cortexfs.session.session import Session

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    AskQuestion = Callable[[str], object]

WARM_UP_LAPS = 2
"""Number of laps that are not counted: `find` keeps what it was asked for twice."""
MAX_RESULTS = 10
"""Number of results of a question."""


class BuiltTree(NamedTuple):
    """A tree with its catalog, plain FTS5 with the same texts, and the seconds of each step."""

    session: Session
    engine: sqlite3.Connection
    seconds: dict[str, float]


def make_tree_once(folder: Path, atoms: int) -> Path:
    """Return the tree of a size; it is made at the first call."""
    tree = folder / f"tree-{atoms}"
    if not tree.exists():
        zipf.write_tree(tree, atoms)
    return tree


def build_catalog(tree: Path, place: Path, atoms: int) -> BuiltTree:
    """Build the catalog of a tree, and plain FTS5 from the same texts in memory.

    Every file is read once before, so that the disk is not measured.
    """
    seconds: dict[str, float] = {}
    session = Session.open(str(tree), lambda: datetime.now(UTC))
    ready = [(str(number), " ".join(words)) for number, words in enumerate(zipf.draw_texts(atoms))]
    engine = sqlite3.connect(place, isolation_level=None)
    engine.executescript("PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF;")
    for name, step in {
        "engine": lambda: fill_plain_index(engine, ready),
        "disk": lambda: [file.read_bytes() for file in tree.rglob("*.md")],
        "catalog": session.refresh,
        "words": session.ingest_texts,
    }.items():
        began = time.perf_counter()
        step()
        seconds[name] = time.perf_counter() - began
    return BuiltTree(session, engine, seconds)


def time_questions(
    questions: Sequence[str],
    ways: Mapping[str, AskQuestion],
    laps: int = 3,
    clock: Callable[[], float] = time.perf_counter,
) -> dict[str, list[float]]:
    """Return for each search the seconds of each question: the median of the laps, in turn."""
    taken: dict[str, list[list[float]]] = {name: [[] for _ in questions] for name in ways}
    for lap in range(WARM_UP_LAPS + laps):
        for number, one in enumerate(questions):
            for name, ask in ways.items():
                began = clock()
                ask(one)
                if lap >= WARM_UP_LAPS:
                    taken[name][number].append(clock() - began)
    return {name: [statistics.median(each) for each in every] for name, every in taken.items()}


def make_find(session: Session) -> AskQuestion:
    """Return the search of `cortexfs find`, without refresh and snippets."""
    session.ingest_texts()
    queries, today = TextQueries(session.catalog, session.tree), session.clock().date()
    return lambda one: queries.search_atoms(parse_query(one, today), today, MAX_RESULTS)


def percentile(times: Sequence[float], percent: int) -> float:
    """Return the time within which this percentage of the questions is answered."""
    return statistics.quantiles(times, n=100, method="inclusive")[percent - 1]
