"""Measure the search quality of `find` on your copy of LoCoMo: `python -m bench.locomo FILE`.

FILE is `locomo10.json`; its licence (CC BY-NC 4.0) keeps it out of this repository. Without an
option each session of all conversations is one text, and a question without evidence scores 0.
`--per-conversation` searches only the sessions of the question's conversation; a question without
evidence scores 1, as MemPalace counts. `--turns` makes an atom of each turn, in the session in
which it was said, and leaves out category 5 and questions without evidence.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections import Counter
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from bench.answers import add_engine_options, answer_questions, choose_engines
from bench.locomo_file import CATEGORIES, correct_evidence, iter_sessions, read_talks
from bench.scores import Score, format_means, format_table, score_ranking
from bench.set_files import run_program
from bench.sets import Document, write_documents

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from bench.answers import Choice
    from bench.locomo_file import LocomoQuestion, Talk, Turn

    Runs = dict[str, list[tuple[int, Score]]]


class Protocol(NamedTuple):
    """What is searched, which questions are asked, and how they count.

    A question without evidence has a fixed score; None leaves it out.
    """

    categories: str
    score_without_evidence: float | None
    is_pooled: bool = False
    has_turns: bool = False


POOLED, PER_CONVERSATION = Protocol("12345", 0.0, is_pooled=True), Protocol("12345", 1.0)
TURNS = Protocol("1234", None, has_turns=True)


class AskedQuestion(NamedTuple):
    """A question of some category, and the names of the texts that answer it."""

    query: str
    gold: tuple[str, ...]
    category: int


class LocomoSet(NamedTuple):
    """Texts that are searched together, and the questions about them."""

    documents: list[Document]
    questions: list[AskedQuestion]


def main() -> None:
    """Print a table of all questions, and one of each category."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("file", type=Path)
    units = parser.add_mutually_exclusive_group()
    units.add_argument("--turns", action="store_true", help="each turn is a text")
    units.add_argument("--per-conversation", action="store_true", help="do not pool the sessions")
    parser.add_argument("--errors", type=Path, help="a file of corrected evidence: `errors.json`")
    parser.add_argument("--categories", help="of questions, like 1234")
    parser.add_argument("--to", type=Path, help="only write sets for `bench.retrieval` here")
    add_engine_options(parser)
    options = parser.parse_args()
    choice = choose_engines(parser, options)
    talks = read_talks(options.file)
    talks = correct_evidence(talks, options.errors) if options.errors else talks
    protocol = choose_protocol(options.turns, options.per_conversation, options.categories)
    if options.to:
        return write_sets(talks, options.to, protocol)
    print(format_runs(score_sets(make_sets(talks, protocol), protocol, choice)))
    print(describe_evidence(talks))
    return None


def choose_protocol(turns: bool, per_conversation: bool, categories: str | None) -> Protocol:
    """Return the protocol that the options choose."""
    protocol = TURNS if turns else PER_CONVERSATION if per_conversation else POOLED
    return protocol._replace(categories=categories or protocol.categories)


def make_sets(talks: Iterable[Talk], protocol: Protocol) -> list[LocomoSet]:
    """Make a set of each conversation, or one of all."""
    make = make_turn_set if protocol.has_turns else make_session_set
    sets = [make(talk, protocol.categories) for talk in talks]
    if not protocol.is_pooled:
        return sets
    documents = [document for one in sets for document in one.documents]
    return [LocomoSet(documents, [asked for one in sets for asked in one.questions])]


def make_session_set(talk: Talk, categories: str) -> LocomoSet:
    """Make a text of each session of a conversation."""
    documents: list[Document] = []
    names: dict[str, str] = {}
    for session in iter_sessions(talk):
        name = f"talk-{talk.number}-session-{session.number:02d}"
        lines = "\n\n".join(map(_format_turn, session.turns))
        text = f"# Session {session.number}, {session.when}\n\n{lines}\n"
        documents.append(Document(name, text, created=session.created))
        names |= {turn.place: name for turn in session.turns}
    return LocomoSet(documents, _make_questions(talk.questions, names, categories))


def make_turn_set(talk: Talk, categories: str) -> LocomoSet:
    """Make a text of each turn of a conversation, in its session."""
    documents: list[Document] = []
    names: dict[str, str] = {}
    for session in iter_sessions(talk):
        for minute, turn in enumerate(session.turns):
            names[turn.place] = turn.name
            place = f"session-{session.number:02d}"
            when = session.created and session.created + timedelta(minutes=minute)
            documents.append(Document(turn.name, _format_turn(turn), place, when))
    return LocomoSet(documents, _make_questions(talk.questions, names, categories))


def score_sets(sets: Iterable[LocomoSet], protocol: Protocol, choice: Choice) -> Runs:
    """Measure sets, each with a tree of its own; return the scores with their categories."""
    runs: Runs = {}
    for one in sets:
        asked = [each for each in one.questions if each.gold or _scores_anyway(protocol)]
        with tempfile.TemporaryDirectory(prefix="cortexfs-bench-") as place:
            tree = write_documents(one.documents, Path(place, "tree"))
            queries = [each.query for each in asked]
            for name, rankings in answer_questions(tree, queries, choice):
                runs.setdefault(name, []).extend(_iter_scores(rankings, asked, protocol))
    return runs


def format_runs(runs: Runs) -> str:
    """Return a table of all questions with the differences, and a table of each category."""
    parts = [f"all, {len(next(iter(runs.values())))} questions\n{format_table(_drop(runs))}"]
    counts = Counter(category for category, _ in next(iter(runs.values())))
    for category, count in sorted(counts.items()):
        only = {name: [s for c, s in scores if c == category] for name, scores in runs.items()}
        title = f"category {category}, {CATEGORIES.get(category, 'unknown')}, {count} questions"
        parts.append(f"{title}\n{format_means(only)}")
    return "\n\n".join(parts)


def describe_evidence(talks: Iterable[Talk]) -> str:
    """Return how many questions have no evidence, and how many ids name no turn."""
    without = unknown = 0
    for talk in talks:
        places = {turn.place for session in iter_sessions(talk) for turn in session.turns}
        without += sum(not places & set(one.evidence) for one in talk.questions)
        unknown += sum(place not in places for one in talk.questions for place in one.evidence)
    return f"\nquestions without evidence: {without}; ids of evidence that name no turn: {unknown}"


def write_sets(talks: list[Talk], to: Path, protocol: Protocol) -> None:
    """Write the sets for `bench.retrieval`, and print the commands to run."""
    (pooled,) = make_sets(talks, POOLED._replace(categories=protocol.categories))
    turns = make_sets(talks, TURNS._replace(categories=protocol.categories))
    sets = {"sessions": pooled} | {f"turns-{n}": one for n, one in enumerate(turns, start=1)}
    for name, one in sets.items():
        write_set(to / name, {each.name: each.text for each in one.documents}, one.questions)
    every_turn = " ".join(_format_paths(to / name) for name in sets if name != "sessions")
    print(f"python -m bench.retrieval {_format_paths(to / 'sessions')}")
    print(f"python -m bench.retrieval {every_turn}")


def write_set(folder: Path, texts: Mapping[str, str], asked: Iterable[AskedQuestion]) -> None:
    """Write a set: a folder of Markdown, a file of queries beside it."""
    (folder / "texts").mkdir(parents=True)
    for name, text in texts.items():
        (folder / "texts" / f"{name}.md").write_text(text, encoding="utf-8")
    records = ({"query": one.query, "gold": list(one.gold)} for one in asked)
    lines = (json.dumps(one, ensure_ascii=False) + "\n" for one in records)
    (folder / "queries.jsonl").write_text("".join(lines), encoding="utf-8")


def _make_questions(
    questions: Iterable[LocomoQuestion], names: Mapping[str, str], categories: str
) -> list[AskedQuestion]:
    """Return each question with the names of its answers; unknown evidence is left out."""
    return [
        AskedQuestion(
            one.query,
            tuple(sorted({names[place] for place in one.evidence if place in names})),
            one.category,
        )
        for one in questions
        if str(one.category) in categories
    ]


def _scores_anyway(protocol: Protocol) -> bool:
    return protocol.score_without_evidence is not None


def _iter_scores(
    rankings: list[list[str]], asked: list[AskedQuestion], protocol: Protocol
) -> Iterator[tuple[int, Score]]:
    flat = Score._make([protocol.score_without_evidence or 0.0] * len(Score._fields))
    for found, one in zip(rankings, asked, strict=True):
        yield one.category, score_ranking(found, frozenset(one.gold)) if one.gold else flat


def _drop(runs: Runs) -> dict[str, list[Score]]:
    """Return the scores without their categories."""
    return {name: [score for _, score in scores] for name, scores in runs.items()}


def _format_turn(turn: Turn) -> str:
    return f"{turn.speaker}: {turn.text}" + (f" [{turn.caption}]" if turn.caption else "")


def _format_paths(folder: Path) -> str:
    return f"{folder / 'texts'} {folder / 'queries.jsonl'}"


if __name__ == "__main__":
    run_program(main)
