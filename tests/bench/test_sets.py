"""Sets become trees, and are searched: small ones, all the way through."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench import boosts, find, retrieval, zipf
from bench.engines import OURS, PLAIN, format_plain_query, make_plain_search
from bench.own import Module, make_function_set
from bench.scores import mean_score
from bench.sets import Question, build_set, load_folder, read_questions

REPOSITORY = Path(__file__).resolve().parent.parent.parent


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


@pytest.mark.soak
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
