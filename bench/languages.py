"""Measure the search in other languages than English: `python -m bench.languages [FOLDER]`.

FOLDER is your own: a folder for each language, named by its code (`de`), with files of text. The
first line of a file is the question that the rest of it answers, such as the summary of a manual
page. Without FOLDER, German questions that were written by hand are asked. The texts are indexed
as they are, and once more with `lang: en`: stemmed as English.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import tempfile
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from bench.engines import make_find, score_search
from bench.scores import compare_runs, mean_score
from bench.sets import Question, build_set, read_questions
from cortexfs.catalog.full_text_backend import LARGE_TREE_VARIABLE
from cortexfs.core.find.detect_language import detect_language

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from bench.scores import Score

MAX_TEXTS = 400
"""Maximum number of texts, and of questions, in one language."""
MIN_WORDS = 3
"""Minimum number of words of a question; in scripts without blanks, of letters."""
ENGLISH, OWN = "as English", "by language"
NO_TREE_IS_LARGE = 10**9
HERE = Path(__file__).resolve().parent
GERMAN_TEXTS, GERMAN_QUERIES = HERE / "german_texts.jsonl", HERE / "german_queries.jsonl"


def main() -> None:
    """Print a line for each language and full-text index."""
    asked = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    asked.add_argument("folder", type=Path, nargs="?", metavar="FOLDER")
    asked.add_argument("--together", action="store_true", help="all languages in one tree")
    options = asked.parse_args()
    if options.folder is None:
        _print_runs("de", partial(score_questions, *read_german_set()))
        return
    texts = {
        folder.name: dict(read_texts(folder))
        for folder in sorted(options.folder.iterdir())
        if folder.is_dir()
    }
    for language, own in texts.items():
        right = sum(detect_language("\n".join(pair)) == language for pair in own.values())
        print(f"{language}: {len(own)} texts, language detected in {right}")
    sets = (
        {"all": texts} if options.together else {code: {code: own} for code, own in texts.items()}
    )
    for name, one in sets.items():
        _print_runs(name, partial(score_texts, one))


def read_texts(folder: Path) -> Iterator[tuple[str, tuple[str, str]]]:
    """Yield the name of each text with its question and the rest."""
    paths = sorted(path for path in folder.iterdir() if path.is_file())
    chosen = random.Random(7).sample(paths, min(MAX_TEXTS, len(paths)))
    for path in chosen:
        question, _, rest = path.read_text(encoding="utf-8").partition("\n")
        size = len(question.split()) if question.isascii() else len(question)
        if size >= MIN_WORDS:
            yield f"{folder.name}/{path.stem}", (question, rest.replace(question, ""))


def read_german_set() -> tuple[dict[str, str], dict[str, Sequence[Question]]]:
    """Return the German texts by their names, and the questions about them."""
    lines = map(json.loads, GERMAN_TEXTS.read_text(encoding="utf-8").splitlines())
    return {one["name"]: one["text"] for one in lines}, {"de": read_questions(GERMAN_QUERIES)}


def score_texts(
    texts: Mapping[str, Mapping[str, tuple[str, str]]],
) -> dict[str, dict[str, list[Score]]]:
    """Return the scores of both ways of indexing, for each language."""
    return score_questions(
        {name: rest for own in texts.values() for name, (_, rest) in own.items()},
        {
            language: [Question(question, (name,)) for name, (question, _) in own.items()]
            for language, own in texts.items()
        },
    )


def score_questions(
    bodies: Mapping[str, str], asked: Mapping[str, Sequence[Question]]
) -> dict[str, dict[str, list[Score]]]:
    """Return the scores of both ways of indexing texts, for the questions in each language."""
    scores: dict[str, dict[str, list[Score]]] = {language: {} for language in asked}
    for way, field in ((ENGLISH, "lang: en\n"), (OWN, "")):
        with tempfile.TemporaryDirectory(prefix="cortexfs-bench-") as place:
            planted = build_set(bodies, Path(place, "tree"), field)
            search = make_find(planted.session)
            for language, questions in asked.items():
                scores[language][way] = score_search(search, planted.names, questions)
    return scores


def _print_runs(name: str, score: Callable[[], dict[str, dict[str, list[Score]]]]) -> None:
    """Print a line for each full-text index and language."""
    for engine, threshold in (("SQLite", NO_TREE_IS_LARGE), ("tantivy", 0)):
        os.environ[LARGE_TREE_VARIABLE] = str(threshold)
        for language, runs in score().items():
            print(f"{name:4}{language:4}{engine:8}{_format_runs(runs)}", flush=True)


def _format_runs(runs: Mapping[str, list[Score]]) -> str:
    before, after = mean_score(runs[ENGLISH]), mean_score(runs[OWN])
    return (
        f"recall@5 {before.recall_5:.3f} -> {after.recall_5:.3f}, MRR {before.mrr:.3f} ->"
        f" {after.mrr:.3f}; {compare_runs(runs, OWN, ENGLISH)}"
    )


if __name__ == "__main__":
    main()
