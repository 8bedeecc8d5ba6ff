"""Each question of LongMemEval is asked of its own haystack."""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from bench import longmemeval
from bench.answers import Choice
from bench.engines import OURS, PLAIN
from bench.longmemeval import iter_questions, parse_date, score_haystacks
from bench.set_files import BadSetFile

if TYPE_CHECKING:
    from pathlib import Path

MOVING = [
    {
        "role": "user",
        "content": "I move to the flat above the bakery in March.",
        "has_answer": True,
    },
    {"role": "assistant", "content": "Then order the boxes now."},
]
CHESS = [
    {"role": "user", "content": "Suggest a hobby."},
    {"role": "assistant", "content": "The chess club meets on Thursday.", "has_answer": True},
]
SOUP = [{"role": "user", "content": "# Soup\n\nHow long do lentils cook?"}]
QUESTIONS = [
    {
        "question_id": "q1",
        "question_type": "multi-session",
        "question": "Where is the flat that I move to, and when does the chess club meet?",
        "haystack_session_ids": ["answer_1", "other", "answer_2"],
        "haystack_dates": ["2023/05/20 (Sat) 02:21", "2023/05/21 (Sun) 10:00", "soon"],
        "haystack_sessions": [MOVING, SOUP, CHESS],
        "answer_session_ids": ["answer_1", "answer_2"],
    },
    {
        "question_id": "q2",
        "question_type": "single-session-user",
        "question": "Who repaired the roof?",
        "haystack_session_ids": ["roof", "other"],
        "haystack_dates": ["", ""],
        "haystack_sessions": [[{"role": "user", "content": "A ladder is needed."}], SOUP],
        "answer_session_ids": ["roof"],
    },
    {
        "question_id": "q3_abs",
        "question_type": "single-session-user",
        "question": "What does my violin cost?",
        "haystack_session_ids": ["other"],
        "haystack_dates": [""],
        "haystack_sessions": [SOUP],
        "answer_session_ids": [],
    },
]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "longmemeval_s.json"
    path.write_text(json.dumps(QUESTIONS, indent=1))
    return path


def test_a_question_has_the_sessions_of_its_haystack(file: Path) -> None:
    first, second = iter_questions(file)
    assert [one.name for one in first.documents] == ["answer_1", "other", "answer_2"]
    assert first.documents[2].text == (
        "user: Suggest a hobby.\n\nassistant: The chess club meets on Thursday."
    )
    assert first.gold == {"answer_1", "answer_2"}
    assert (second.query, second.type) == ("Who repaired the roof?", "single-session-user")


def test_abstention_questions_are_only_asked_if_wanted(file: Path) -> None:
    assert len(list(iter_questions(file))) == 2
    *_, last = iter_questions(file, abstention=True)
    assert last.gold == frozenset()


def test_only_the_turns_of_the_user_are_read_if_wanted(file: Path) -> None:
    first, _ = iter_questions(file, user_only=True)
    assert first.documents[2].text == "user: Suggest a hobby."


def test_the_date_of_a_session_is_read_if_it_is_one() -> None:
    assert parse_date("2023/05/20 (Sat) 02:21") == datetime(2023, 5, 20, 2, 21, tzinfo=UTC)
    assert parse_date("soon") is None


@pytest.mark.parametrize("engine", ["sqlite", "tantivy"])
def test_sessions_are_found_and_scored_by_type(file: Path, engine: str) -> None:
    runs = score_haystacks(iter_questions(file), Choice((engine,)))
    for name in (f"{OURS}, {engine}", PLAIN):
        (kind, found), (other, missed) = runs[name]
        assert (kind, other) == ("multi-session", "single-session-user")
        assert found.any_5 == found.all_5 == found.ndcg_10 == 1
        assert set(missed) == {0}


def test_a_session_that_the_haystack_lacks_counts_as_not_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "longmemeval_s.json"
    path.write_text(json.dumps([QUESTIONS[0] | {"answer_session_ids": ["answer_1", "gone"]}]))
    runs = score_haystacks(iter_questions(path), Choice(("sqlite",)))
    ((_, scores),) = runs[f"{OURS}, sqlite"]
    assert (scores.any_10, scores.all_10) == (1, 0)
    assert capsys.readouterr().err == f"warning: {path}:1: the haystack has no session 'gone'\n"


def test_the_program_prints_all_questions_and_each_type(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["longmemeval", str(file), "--engine", "sqlite"])
    longmemeval.main()
    printed = capsys.readouterr().out
    assert "all, 2 questions" in printed
    assert "multi-session, 1 questions" in printed
    row = next(line for line in printed.splitlines() if line.startswith(OURS))
    assert row.removeprefix(f"{OURS}, sqlite").split() == ["0.500"] * 7
    monkeypatch.setattr(sys, "argv", [*sys.argv, "--questions", "1"])
    longmemeval.main()
    assert "all, 1 questions" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"question": None}, "`question` is missing"),
        ({"haystack_dates": [""]}, "ids, dates and sessions of the haystack are not equally many"),
        ({"haystack_sessions": [{}, []]}, "`haystack_sessions[0]` is not a list"),
        ({"haystack_sessions": [[], [{"role": "user"}]]}, "haystack_sessions[1][0]: `content` is"),
    ],
)
def test_a_broken_question_is_refused_with_its_line(
    tmp_path: Path, changes: dict, problem: str
) -> None:
    path = tmp_path / "longmemeval_s.json"
    path.write_text(f"[\n{json.dumps(QUESTIONS[0])},\n{json.dumps(QUESTIONS[1] | changes)}]")
    questions = iter_questions(path)
    next(questions)
    with pytest.raises(BadSetFile) as caught:
        next(questions)
    assert str(caught.value).startswith(f"{path}:3: {problem}")
