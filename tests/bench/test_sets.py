"""Sets become trees, and are searched: small ones, all the way through."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from bench import boosts, find, locomo, retrieval, zipf
from bench.engines import OURS, PLAIN, format_plain_query, make_plain_search
from bench.own import Module, make_function_set
from bench.scores import mean_score
from bench.sets import Question, build_set, load_folder, read_questions

REPOSITORY = Path(__file__).resolve().parent.parent.parent
CONVERSATION = {
    "qa": [
        {"question": "What did Ana bake?", "answer": "bread", "evidence": ["D1:2"], "category": 4},
        {"question": "Which bird was seen?", "evidence": ["D2:1; D:2:02", "D9:9"], "category": 1},
        {"question": "Who sings?", "answer": "nobody", "evidence": [], "category": 5},
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
            {"speaker": "Ben", "dia_id": "D2:1", "text": "Look!", "blip_caption": "a grey heron"},
            {"speaker": "Ana", "dia_id": "D2:2", "text": "A bird that large in the city!"},
        ],
    },
}


def test_a_conversation_becomes_sets_of_sessions_and_of_turns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "locomo10.json"
    file.write_text(json.dumps([CONVERSATION]))
    monkeypatch.setattr(sys, "argv", ["locomo", str(file), str(tmp_path / "sets")])
    locomo.main()
    printed = capsys.readouterr().out
    sessions, turns = tmp_path / "sets" / "sessions", tmp_path / "sets" / "turns-1"
    assert all(f"python -m bench.retrieval {one}" in printed for one in (sessions, turns))
    assert [one.gold for one in read_questions(sessions / "queries.jsonl")] == [
        ("talk-1-session-01",),
        ("talk-1-session-02",),
        (),
    ]
    golds = [one.gold for one in read_questions(turns / "queries.jsonl")]
    assert golds == [("D1-2",), ("D2-1", "D2-2"), ()]
    runs = retrieval.score_sets([(sessions / "texts", sessions / "queries.jsonl")])
    assert [one.recall_5 for one in runs[OURS]] == [1, 1, 0]


def test_only_questions_of_the_given_categories_are_used() -> None:
    _, questions_used = locomo.make_turn_set(CONVERSATION, {1, 2, 3, 4})
    assert len(questions_used) == 2


def test_a_set_from_a_tree_does_not_change_the_tree(tmp_path: Path) -> None:
    sample = REPOSITORY / "sample-context"
    before = {path: path.stat().st_mtime_ns for path in sample.rglob("*")}
    tree_of_set = load_folder(sample, tmp_path / "tree")
    golds = {
        gold for one in read_questions(REPOSITORY / "bench" / "sample.jsonl") for gold in one.gold
    }
    assert golds <= set(tree_of_set.names.values())
    assert {path: path.stat().st_mtime_ns for path in sample.rglob("*")} == before


def test_texts_are_found_by_cortexfs_and_by_plain_fts5(tmp_path: Path) -> None:
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "one.md").write_text('# A "quoted": title\n\nThe heron waits.\n')
    (tmp_path / "texts" / "two.md").write_text("No heading, and another bird.\n")
    (tmp_path / "queries.jsonl").write_text(
        '{"query": "herons \\"waiting\\"", "gold": ["one"]}\n\n'
        '{"query": "birds", "gold": ["two"]}\n'
    )
    runs = retrieval.score_sets([(tmp_path / "texts", tmp_path / "queries.jsonl")])
    assert mean_score(runs[OURS]).mrr == mean_score(runs[PLAIN]).mrr == 1


@pytest.mark.parametrize("typed", ['"', "AND OR NOT", "C++ node.js", "a_b*", "^x:y (", "the"])
def test_plain_fts5_answers_any_query(typed: str) -> None:
    assert isinstance(make_plain_search({"a": "text"})(typed, 5), list)
    assert "AND" not in format_plain_query(typed)


def test_a_question_is_removed_from_the_text_that_answers_it() -> None:
    printed = "Return the angle between two herons. The unit is degrees."
    module = Module("birds", "About birds.", (("angle", printed),))
    texts, questions_used = make_function_set([module])
    assert questions_used == [Question("Return the angle between two herons.", ("birds",))]
    assert "between two herons" not in texts["birds"]
    assert "degrees" in texts["birds"]


def test_reads_change_the_order_of_equal_matches(tmp_path: Path) -> None:
    tree_of_set = build_set(dict.fromkeys("abc", "The heron waits.\n"), tmp_path / "tree")
    questions_used = [Question("heron", ("c",))] * 20
    runs = boosts.score_read_logs(tree_of_set, boosts.Halves(questions_used, questions_used))
    assert {one.mrr for one in runs[boosts.WITHOUT]} == {1 / 3}
    assert {one.mrr for one in runs[boosts.WITH]} == {1}


def test_the_zipf_corpus_is_always_the_same(tmp_path: Path) -> None:
    first, again = (list(zipf.draw_texts(20)) for _ in range(2))
    assert first == again
    assert {len(words) for words in first} == {zipf.WORDS_PER_ATOM}
    assert len(set(zipf.make_vocabulary())) == zipf.VOCABULARY_SIZE
    assert all(1 <= len(one.split()) <= 5 for one in zipf.draw_questions(50))
    zipf.write_tree(tmp_path / "tree", 3)
    assert len(list(tmp_path.rglob("EXP-*.md"))) == 3


def test_every_figure_of_find_is_measured(tmp_path: Path) -> None:
    figures = list(find.measure_in_process(tmp_path, atoms=30, count=5))
    labels = " ".join(figure.name for figure in figures)
    assert all(word in labels for word in ("p50", "p95", "kind:", "by its ref", "refresh", "first"))
