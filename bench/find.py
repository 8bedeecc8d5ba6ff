"""Measure the speed of `find` beside plain SQLite FTS5: `python -m bench.find`.

`find` uses SQLite here at any size; `bench.large` measures tantivy. The trees have 10,000 atoms
of 300 words and, with `--large`, 100,000. `--peers` also runs other programs that are installed
(`qmd`, `basic-memory`). A question has one to five words of medium frequency. All methods answer
each question in turn in one process, after a round that is not counted.
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
from bench.engines import plain_match
from bench.level import TOP, asking_ours, build, part, timed, tree_of
from bench.measure import Figure, Job, beside, in_turn, ms, world
from bench.peers import peers
from cortexfs.catalog.atom_queries import AtomQueries
from cortexfs.catalog.fts5_index import format_match_query
from cortexfs.catalog.full_text_backend import LARGE_TREE_VARIABLE
from cortexfs.core.find.parse_query import parse_query

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bench.level import Ask, Built
    from cortexfs.session.session import Session

SMALL, LARGE = 10_000, 100_000
ENGINE, SAME, OURS = "the engine alone", "the engine on our table", "ours"
FILTERS = ("kind:experiment", "project:z000", "tag:half-1", "tag:few-7", "since:2026-04")
_PLAIN = "SELECT rowid FROM plain WHERE plain MATCH ? ORDER BY rank LIMIT 10"
_WORDS = "SELECT rowid FROM words WHERE words MATCH ? ORDER BY rank LIMIT 10"


def main() -> None:
    """Print a table a size."""
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
            show(f"{size:,} atoms", inside(Path(folder), size, options.questions))
        around = world(Path(folder))
        show("as processes", outside(Path(folder), around, options.atoms, runs=10))
        if options.peers:
            show("peers, 1,000 atoms", peers(tree_of(Path(folder), 1000), around))


def show(title: str, figures: Iterable[Figure]) -> None:
    """Print figures as they come."""
    print(f"\n{title}")
    for what, figure, named in figures:
        print(f"  {what:48} {figure:>24}   {named}", flush=True)


def inside(folder: Path, atoms: int, count: int) -> Iterable[Figure]:
    """Measure within this process: questions, filters, by id, refresh, first build."""
    built = build(tree_of(folder, atoms), folder / f"engine-{atoms}.sqlite", atoms)
    questions = zipf.questions(count)
    yield from asking(built, questions, atoms)
    yield from filtering(built.session, questions)
    yield from by_id(built)
    yield unchanged(built.session, atoms)
    yield from cold(built.seconds, atoms)


def table(folder: Path, around: Mapping[str, str], *, quick: bool) -> Iterable[Figure]:
    """Give the rows of docs/benchmarks.md."""
    atoms = 1000 if quick else SMALL
    built = build(tree_of(folder, atoms), folder / "engine.sqlite", atoms)
    yield from asking(built, zipf.questions(100 if quick else 400), atoms)
    yield unchanged(built.session, atoms)
    yield from outside(folder, around, atoms, runs=5 if quick else 20)


def asking(built: Built, questions: Sequence[str], atoms: int) -> list[Figure]:
    """Time the questions, top 10, beside the engine's own SQL."""
    matches = {one: plain_match(one) for one in questions}
    same = {one: format_match_query(parse_query(one, date.min)) for one in questions}
    engine, words = built.engine.execute, built.session.catalog.db.execute
    times = timed(
        questions,
        {
            ENGINE: lambda one: engine(_PLAIN, (matches[one],)).fetchall(),
            SAME: lambda one: words(_WORDS, (same[one],)).fetchall(),
            OURS: asking_ours(built.session),
        },
    )
    named = f"find in process, {atoms:,} atoms of 300 words, top {TOP}"
    return [
        Figure(
            f"{named}, p{percent}",
            f"{part(times[OURS], percent) / part(times[way], percent):.2f} × "
            f"({part(times[OURS], percent) * 1000:.2f} ms)",
            f"{way}: {part(times[way], percent) * 1000:.2f} ms",
        )
        for way in (ENGINE, SAME)
        for percent in (50, 95)
    ]


def filtering(session: Session, questions: Sequence[str]) -> list[Figure]:
    """Time what a filter costs: the ratio and the difference of p50 and p95."""
    ask = asking_ours(session)
    ways: dict[str, Ask] = {OURS: ask}
    ways |= {each: lambda one, each=each: ask(f"{one} {each}") for each in FILTERS}
    times = timed(questions, ways)
    return [
        Figure(
            f"… with {each}",
            " ".join(f"{part(times[each], p) / part(times[OURS], p):.2f} ×" for p in (50, 95)),
            "p50, p95 beside the same without",
        )
        for each in FILTERS
    ]


def by_id(built: Built) -> list[Figure]:
    """Time an atom by its ref beside SQLite's own primary key."""
    refs = [ref for ref, _ in AtomQueries(built.session.catalog.db).list_refs()]
    db = built.engine
    db.execute("CREATE TABLE keyed (ref TEXT PRIMARY KEY, path TEXT) WITHOUT ROWID")
    db.executemany("INSERT INTO keyed VALUES (?, ?)", ((ref, f"{ref}.md") for ref in refs))
    key = "SELECT ref, path FROM keyed WHERE ref = ?"
    some = refs[:: max(1, len(refs) // 1000)]
    times = timed(
        some,
        {
            "key": lambda ref: db.execute(key, (ref,)).fetchone(),
            OURS: AtomQueries(built.session.catalog.db).find_ref,
        },
    )
    return [
        Figure(
            f"an atom by its ref, p{percent}",
            f"{part(times[OURS], percent) / part(times['key'], percent):.2f} × "
            f"({part(times[OURS], percent) * 1e6:.1f} µs)",
            "SQLite's own primary key",
        )
        for percent in (50, 95)
    ]


def unchanged(session: Session, atoms: int) -> Figure:
    """Time a refresh that finds nothing changed: a stat of every file."""
    taken = []
    for _ in range(11):
        began = time.perf_counter()
        session.refresh()
        taken.append(time.perf_counter() - began)
    return Figure(f"refresh, {atoms:,} atoms, nothing changed", ms(taken[1:]), "absolute")


def cold(seconds: Mapping[str, float], atoms: int) -> list[Figure]:
    """Say how long the first build took beside the engine alone."""
    ours, engine = seconds["catalog"] + seconds["words"], seconds["engine"]
    named = f"first catalog and full text, {atoms:,} atoms"
    return [
        Figure(named, f"{ours / engine:.2f} × ({ours:.1f} s)", f"{ENGINE}, ready text"),
        Figure("… of it the full text", f"{seconds['words'] / engine:.2f} ×", f"{engine:.1f} s"),
    ]


def outside(folder: Path, around: Mapping[str, str], atoms: int, runs: int) -> list[Figure]:
    """Time whole processes: `cortexfs find`, and the first one on 1,000 atoms."""
    program = str(Path(sys.executable).parent / "cortexfs")
    tree, small = tree_of(folder, atoms), tree_of(folder, 1000)
    words = ("find", zipf.questions(1)[0], "kind:experiment")
    jobs = {
        "find": Job([program, "--root", str(tree), *words]),
        "first": Job(
            [program, "--root", str(small), *words], before=["rm", "-rf", str(small / ".cortexfs")]
        ),
        "typer": Job([sys.executable, "-c", "import typer"]),
    }
    times = in_turn(jobs, runs, around)
    return [
        beside(f"`cortexfs find`, {atoms:,} atoms", times, "find", "typer", "`import typer`"),
        Figure("`cortexfs find`, 1,000 atoms, no catalog", ms(times["first"]), "absolute"),
    ]


if __name__ == "__main__":
    main()
