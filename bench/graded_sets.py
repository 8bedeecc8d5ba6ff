"""Measure sets of texts, queries and graded answers, for `bench.cranfield` and `bench.beir`."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from bench.answers import add_engine_options, answer_questions, choose_engines
from bench.scores import MAX_RANK, format_means, score_graded
from bench.set_files import BadSetFile
from bench.sets import write_documents

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from bench.answers import Choice
    from bench.scores import GradedScore
    from bench.sets import Document

FOOT = f"Of each query the best {MAX_RANK} texts count; 'binary' is nDCG@10 with all grades equal."


class GradedQuery(NamedTuple):
    """A query, and the grades of the texts that were judged: above 0 is relevant."""

    ident: str
    query: str
    grades: Mapping[str, int]


def make_parser(about: str | None) -> argparse.ArgumentParser:
    """Return the parser of a program that measures a folder."""
    parser = argparse.ArgumentParser(
        description=about, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    add_engine_options(parser)
    return parser


def score_graded_set(
    documents: Iterable[Document], asked: list[GradedQuery], choice: Choice
) -> dict[str, list[GradedScore]]:
    """Measure a set; the texts are read and written one after another.

    A text with the id of the query is the query itself (in sets of arguments and of duplicate
    questions): it is not an answer.
    """
    with tempfile.TemporaryDirectory(prefix="cortexfs-bench-") as place:
        tree = write_documents(documents, Path(place, "tree"))
        queries = [one.query for one in asked]
        return {
            name: [
                score_graded([n for n in found if n != one.ident][:MAX_RANK], one.grades)
                for found, one in zip(rankings, asked, strict=True)
            ]
            for name, rankings in answer_questions(tree, queries, choice, MAX_RANK + 1)
        }


def print_graded_set(
    folder: Path, documents: Iterable[Document], asked: list[GradedQuery], choice: Choice
) -> None:
    """Measure a set, and print its table."""
    if not asked:
        raise BadSetFile(folder, 0, "no queries with grades")
    runs = score_graded_set(documents, asked, choice)
    print(f"{len(asked)} queries\n{format_means(runs)}\n{FOOT}")


def parse_choice(parser: argparse.ArgumentParser) -> tuple[argparse.Namespace, Choice]:
    """Return the options, and the engines that they choose."""
    options = parser.parse_args()
    return options, choose_engines(parser, options)
