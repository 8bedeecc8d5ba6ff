"""Measure the search quality of `find` by language: `python -m bench.multilingual FILE…`.

Each FILE is in the layout of SQuAD, such as your copies of `xquad.de.json` and `xquad.zh.json`, or
of JSQuAD and CMRC. Each paragraph is a text; a question is answered by its paragraph. Questions
that the set calls impossible are left out.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from bench.answers import add_engine_options, answer_questions, choose_engines
from bench.scores import format_means, score_ranking
from bench.set_files import BadSetFile, read_json_object, run_program
from bench.sets import Document, Question, write_documents

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bench.answers import Choice
    from bench.scores import Score
    from bench.set_files import Record


class ParagraphSet(NamedTuple):
    """The paragraphs of a file, and the questions about them."""

    documents: list[Document]
    questions: list[Question]


def main() -> None:
    """Print a table for each file."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    add_engine_options(parser)
    options = parser.parse_args()
    choice = choose_engines(parser, options)
    for path in options.files:
        one = read_paragraphs(path)
        count = f"{len(one.questions)} questions, {len(one.documents)} paragraphs"
        print(f"{path.name}, {count}\n{format_means(score_paragraphs(one, choice))}\n")


def read_paragraphs(path: Path) -> ParagraphSet:
    """Read a file; a paragraph that occurs twice is one text."""
    names: dict[str, str] = {}
    questions: list[Question] = []
    for paragraph in _iter_paragraphs(read_json_object(path)):
        name = names.setdefault(paragraph.get("context", str), f"paragraph-{len(names) + 1}")
        questions += [
            Question(one.get("question", str), (name,))
            for one in paragraph.get_objects("qas")
            if not one.get("is_impossible", bool, default=False)
        ]
    if not questions:
        raise BadSetFile(path, 0, "no questions")
    return ParagraphSet([Document(name, f"{text}\n") for text, name in names.items()], questions)


def score_paragraphs(one: ParagraphSet, choice: Choice) -> dict[str, list[Score]]:
    """Measure the questions of a file."""
    with tempfile.TemporaryDirectory(prefix="cortexfs-bench-") as place:
        tree = write_documents(one.documents, Path(place, "tree"))
        queries = [each.query for each in one.questions]
        return {
            name: [
                score_ranking(found, frozenset(each.gold))
                for found, each in zip(rankings, one.questions, strict=True)
            ]
            for name, rankings in answer_questions(tree, queries, choice)
        }


def _iter_paragraphs(record: Record) -> Iterator[Record]:
    for article in record.get_objects("data"):
        yield from article.get_objects("paragraphs")


if __name__ == "__main__":
    run_program(main)
