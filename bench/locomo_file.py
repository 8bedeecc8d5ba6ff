"""Read the files of LoCoMo: conversations in sessions of turns, questions, corrected evidence."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from bench.set_files import BadSetFile, Record, iter_json_array

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
_SESSION = re.compile(r"session_(\d+)")
_TURN = re.compile(r"D(\d+):(\d+)")
_EVIDENCE = re.compile(r"D:?(\d+):(\d+)")
"""Some ids of the set are written `D:11:26`, `D30:05`, or several in one string."""
_CORRECTED = re.compile(r"locomo_(\d+)_qa(\d+)")


class LocomoQuestion(NamedTuple):
    """A question about a conversation, and the places of the turns that answer it."""

    query: str
    evidence: tuple[str, ...]
    category: int


class Talk(NamedTuple):
    """A conversation: its number from 1, its sessions as in the file, its questions."""

    number: int
    conversation: Record
    questions: tuple[LocomoQuestion, ...]


class Turn(NamedTuple):
    """One turn: its place `SESSION:TURN`, and the caption of a picture that was sent with it."""

    name: str
    place: str
    speaker: str
    text: str
    caption: str


class TalkSession(NamedTuple):
    """One session: its number, its date as written and as a time, its turns."""

    number: int
    when: str
    created: datetime | None
    turns: tuple[Turn, ...]


def read_talks(path: Path) -> list[Talk]:
    """Read all conversations."""
    talks = []
    for number, record in enumerate(iter_json_array(path), start=1):
        conversation = record._replace(fields=record.get("conversation", dict))
        questions = tuple(map(_parse_question, record.get_objects("qa")))
        talks.append(Talk(number, conversation, questions))
    if not talks:
        raise BadSetFile(path, 0, "no conversations")
    return talks


def iter_sessions(talk: Talk) -> Iterator[TalkSession]:
    """Yield the sessions of a conversation in order."""
    record = talk.conversation
    numbers = sorted(int(key[1]) for key in map(_SESSION.fullmatch, record.fields) if key)
    for number in numbers:
        when = record.get(f"session_{number}_date_time", str, "")
        turns = tuple(map(_parse_turn, record.get_objects(f"session_{number}")))
        yield TalkSession(number, when, parse_session_time(when), turns)


def parse_session_time(when: str) -> datetime | None:
    """Return a time such as `1:56 pm on 8 May, 2023`; None if it is written otherwise."""
    try:
        return datetime.strptime(when, "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
    except ValueError:
        return None


def correct_evidence(talks: Iterable[Talk], errors: Path) -> list[Talk]:
    """Return the conversations with the evidence of a file of corrections.

    A correction names its question as `locomo_TALK_qaQUESTION`, both counted from 0.
    """
    corrected = {talk.number - 1: list(talk.questions) for talk in talks}
    for record in iter_json_array(errors):
        named = _CORRECTED.fullmatch(record.get("question_id", str))
        questions = corrected.get(int(named[1]), []) if named else []
        number = int(named[2]) if named else 0
        if number >= len(questions):
            raise record.refuse(f"no question {record.fields['question_id']}")
        known = questions[number]
        if record.get("question", str, known.query).strip() != known.query.strip():
            raise record.refuse(f"{record.fields['question_id']} is another question")
        if "correct_evidence" in record.fields:
            evidence = parse_evidence(record.get_texts("correct_evidence"))
            questions[number] = known._replace(evidence=evidence)
    return [talk._replace(questions=tuple(corrected[talk.number - 1])) for talk in talks]


def parse_evidence(ids: Iterable[str]) -> tuple[str, ...]:
    """Return the places that ids of evidence name, however they are written."""
    found = _EVIDENCE.findall(" ".join(ids))
    return tuple(f"{int(session)}:{int(turn)}" for session, turn in found)


def _parse_question(record: Record) -> LocomoQuestion:
    evidence = parse_evidence(record.get_texts("evidence", []))
    return LocomoQuestion(record.get("question", str), evidence, record.get("category", int))


def _parse_turn(record: Record) -> Turn:
    ident = record.get("dia_id", str)
    if not (match := _TURN.fullmatch(ident)):
        raise record.refuse(f"`dia_id` is {ident!r}, not like 'D1:2'")
    place = f"{int(match[1])}:{int(match[2])}"
    caption = record.get("blip_caption", str, "")
    speaker, text = record.get("speaker", str), record.get("text", str)
    return Turn(f"D{match[1]}-{match[2]}", place, speaker, text, caption)
