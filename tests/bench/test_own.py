"""The ranking is as good as it was: floors for each full-text index, on sets that never change."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from bench.engines import copy_for_tantivy, make_find, score_search
from bench.own import HERE, SAMPLE
from bench.scores import mean_score
from bench.sets import Question, build_set, load_folder, read_questions
from cortexfs.catalog.full_text_backend import LARGE_TREE_VARIABLE
from cortexfs.core.frontmatter.atom_text import split_front_and_body

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from bench.scores import Score
    from bench.sets import SearchSet

MIN_WORDS = 6
"""Minimum number of words of a sentence that is a text, or a question."""


@pytest.mark.usefixtures("full_text")
def test_questions_in_other_words_find_the_atoms_of_the_sample(tmp_path: Path) -> None:
    found = _score(load_folder(SAMPLE, tmp_path / "tree"), read_questions(HERE / "sample.jsonl"))
    assert found.recall_5 >= 0.87
    assert found.mrr >= 0.746


@pytest.mark.usefixtures("full_text")
def test_a_third_of_the_words_of_a_sentence_find_its_atom(tmp_path: Path) -> None:
    """Long texts: a question has every third word of a sentence."""
    planted = load_folder(SAMPLE, tmp_path / "tree")
    questions = [
        Question(_thin_out(sentence), (planted.names[path],))
        for path, text in sorted(planted.texts.items())
        for sentence in list(_list_sentences(text))[::4]
    ]
    found = _score(planted, questions)
    assert found.recall_5 >= 0.865
    assert found.mrr >= 0.713


@pytest.mark.usefixtures("full_text")
def test_a_third_of_its_words_finds_a_sentence(tmp_path: Path) -> None:
    """Short texts: each is one sentence."""
    texts = {
        f"{path.stem} of {path.parts[-3]}, {number:03d}": sentence
        for path in sorted(SAMPLE.glob("projects/*/*/*.md"))
        for number, sentence in enumerate(_list_sentences(path.read_text(encoding="utf-8")))
    }
    questions = [Question(_thin_out(texts[name]), (name,)) for name in list(texts)[::4]]
    found = _score(build_set(texts, tmp_path / "tree"), questions)
    assert found.recall_5 >= 0.932
    assert found.mrr >= 0.859


def test_both_full_text_indexes_give_the_same_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(LARGE_TREE_VARIABLE, "1000")
    planted = load_folder(SAMPLE, tmp_path / "tree")
    queries = [one.query for one in read_questions(HERE / "sample.jsonl")]
    one = make_find(planted.session)
    with copy_for_tantivy(planted) as copied:
        other = make_find(copied.session)
        indexes = (planted.session.catalog.full_text, copied.session.catalog.full_text)
        assert [index.name for index in indexes if index] == ["SQLite", "tantivy"]
        assert [one(query, 20) for query in queries] == [other(query, 20) for query in queries]
    planted.session.close()


def _score(planted: SearchSet, questions: list[Question]) -> Score:
    scores = score_search(make_find(planted.session), planted.names, questions)
    planted.session.close()
    return mean_score(scores)


def _list_sentences(text: str) -> Iterator[str]:
    _, body = split_front_and_body(text)
    for sentence in re.split(r"(?<=[.:;!?])\s+|\n", body):
        if len(re.findall(r"[A-Za-z]+", sentence)) >= MIN_WORDS:
            yield sentence


def _thin_out(sentence: str) -> str:
    """Return every third word of a sentence."""
    return " ".join(sentence.split()[1::3])
