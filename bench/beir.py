"""Measure the search quality of `find` on a set in BEIR's layout: `python -m bench.beir FOLDER`.

FOLDER has `corpus.jsonl` ({"_id", "title", "text"}), `queries.jsonl` ({"_id", "text"}) and
`qrels/test.tsv` (query, text, grade, with a head). The texts are not kept in memory, except by
bm25s, if that is installed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench.graded_sets import GradedQuery, make_parser, parse_choice, print_graded_set
from bench.set_files import BadSetFile, iter_json_lines, read_grades, run_program
from bench.sets import Document

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def main() -> None:
    """Print the table of a set."""
    parser = make_parser(__doc__)
    parser.add_argument("--split", default="test", help="the name of the file in qrels/")
    options, choice = parse_choice(parser)
    asked = read_queries(options.folder, options.split)
    print_graded_set(options.folder, iter_documents(options.folder), asked, choice)


def iter_documents(folder: Path) -> Iterator[Document]:
    """Yield the texts of a set; a title becomes the heading."""
    known: set[str] = set()
    for record in iter_json_lines(folder / "corpus.jsonl"):
        ident, title = record.get_id("_id"), record.get("title", str, "")
        if ident in known:
            raise record.refuse(f"a second text with the id {ident!r}")
        known.add(ident)
        text = record.get("text", str)
        yield Document(ident, f"# {' '.join(title.split())}\n\n{text}\n" if title else f"{text}\n")


def read_queries(folder: Path, split: str = "test") -> list[GradedQuery]:
    """Read the queries that have grades; a grade of an unknown query is an error."""
    path = folder / "qrels" / f"{split}.tsv"
    grades, lines = read_grades(path)
    queries = {
        ident: record.get("text", str)
        for record in iter_json_lines(folder / "queries.jsonl")
        if (ident := record.get_id("_id")) in grades
    }
    for ident, line in lines.items():
        if ident not in queries:
            raise BadSetFile(path, line, f"queries.jsonl has no query {ident!r}")
    return [GradedQuery(ident, text, grades[ident]) for ident, text in queries.items()]


if __name__ == "__main__":
    run_program(main)
