"""Convert your copy of LoCoMo to sets for `bench.retrieval`: `python -m bench.locomo FILE TO`.

FILE is `locomo10.json`; its licence (CC BY-NC) keeps it out of this repository. It writes two
kinds of sets: in `sessions` each session of all conversations is one text; in `turns-N` each
turn of the N-th conversation is one text. It prints the commands to run next.
"""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypedDict

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    Names = Mapping[str, str]

_SESSION = re.compile(r"session_(\d+)")
_EVIDENCE = re.compile(r"D:?(\d+):(\d+)")
"""Some ids of the set are written `D:11:26`, `D30:05`, or several in one string."""


class Turn(TypedDict, total=False):
    """One turn of a conversation; `blip_caption` describes a picture that was sent with it."""

    speaker: str
    dia_id: str
    text: str
    blip_caption: str


class Question(TypedDict, total=False):
    """A question about a conversation, and the ids of the turns that answer it."""

    question: str
    evidence: list[str]
    category: int


class Session(NamedTuple):
    """One session: its number, its date, its turns."""

    number: int
    when: str
    turns: list[Turn]


def main() -> None:
    """Write the sets, and print the commands to run."""
    asked = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    asked.add_argument("file", type=Path)
    asked.add_argument("to", type=Path)
    asked.add_argument("--categories", default="12345", help="of questions, like 1234")
    options = asked.parse_args()
    kept = {int(each) for each in options.categories}
    talks = json.loads(options.file.read_text(encoding="utf-8"))
    sets = {"sessions": make_session_set(talks, kept)}
    sets |= {f"turns-{number}": make_turn_set(talk, kept) for number, talk in enumerate(talks, 1)}
    for name, (texts, questions) in sets.items():
        write_set(options.to / name, texts, questions)
    turns = " ".join(_format_paths(options.to / name) for name in sets if name != "sessions")
    print(f"python -m bench.retrieval {_format_paths(options.to / 'sessions')}")
    print(f"python -m bench.retrieval {turns}")


def make_session_set(talks: Iterable[dict], kept: set[int]) -> tuple[Names, list[dict]]:
    """Make a text of each session of all conversations."""
    texts: dict[str, str] = {}
    asked: list[dict] = []
    for number, talk in enumerate(talks, start=1):
        names = {}
        for session in iter_sessions(talk["conversation"]):
            name = f"talk-{number}-session-{session.number:02d}"
            said = "\n\n".join(map(_format_turn, session.turns))
            texts[name] = f"# Session {session.number}, {session.when}\n\n{said}\n"
            names |= {_normalize_id(turn["dia_id"]): name for turn in session.turns}
        asked += _make_questions(talk["qa"], names, kept)
    return texts, asked


def make_turn_set(talk: dict, kept: set[int]) -> tuple[Names, list[dict]]:
    """Make a text of each turn of one conversation."""
    texts, names = {}, {}
    for session in iter_sessions(talk["conversation"]):
        for turn in session.turns:
            name = turn["dia_id"].replace(":", "-")
            texts[name] = f"{_format_turn(turn)}\n"
            names[_normalize_id(turn["dia_id"])] = name
    return texts, _make_questions(talk["qa"], names, kept)


def iter_sessions(conversation: dict) -> Iterator[Session]:
    """Yield the sessions of a conversation in order."""
    numbers = sorted(int(key[1]) for key in map(_SESSION.fullmatch, conversation) if key)
    for number in numbers:
        when = conversation.get(f"session_{number}_date_time", "")
        yield Session(number, when, conversation[f"session_{number}"])


def write_set(folder: Path, texts: Names, questions: Iterable[dict]) -> None:
    """Write a set: a folder of Markdown, a file of queries beside it."""
    (folder / "texts").mkdir(parents=True)
    for name, text in texts.items():
        (folder / "texts" / f"{name}.md").write_text(text, encoding="utf-8")
    lines = (json.dumps(one, ensure_ascii=False) + "\n" for one in questions)
    (folder / "queries.jsonl").write_text("".join(lines), encoding="utf-8")


def _make_questions(
    questions: Iterable[Question], names: Mapping[str, str], kept: set[int]
) -> list[dict]:
    """Return each question with the names of its answers; unknown evidence is left out."""
    return [
        {
            "query": one["question"],
            "gold": sorted({names[place] for place in _parse_evidence(one) if place in names}),
        }
        for one in questions
        if one["category"] in kept
    ]


def _parse_evidence(question: Question) -> Iterator[str]:
    found = _EVIDENCE.findall(" ".join(question.get("evidence", ())))
    return (f"{int(session)}:{int(turn)}" for session, turn in found)


def _normalize_id(dia_id: str) -> str:
    session, turn = dia_id.removeprefix("D").split(":")
    return f"{int(session)}:{int(turn)}"


def _format_turn(turn: Turn) -> str:
    shown = f" [{turn['blip_caption']}]" if turn.get("blip_caption") else ""
    return f"{turn['speaker']}: {turn['text']}{shown}"


def _format_paths(folder: Path) -> str:
    return f"{folder / 'texts'} {folder / 'queries.jsonl'}"


if __name__ == "__main__":
    main()
