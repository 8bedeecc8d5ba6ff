"""Conversations become sets of sessions or turns, and each protocol counts as it says."""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from bench import locomo, retrieval
from bench.answers import Choice, answer_questions
from bench.engines import OURS
from bench.locomo_file import correct_evidence, parse_evidence, parse_session_time, read_talks
from bench.set_files import BadSetFile
from bench.sets import read_questions, write_documents

if TYPE_CHECKING:
    from pathlib import Path

SQLITE = Choice(("sqlite",))
CONVERSATION = {
    "qa": [
        {"question": "What did Ana bake?", "answer": "bread", "evidence": ["D1:2"], "category": 4},
        {"question": "Which bird was seen?", "evidence": ["D2:1; D:2:02", "D9:9"], "category": 1},
        {"question": "Who sings?", "answer": "nobody", "evidence": [], "category": 5},
        {"question": "Who baked in the city?", "evidence": ["D"], "category": 3},
    ],
    "conversation": {
        "speaker_a": "Ana",
        "speaker_b": "Ben",
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [
            {"speaker": "Ben", "dia_id": "D1:1", "text": "How was your weekend?"},
            {"speaker": "Ana", "dia_id": "D1:2", "text": "I baked rye bread, the dense one."},
        ],
        "session_2_date_time": "9:10 am on 3 June, 2023",
        "session_2": [
            {
                "speaker": "Ben",
                "dia_id": "D2:1",
                "text": "Look, a bird!",
                "blip_caption": "a grey heron",
            },
            {"speaker": "Ana", "dia_id": "D2:2", "text": "A bird that large in the city!"},
        ],
        "session_3_date_time": "8:00 am on 9 July, 2023",
    },
}
OTHER = {
    "qa": [{"question": "What broke?", "evidence": ["D1:1"], "category": 2}],
    "conversation": {
        "session_1": [{"speaker": "Ida", "dia_id": "D1:1", "text": "My kayak broke at the weir."}]
    },
}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "locomo10.json"
    path.write_text(json.dumps([CONVERSATION, OTHER], indent=1))
    return path


def run(monkeypatch: pytest.MonkeyPatch, *words: str | Path) -> None:
    monkeypatch.setattr(sys, "argv", ["locomo", *map(str, words)])
    locomo.main()


@pytest.mark.parametrize(
    ("ids", "places"),
    [
        (["D8:6; D9:17"], ("8:6", "9:17")),
        (["D:11:26", "D30:05"], ("11:26", "30:5")),
        (["D9:1 D4:4 D4:6"], ("9:1", "4:4", "4:6")),
        (["D1:3,D2:4"], ("1:3", "2:4")),
        (["D", "", "see above"], ()),
    ],
)
def test_evidence_is_read_however_it_is_written(ids: list[str], places: tuple[str, ...]) -> None:
    assert parse_evidence(ids) == places


def test_the_time_of_a_session_is_read_if_it_is_one() -> None:
    assert parse_session_time("1:56 pm on 8 May, 2023") == datetime(2023, 5, 8, 13, 56, tzinfo=UTC)
    assert parse_session_time("") is parse_session_time("yesterday") is None


def test_pooled_sessions_are_searched_together_and_no_evidence_scores_0(file: Path) -> None:
    talks = read_talks(file)
    (pooled,) = locomo.make_sets(talks, locomo.POOLED)
    assert [one.name for one in pooled.documents] == [
        "talk-1-session-01",
        "talk-1-session-02",
        "talk-2-session-01",
    ]
    assert [one.gold for one in pooled.questions] == [
        ("talk-1-session-01",),
        ("talk-1-session-02",),
        (),
        (),
        ("talk-2-session-01",),
    ]
    runs = locomo.score_sets([pooled], locomo.POOLED, SQLITE)
    ours = runs[f"{OURS}, sqlite"]
    assert [(category, one.recall_5) for category, one in ours] == [
        (4, 1),
        (1, 1),
        (5, 0),
        (3, 0),
        (2, 1),
    ]


def test_the_options_choose_the_protocol() -> None:
    choose = locomo.choose_protocol
    assert choose(turns=False, per_conversation=False, categories=None) == locomo.POOLED
    assert choose(turns=False, per_conversation=True, categories=None) == locomo.PER_CONVERSATION
    chosen = choose(turns=True, per_conversation=False, categories="45")
    assert chosen == locomo.TURNS._replace(categories="45")


def test_per_conversation_a_question_without_evidence_scores_1(file: Path) -> None:
    sets = locomo.make_sets(read_talks(file), locomo.PER_CONVERSATION)
    assert [len(one.documents) for one in sets] == [2, 1]
    for scores in locomo.score_sets(sets, locomo.PER_CONVERSATION, SQLITE).values():
        assert [one.recall_5 for _, one in scores] == [1] * 5


def test_turns_without_evidence_and_of_category_5_are_left_out(file: Path) -> None:
    sets = locomo.make_sets(read_talks(file), locomo.TURNS)
    assert [one.gold for one in sets[0].questions] == [("D1-2",), ("D2-1", "D2-2"), ()]
    for scores in locomo.score_sets(sets, locomo.TURNS, SQLITE).values():
        assert [(category, one.recall_5) for category, one in scores] == [(4, 1), (1, 1), (2, 1)]


def test_a_turn_is_an_observation_of_its_session(file: Path, tmp_path: Path) -> None:
    talk, _ = read_talks(file)
    turns = locomo.make_turn_set(talk, "1234")
    tree = write_documents(turns.documents, tmp_path / "tree")
    path = next(path for path, name in tree.names.items() if name == "D2-2")
    text = (tree.root / path).read_text()
    assert "/observations/" in path
    assert "\nsession: session-02\n" in text
    assert '\ncreated: "2023-06-03T09:11:00Z"\n' in text
    assert text.endswith("\n\nAna: A bird that large in the city!\n")
    sessions = sorted((tree.root / "projects/set/sessions").iterdir())
    assert ["\nsession: session-01\n" in one.read_text() for one in sessions] == [True, False]
    for _, (found,) in answer_questions(tree, ["session-02 heron"], Choice()):
        assert found[0] == "D2-1"
        assert set(found) <= set(tree.names.values())


def test_corrections_replace_the_evidence(file: Path, tmp_path: Path) -> None:
    errors = tmp_path / "errors.json"
    fix = {"question_id": "locomo_0_qa1", "question": "Which bird was seen?"}
    kept = {"question_id": "locomo_1_qa0", "correct_answer": "a kayak"}
    errors.write_text(json.dumps([fix | {"correct_evidence": ["D1:1"]}, kept]))
    talks = read_talks(file)
    corrected = correct_evidence(talks, errors)
    assert [one.evidence for one in corrected[0].questions] == [("1:2",), ("1:1",), (), ()]
    assert corrected[1] == talks[1]


@pytest.mark.parametrize(
    ("record", "problem"),
    [
        ({"question_id": "locomo_0_qa9"}, "no question locomo_0_qa9"),
        ({"question_id": "locomo_7_qa0"}, "no question locomo_7_qa0"),
        ({"question_id": "qa0"}, "no question qa0"),
        ({"question_id": "locomo_1_qa0", "question": "Who?"}, "locomo_1_qa0 is another question"),
        ({"question_id": "locomo_1_qa0", "correct_evidence": [1]}, "an item of `correct_evidence`"),
    ],
)
def test_a_correction_of_another_question_is_refused(
    file: Path, tmp_path: Path, record: dict, problem: str
) -> None:
    errors = tmp_path / "errors.json"
    errors.write_text(f"[\n{json.dumps(record)}]")
    with pytest.raises(BadSetFile, match=f"errors.json:2: {problem}"):
        correct_evidence(read_talks(file), errors)


def test_a_broken_conversation_is_refused_with_its_place(tmp_path: Path) -> None:
    path = tmp_path / "locomo10.json"
    path.write_text(json.dumps([CONVERSATION | {"qa": [{"question": "Who?"}]}]))
    with pytest.raises(BadSetFile, match=r"locomo10\.json:1: qa\[0\]: `category` is missing"):
        read_talks(path)
    turn = {"speaker": "Ida", "dia_id": "7", "text": "Hello."}
    path.write_text(json.dumps([{"qa": [], "conversation": {"session_1": [turn]}}]))
    with pytest.raises(BadSetFile, match=r":1: session_1\[0\]: `dia_id` is '7', not like 'D1:2'"):
        locomo.make_turn_set(read_talks(path)[0], "1234")
    path.write_text("[]")
    with pytest.raises(BadSetFile, match="no conversations"):
        read_talks(path)


def test_the_program_prints_all_questions_and_each_category(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run(monkeypatch, file, "--per-conversation", "--engine", "sqlite")
    printed = capsys.readouterr().out
    assert "all, 5 questions" in printed
    assert "category 1, multi-hop, 1 questions" in printed
    assert "questions without evidence: 2; ids of evidence that name no turn: 1" in printed
    run(monkeypatch, file, "--turns", "--engine", "sqlite", "--categories", "45")
    assert "all, 1 questions" in capsys.readouterr().out


def test_sets_for_the_other_program_are_written(
    file: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    run(monkeypatch, file, "--to", tmp_path / "sets")
    printed = capsys.readouterr().out
    sessions, turns = tmp_path / "sets" / "sessions", tmp_path / "sets" / "turns-1"
    assert all(f"python -m bench.retrieval {one}" in printed for one in (sessions, turns))
    golds = [one.gold for one in read_questions(turns / "queries.jsonl")]
    assert golds == [("D1-2",), ("D2-1", "D2-2"), (), ()]
    runs = retrieval.score_sets([(sessions / "texts", sessions / "queries.jsonl")])
    assert [one.recall_5 for one in runs[OURS]] == [1, 1, 0, 0, 1]
