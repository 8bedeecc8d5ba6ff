"""Measure recall in stories on conversations with questions: `python -m bench.story_recall [FILE]`.

FILE has the form of `locomo10.json`; without one our own set, `bench/story_talks.json`, is
measured. Each conversation is imported as a story, and each question is recalled. What counts are
the turns that are shown, best first; beside them what `find` finds where each turn is an atom, in
the session in which it was said, and recall without the parts `entity` and `emotion`.

`--speed` measures recalls in a story of 10,000 messages instead, beside a plain vector memory.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from bench.answers import Choice, answer_questions
from bench.locomo import TURNS, format_runs, make_turn_set
from bench.locomo_file import correct_evidence, iter_sessions, read_talks
from bench.scores import score_ranking
from bench.set_files import run_program
from bench.sets import NOW, write_documents
from cortexfs.core.memory.memory_text import format_time
from cortexfs.core.stories.message import Message
from cortexfs.operations.stories.import_story import import_story
from cortexfs.operations.stories.recall_story import RecallQuery, recall_story
from cortexfs.session.session import Session

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bench.locomo import LocomoSet, Runs
    from bench.locomo_file import Talk

OWN_SET = Path(__file__).with_name("story_talks.json")
PROJECT, STORY = "set", "talk"
MEMORIES, SHOWN = 100, 8
"""Memories that are recalled for a question, and messages of each."""
ALL_PARTS, WITHOUT = "recall", "recall, without entity and emotion"
SETTINGS = {ALL_PARTS: "", WITHOUT: "stories:\n  recall: {entity: 0, emotion: 0}\n"}


def main() -> None:
    """Print a table of all questions, and one of each category."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("file", type=Path, nargs="?", default=OWN_SET)
    parser.add_argument("--errors", type=Path, help="a file of corrected evidence: `errors.json`")
    parser.add_argument("--categories", default=TURNS.categories, help="of questions, like 1234")
    parser.add_argument("--speed", action="store_true", help="measure speed instead")
    parser.add_argument("--hybrid", action="store_true", help="`find` by words and vectors too")
    options = parser.parse_args()
    if options.speed:
        from bench.story_recall_speed import measure_speed  # noqa: PLC0415 - it needs another tree

        return measure_speed()
    talks = read_talks(options.file)
    talks = correct_evidence(talks, options.errors) if options.errors else talks
    choice = Choice(("sqlite",), options.hybrid)
    print(format_runs(score_talks(talks, options.categories, choice)))
    return None


def score_talks(talks: Iterable[Talk], categories: str, choice: Choice) -> Runs:
    """Measure conversations; return the scores with their categories."""
    runs: Runs = {}
    for talk in talks:
        one = make_turn_set(talk, categories)
        asked = [each for each in one.questions if each.gold]
        for name, rankings in _answer(talk, one, [each.query for each in asked], choice):
            scores = (
                (each.category, score_ranking(found, frozenset(each.gold)))
                for found, each in zip(rankings, asked, strict=True)
            )
            runs.setdefault(name, []).extend(scores)
    return runs


def _answer(
    talk: Talk, one: LocomoSet, queries: Sequence[str], choice: Choice
) -> Iterator[tuple[str, list[list[str]]]]:
    """Yield each method with the turns that it finds for each query."""
    with tempfile.TemporaryDirectory(prefix="cortexfs-bench-") as place:
        for name, settings in SETTINGS.items():
            root = Path(place, name.replace(" ", "-"))
            session = open_story(root, list(iter_messages(talk)), settings)
            names = [document.name for document in one.documents]
            yield name, [[names[n - 1] for n in recall_turns(session, each)] for each in queries]
            session.close()
        tree = write_documents(one.documents, Path(place, "tree"))
        yield from answer_questions(tree, queries, choice)


def iter_messages(talk: Talk) -> Iterator[Message]:
    """Yield the turns of a conversation as messages, with the time of their session."""
    for session in iter_sessions(talk):
        time = format_time(session.created) if session.created else ""
        for turn in session.turns:
            caption = f" [{turn.caption}]" if turn.caption else ""
            yield Message(turn.name, time, turn.speaker, "user", f"{turn.text}{caption}" or "-")


def open_story(root: Path, messages: Sequence[Message], settings: str = "") -> Session:
    """Return a session of a new tree with one story."""
    session = Session.create(str(root), lambda: NOW)
    for folder in ("user", f"projects/{PROJECT}"):
        (root / folder).mkdir(parents=True, exist_ok=True)
    (root / "CORTEX.md").write_text("# Set\n", encoding="utf-8")
    (root / "projects" / PROJECT / "CORTEX.md").write_text("# Set\n", encoding="utf-8")
    if settings:
        (root / "cortexfs.yaml").write_text(settings, encoding="utf-8")
    session.close()
    session = Session.open(str(root), lambda: NOW)
    import_story(session, PROJECT, STORY, messages)
    return session


def recall_turns(session: Session, question: str) -> list[int]:
    """Return the numbers of the messages that are recalled, best first."""
    said = (Message("", "", "", "user", question),)
    query = RecallQuery(said, memories=MEMORIES, record_reads=False, shown=SHOWN)
    found = recall_story(session, PROJECT, STORY, query)
    said = [message for memory in found.memories for message in memory.excerpt]
    return [message.number for message in sorted(said, key=lambda each: -each.score)]


if __name__ == "__main__":
    run_program(main)
