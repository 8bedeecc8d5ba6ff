"""Measure the search quality of `find` on LongMemEval: `python -m bench.longmemeval FILE`.

FILE is your `longmemeval_s_cleaned.json` or a file in its layout. Each question is asked of the
sessions of its own haystack, each of which is a text. Abstention questions (`…_abs`) are left out,
as in the paper; `--user-turns` reads only what the user wrote, as the paper and MemPalace do.
"any" counts a question if one session of its answer is found, "all" if all of them are.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from bench.answers import add_engine_options, answer_questions, choose_engines
from bench.scores import format_means, score_sessions
from bench.set_files import BadSetFile, iter_json_array, run_program
from bench.sets import Document, write_documents

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bench.answers import Choice
    from bench.scores import SessionScore
    from bench.set_files import Record

    Runs = dict[str, list[tuple[str, SessionScore]]]

ABSTENTION = "_abs"
"""The end of the id of a question that nothing in its haystack answers."""
USER = "user"


class HaystackQuestion(NamedTuple):
    """A question of some type, the sessions it is asked of, and those that answer it."""

    query: str
    type: str
    documents: list[Document]
    gold: frozenset[str]


def main() -> None:
    """Print a table of all questions, and one of each type."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("file", type=Path)
    parser.add_argument("--user-turns", action="store_true", help="without the assistant's turns")
    parser.add_argument("--abstention", action="store_true", help="ask those questions too")
    parser.add_argument("--questions", type=int, help="ask only that many, the first")
    add_engine_options(parser)
    options = parser.parse_args()
    choice = choose_engines(parser, options)
    asked = iter_questions(
        options.file, user_only=options.user_turns, abstention=options.abstention
    )
    runs = score_haystacks(asked, choice, options.questions)
    if not runs:
        raise BadSetFile(options.file, 0, "no questions")
    print(format_runs(runs))


def iter_questions(
    path: Path, *, user_only: bool = False, abstention: bool = False
) -> Iterator[HaystackQuestion]:
    """Yield the questions of a file one after another, which has them in hundreds of megabytes."""
    for record in iter_json_array(path):
        if abstention or not record.get("question_id", str).endswith(ABSTENTION):
            yield _parse_question(record, user_only=user_only)


def score_haystacks(
    asked: Iterable[HaystackQuestion], choice: Choice, most: int | None = None
) -> Runs:
    """Measure questions, each on a tree of its own; return the scores with their types."""
    runs: Runs = {}
    for number, one in enumerate(asked, start=1):
        with tempfile.TemporaryDirectory(prefix="cortexfs-bench-") as place:
            tree = write_documents(one.documents, Path(place, "tree"))
            for name, (found,) in answer_questions(tree, [one.query], choice):
                runs.setdefault(name, []).append((one.type, score_sessions(found, one.gold)))
        if sys.stderr.isatty():
            print(f"\r{number} questions", end="", file=sys.stderr, flush=True)
        if number == most:
            break
    return runs


def format_runs(runs: Runs) -> str:
    """Return a table of all questions, and one of each type."""
    first = next(iter(runs.values()))
    parts = [f"all, {len(first)} questions\n{format_means(_select_type(runs, None))}"]
    for kind in sorted({kind for kind, _ in first}):
        count = sum(one == kind for one, _ in first)
        parts.append(f"{kind}, {count} questions\n{format_means(_select_type(runs, kind))}")
    return "\n\n".join(parts)


def _select_type(runs: Runs, kind: str | None) -> dict[str, list[SessionScore]]:
    """Return the scores of one type of question, or of all."""
    return {
        name: [score for one, score in scores if kind in (None, one)]
        for name, scores in runs.items()
    }


def _parse_question(record: Record, *, user_only: bool) -> HaystackQuestion:
    names = record.get_texts("haystack_session_ids")
    dates = record.get_texts("haystack_dates", [""] * len(names))
    sessions = record.get("haystack_sessions", list)
    if not len(names) == len(dates) == len(sessions):
        raise record.refuse("ids, dates and sessions of the haystack are not equally many")
    texts = [_format_session(record, number, user_only) for number in range(len(sessions))]
    gold = frozenset(record.get_texts("answer_session_ids"))
    for unknown in sorted(gold.difference(names)):  # it counts as not found
        problem = record.refuse(f"the haystack has no session {unknown!r}")
        print(f"warning: {problem}", file=sys.stderr)
    documents = [
        Document(name, text, created=parse_date(date))
        for name, text, date in zip(names, texts, dates, strict=True)
        if text
    ]
    return HaystackQuestion(
        record.get("question", str), record.get("question_type", str), documents, gold
    )


def _format_session(record: Record, number: int, user_only: bool) -> str:
    """Return the turns of a session of the haystack as text."""
    turns = record.get("haystack_sessions", list)[number]
    key = f"haystack_sessions[{number}]"
    if not isinstance(turns, list):
        raise record.refuse(f"`{key}` is not a list")
    spoken = [
        (one.get("role", str), one.get("content", str)) for one in record.to_records(turns, key)
    ]
    return "\n\n".join(
        f"{role}: {content}" for role, content in spoken if role == USER or not user_only
    )


def parse_date(date: str) -> datetime | None:
    """Return a time such as `2023/05/20 (Sat) 02:21`; None if it is written otherwise."""
    try:
        return datetime.strptime(date, "%Y/%m/%d (%a) %H:%M").replace(tzinfo=UTC)
    except ValueError:
        return None


if __name__ == "__main__":
    run_program(main)
