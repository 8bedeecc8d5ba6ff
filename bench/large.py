"""Measure the tantivy index beside tantivy alone: `python -m bench.large --atoms N …`.

No file is read: the same atoms, as token streams, go into our index and into a plain index with
one field. `--sqlite` also fills SQLite's full-text index. All methods answer each question in turn
in one process, after a round that is not counted; times are those of a processor. `--build`
measures the first catalog of a tree instead, where both read the files.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from contextlib import contextmanager
from datetime import date
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import tantivy

from bench import zipf
from bench.find import print_figures
from bench.first_build import measure_first_build
from bench.level import MAX_RESULTS, percentile, time_questions
from bench.measure import Figure
from cortexfs.catalog.catalog import Catalog
from cortexfs.catalog.fts5_index import Fts5Index
from cortexfs.catalog.layered_index import LayeredIndex
from cortexfs.catalog.schema import insert_rows
from cortexfs.catalog.search_atoms import MAX_RISE, search_atoms
from cortexfs.catalog.tantivy_writer import WRITER_HEAP_BYTES
from cortexfs.core.atoms.kinds import Kinds
from cortexfs.core.find.indexed_fields import extract_indexed_fields
from cortexfs.core.find.parse_query import parse_query

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from bench.level import AskQuestion
    from cortexfs.catalog.full_text_index import FullTextIndex
    from cortexfs.core.find.indexed_fields import IndexedFields
    from cortexfs.core.find.parse_query import Query

TODAY = date(2026, 5, 6)
RAW, SAME, OURS = "tantivy alone, one field", "tantivy alone, on our index", "ours"
RANKED, SQLITE = "ours, ranked by all that is known", "SQLite's full text"
CANDIDATES = MAX_RESULTS + MAX_RISE
"""Number of atoms that the engine returns to be ranked."""
FILTERS = ("kind:experiment", "project:z000", "tag:half-1", "tag:few-7", "since:2026-04")


def main() -> None:
    """Print a table for each size."""
    asked = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    asked.add_argument("--atoms", type=int, nargs="+", default=[100_000])
    asked.add_argument("--questions", type=int, default=400)
    asked.add_argument("--words", type=int, default=zipf.WORDS_PER_ATOM, help="words of an atom")
    asked.add_argument("--common", action="store_true", help="26 words, each in nearly all atoms")
    asked.add_argument("--keep", type=Path, help="where the indexes stay, or kept ones are")
    asked.add_argument("--sqlite", action="store_true", help="SQLite's full text too")
    asked.add_argument("--build", action="store_true", help="only the first catalog of a tree")
    options = asked.parse_args()
    for atoms in options.atoms:
        with tempfile.TemporaryDirectory(prefix="cortexfs-bench-") as folder:
            if options.build:
                print_figures("first catalog", measure_first_build(Path(folder), atoms))
                continue
            place = options.keep / f"{atoms}" if options.keep else Path(folder)
            draw_texts = zipf.draw_common_texts if options.common else zipf.draw_texts
            bench = Bench(place, draw_texts(atoms, options.words), sqlite=options.sqlite)
            draw = zipf.draw_common_questions if options.common else zipf.draw_questions
            questions = draw(options.questions)
            print_figures(f"{atoms:,} atoms", bench.make_fill_figures())
            print_figures("questions", bench.time_questions(questions))
            print_figures("filters", bench.time_filters(questions))
            print_figures("one atom changed", bench.time_changes())


class Bench:
    """All engines with the same atoms, in one folder."""

    def __init__(self, folder: Path, texts: Iterator[list[str]], *, sqlite: bool) -> None:
        self.seconds = dict[str, float]()
        self.ours = _open_catalog(
            folder / "ours", lambda own: LayeredIndex.for_catalog(own.db, own.path)
        )
        self.ways: dict[str, tuple[Catalog, FullTextIndex]] = {OURS: self.ours}
        if sqlite:
            self.ways[SQLITE] = _open_catalog(
                folder / "sqlite", lambda own: Fts5Index.for_catalog(own.db, own.max_cached_atoms)
            )
        is_new = not (folder / "raw").exists()
        (folder / "raw").mkdir(exist_ok=True)
        fields = tantivy.SchemaBuilder().add_text_field("said", tokenizer_name="whitespace")
        self.schema = fields.add_integer_field("doc", fast=True).build()
        self.raw = tantivy.Index(self.schema, str(folder / "raw"))
        if is_new:
            self._fill_indexes(texts)

    def make_fill_figures(self) -> Iterator[Figure]:
        """Yield the time that each engine took to ingest the atoms."""
        for name, seconds in self.seconds.items():
            yield Figure(f"ingested: {name}", f"{seconds:.1f} s", "streams ready")

    def time_questions(self, questions: Sequence[str]) -> Iterator[Figure]:
        """Time the questions."""
        times = time_questions(questions, self._make_searches(), clock=time.thread_time)
        for name, taken in times.items():
            for percent in (50, 95):
                ratio = percentile(taken, percent) / percentile(times[RAW], percent)
                figure = f"{ratio:.2f} × ({percentile(taken, percent) * 1000:.3f} ms)"
                yield Figure(f"{name}, p{percent}", figure, RAW)

    def time_filters(self, questions: Sequence[str]) -> Iterator[Figure]:
        """Time what a filter costs, of p50 and p95."""
        catalog, _ = self.ours

        def ask(question: str) -> object:
            return search_atoms(catalog, _parse_question(question), TODAY, MAX_RESULTS)

        ways: dict[str, AskQuestion] = {OURS: ask}
        ways |= {each: lambda one, each=each: ask(f"{one} {each}") for each in FILTERS}
        times = time_questions(questions, ways, laps=1, clock=time.thread_time)
        for each in FILTERS:
            parts = [(percentile(times[each], p), percentile(times[OURS], p)) for p in (50, 95)]
            said = " ".join(f"{a / b:.2f} × ({(a - b) * 1000:+.2f} ms)" for a, b in parts)
            yield Figure(f"with {each}", said, "p50, p95 beside the same without")

    def time_changes(self) -> Iterator[Figure]:
        """Time replacing one atom, in its own transaction, and finding it."""
        catalog, words = self.ours
        taken = []
        for number in range(1, 25):
            began = time.perf_counter()
            with catalog.write_transaction():
                words.replace_texts([number], [(number, _extract_fields(["walrus"] * number))])
            words.search(_parse_question("walrus"), MAX_RESULTS)
            taken.append(time.perf_counter() - began)
        for percent in (50, 95):
            yield Figure(f"p{percent}", f"{percentile(taken, percent) * 1000:.1f} ms", "absolute")

    def _make_searches(self) -> dict[str, AskQuestion]:
        catalog, words = self.ours
        assert isinstance(words, LayeredIndex)  # noqa: S101 - for the types
        index = words.large.index
        assert index  # noqa: S101
        same = index.searcher()
        raw = self.raw.searcher()

        def of_one_field(one: str) -> object:
            terms = [
                tantivy.Query.term_query(self.schema, "said", t) for t in _parse_question(one).terms
            ]
            query = tantivy.Query.boolean_query([(tantivy.Occur.Should, t) for t in terms])
            return _read_documents(raw, raw.search(query, MAX_RESULTS, count=False))

        def of_ours(one: str) -> object:
            asked = " ".join(_parse_question(one).terms)
            query = index.parse_query(asked, ["text"])
            return _read_documents(same, same.search(query, MAX_RESULTS, count=False))

        ways: dict[str, AskQuestion] = {RAW: of_one_field, SAME: of_ours}
        ways |= {
            name: lambda one, found=found: found.search(_parse_question(one), CANDIDATES)
            for name, (_, found) in self.ways.items()
        }
        return ways | {
            RANKED: lambda one: search_atoms(catalog, _parse_question(one), TODAY, MAX_RESULTS)
        }

    def _fill_indexes(self, texts: Iterator[list[str]]) -> None:
        """Give each engine the same texts, in batches of our size."""
        done, writer = 0, self.raw.writer(WRITER_HEAP_BYTES, 1)
        while some := [_extract_fields(words) for words in islice(texts, LayeredIndex.batch_size)]:
            numbered = list(enumerate(some, start=done + 1))
            done += len(some)
            for name, (catalog, words) in self.ways.items():
                with catalog.write_transaction() as db:
                    insert_rows(db, "texts", (_make_text_row(doc) for doc, _ in numbered))
                    with self._add_time(name):
                        words.replace_texts((), numbered)
            with self._add_time(RAW):
                for doc, said in numbered:
                    writer.add_document(tantivy.Document(said=" ".join(said), doc=doc))
        with self._add_time(RAW):
            writer.commit()
            writer.wait_merging_threads()
        self.raw.reload()

    @contextmanager
    def _add_time(self, name: str) -> Iterator[None]:
        began = time.perf_counter()
        yield
        self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - began


def _open_catalog(
    folder: Path, engine: Callable[[Catalog], FullTextIndex]
) -> tuple[Catalog, FullTextIndex]:
    """Open a catalog, new or kept, which gets the columns that a found atom needs."""
    folder.mkdir(parents=True, exist_ok=True)
    catalog = Catalog.open(str(folder), Kinds())
    words = catalog.full_text = engine(catalog)
    with catalog.write_transaction():
        words.prepare()
    return catalog, words


def _make_text_row(number: int) -> tuple[int | str, ...]:
    project, ident = f"z{number // 1000:03d}", f"EXP-{number % 1000:03d}"
    folder = f"projects/{project}/experiments"
    where = (f"{folder}/{ident}.md", folder, f"{ident}.md", ident, f"{project}/{ident}")
    tags = f"\nhalf-{number % 2}\n\nfew-{number % 100}\n"
    born = TODAY.toordinal() - number % 120
    kind = ("experiment", project, "valid", born)
    return (number, *where, *kind, 0, "", tags, "words", "", "en", "", "file", "", 0)


def _extract_fields(words: list[str]) -> IndexedFields:
    fields = {"summary": " ".join(words[:10]), "tags": "some tags", "id": "EXP-001"}
    return extract_indexed_fields(fields, f"\n## Background\n\n{' '.join(words[10:])}\n")


def _parse_question(question: str) -> Query:
    return parse_query(question, TODAY)


def _read_documents(searcher: Any, result: Any) -> object:  # noqa: ANN401 - the engine's own
    return searcher.fast_field_values("doc", [place for _, place in result.hits])


if __name__ == "__main__":
    main()
