"""Measure the speed of `find` beside plain SQLite FTS5: `python -m bench.find`.

`find` uses SQLite here at any size; `bench.large` measures tantivy. The trees have 10,000 atoms
of 300 words and, with `--large`, 100,000. `--peers` also runs other programs that are installed
(`qmd`, `basic-memory`). A question has one to five words of medium frequency. All methods answer
each question in turn in one process, after two rounds that are not counted: what `find` keeps in
memory of the terms and the matches is known then.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from bench import zipf
from bench.engines import format_plain_query
from bench.level import (
    MAX_RESULTS,
    build_catalog,
    make_find,
    make_tree_once,
    percentile,
    time_questions,
)
from bench.measure import Figure, Job, format_ms, make_environment, make_ratio_figure, time_in_turn
from bench.peers import time_peers
from cortexfs.catalog.atom_queries import AtomQueries
from cortexfs.catalog.fts5_index import format_match_query
from cortexfs.catalog.full_text_backend import LARGE_TREE_VARIABLE
from cortexfs.core.find.parse_query import parse_query

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bench.level import AskQuestion, BuiltTree
    from cortexfs.session.session import Session

SMALL, LARGE = 10_000, 100_000
ENGINE, SAME, OURS = "the engine alone", "the engine on our table", "ours"
FILTERS = ("kind:experiment", "project:z000", "tag:half-1", "tag:few-7", "since:2026-04")
_PLAIN = "SELECT rowid FROM plain WHERE plain MATCH ? ORDER BY rank LIMIT 10"
_WORDS = "SELECT rowid FROM words WHERE words MATCH ? ORDER BY rank LIMIT 10"


def main() -> None:
    """Print a table for each size."""
    asked = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    asked.add_argument("--large", action="store_true", help="100,000 atoms too")
    asked.add_argument("--peers", action="store_true", help="other programs too")
    asked.add_argument("--atoms", type=int, default=SMALL, help="another size")
    asked.add_argument("--questions", type=int, default=400)
    options = asked.parse_args()
    os.environ[LARGE_TREE_VARIABLE] = str(sys.maxsize)
    with tempfile.TemporaryDirectory(prefix="cortexfs-bench-") as folder:
        for size in (options.atoms, LARGE) if options.large else (options.atoms,):
            print_figures(
                f"{size:,} atoms", measure_in_process(Path(folder), size, options.questions)
            )
        around = make_environment(Path(folder))
        print_figures("as processes", time_processes(Path(folder), around, options.atoms, runs=10))
        if options.peers:
            print_figures(
                "peers, 1,000 atoms", time_peers(make_tree_once(Path(folder), 1000), around)
            )


def print_figures(title: str, figures: Iterable[Figure]) -> None:
    """Print figures as they come."""
    print(f"\n{title}")
    for what, figure, named in figures:
        print(f"  {what:48} {figure:>24}   {named}", flush=True)


def measure_in_process(folder: Path, atoms: int, count: int) -> Iterable[Figure]:
    """Measure within this process: questions, filters, by id, refresh, first build."""
    built = build_catalog(make_tree_once(folder, atoms), folder / f"engine-{atoms}.sqlite", atoms)
    questions = zipf.draw_questions(count)
    yield from time_questions_beside_engine(built, questions, atoms)
    yield from time_filters(built.session, questions)
    yield from time_refs(built)
    yield time_refresh(built.session, atoms)
    yield from make_build_figures(built.seconds, atoms)


def measure_page_rows(folder: Path, around: Mapping[str, str], *, quick: bool) -> Iterable[Figure]:
    """Yield the rows of docs/benchmarks.md."""
    atoms = 1000 if quick else SMALL
    built = build_catalog(make_tree_once(folder, atoms), folder / "engine.sqlite", atoms)
    yield from time_questions_beside_engine(
        built, zipf.draw_questions(100 if quick else 400), atoms
    )
    yield time_refresh(built.session, atoms)
    yield from time_processes(folder, around, atoms, runs=5 if quick else 20)


def time_questions_beside_engine(
    built: BuiltTree, questions: Sequence[str], atoms: int
) -> list[Figure]:
    """Time the questions, top 10, beside plain SQL."""
    matches = {one: format_plain_query(one) for one in questions}
    same = {one: format_match_query(parse_query(one, date.min)) for one in questions}
    engine, words = built.engine.execute, built.session.catalog.db.execute
    times = time_questions(
        questions,
        {
            ENGINE: lambda one: engine(_PLAIN, (matches[one],)).fetchall(),
            SAME: lambda one: words(_WORDS, (same[one],)).fetchall(),
            OURS: make_find(built.session),
        },
    )
    named = f"find in process, {atoms:,} atoms of 300 words, top {MAX_RESULTS}"
    return [
        Figure(
            f"{named}, p{percent}",
            f"{percentile(times[OURS], percent) / percentile(times[way], percent):.2f} × "
            f"({percentile(times[OURS], percent) * 1000:.2f} ms)",
            f"{way}: {percentile(times[way], percent) * 1000:.2f} ms",
        )
        for way in (ENGINE, SAME)
        for percent in (50, 95)
    ]


def time_filters(session: Session, questions: Sequence[str]) -> list[Figure]:
    """Time what a filter costs: the ratio and the difference of p50 and p95."""
    ask = make_find(session)
    ways: dict[str, AskQuestion] = {OURS: ask}
    ways |= {each: lambda one, each=each: ask(f"{one} {each}") for each in FILTERS}
    times = time_questions(questions, ways)
    return [
        Figure(
            f"… with {each}",
            " ".join(
                f"{percentile(times[each], p) / percentile(times[OURS], p):.2f} ×" for p in (50, 95)
            ),
            "p50, p95 beside the same without",
        )
        for each in FILTERS
    ]


def time_refs(built: BuiltTree) -> list[Figure]:
    """Time an atom by its ref beside SQLite's own primary key."""
    refs = [ref for ref, _ in AtomQueries(built.session.catalog.db).list_refs()]
    db = built.engine
    db.execute("CREATE TABLE keyed (ref TEXT PRIMARY KEY, path TEXT) WITHOUT ROWID")
    db.executemany("INSERT INTO keyed VALUES (?, ?)", ((ref, f"{ref}.md") for ref in refs))
    key = "SELECT ref, path FROM keyed WHERE ref = ?"
    some = refs[:: max(1, len(refs) // 1000)]
    times = time_questions(
        some,
        {
            "key": lambda ref: db.execute(key, (ref,)).fetchone(),
            OURS: AtomQueries(built.session.catalog.db).find_ref,
        },
    )
    return [
        Figure(
            f"an atom by its ref, p{percent}",
            f"{percentile(times[OURS], percent) / percentile(times['key'], percent):.2f} × "
            f"({percentile(times[OURS], percent) * 1e6:.1f} µs)",
            "SQLite's own primary key",
        )
        for percent in (50, 95)
    ]


def time_refresh(session: Session, atoms: int) -> Figure:
    """Time a refresh that finds nothing changed: a stat of every file."""
    taken = []
    for _ in range(11):
        began = time.perf_counter()
        session.refresh()
        taken.append(time.perf_counter() - began)
    return Figure(f"refresh, {atoms:,} atoms, nothing changed", format_ms(taken[1:]), "absolute")


def make_build_figures(seconds: Mapping[str, float], atoms: int) -> list[Figure]:
    """Return the time of the first build beside plain FTS5."""
    ours, engine = seconds["catalog"] + seconds["words"], seconds["engine"]
    named = f"first catalog and full text, {atoms:,} atoms"
    return [
        Figure(named, f"{ours / engine:.2f} × ({ours:.1f} s)", f"{ENGINE}, ready text"),
        Figure("… of it the full text", f"{seconds['words'] / engine:.2f} ×", f"{engine:.1f} s"),
    ]


def time_processes(folder: Path, around: Mapping[str, str], atoms: int, runs: int) -> list[Figure]:
    """Time whole processes: `cortexfs find`, and the first one on 1,000 atoms."""
    program = str(Path(sys.executable).parent / "cortexfs")
    tree, small = make_tree_once(folder, atoms), make_tree_once(folder, 1000)
    words = ("find", zipf.draw_questions(1)[0], "kind:experiment")
    jobs = {
        "find": Job([program, "--root", str(tree), *words]),
        "first": Job(
            [program, "--root", str(small), *words], before=["rm", "-rf", str(small / ".cortexfs")]
        ),
        "typer": Job([sys.executable, "-c", "import typer"]),
    }
    times = time_in_turn(jobs, runs, around)
    return [
        make_ratio_figure(
            f"`cortexfs find`, {atoms:,} atoms", times, "find", "typer", "`import typer`"
        ),
        Figure("`cortexfs find`, 1,000 atoms, no catalog", format_ms(times["first"]), "absolute"),
    ]


if __name__ == "__main__":
    main()
