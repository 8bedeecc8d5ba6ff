"""The ranking is as good as it was: floors for each full-text index, on sets that never change."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from bench.engines import make_find, score_search
from bench.own import HERE, SAMPLE
from bench.scores import mean_score
from bench.sets import Question, build_set, load_folder, read_questions
from cortexfs.core.frontmatter.atom_text import split_front_and_body

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from bench.scores import Score
    from bench.sets import SearchSet

pytestmark = pytest.mark.usefixtures("full_text")
MIN_WORDS = 6
"""Minimum number of words of a sentence that is a text, or a question."""


def test_questions_in_other_words_find_the_atoms_of_the_sample(tmp_path: Path) -> None:
    found = _score(load_folder(SAMPLE, tmp_path / "tree"), read_questions(HERE / "sample.jsonl"))
    assert (found.recall_5, found.mrr) >= (0.0, 0.0)


def test_half_of_the_words_of_a_sentence_find_its_atom(tmp_path: Path) -> None:
    """Long texts: a question has every second word of a sentence."""
    planted = load_folder(SAMPLE, tmp_path / "tree")
    questions = [
        Question(" ".join(sentence.split()[::2]), (planted.names[path],))
        for path, text in sorted(planted.texts.items())
        for sentence in list(_list_sentences(text))[::4]
    ]
    found = _score(planted, questions)
    print(len(questions), found)
    assert (found.recall_5, found.mrr) >= (0.0, 0.0)


def test_a_sentence_finds_the_one_before_it(tmp_path: Path) -> None:
    """Short texts: each is one sentence; a question is the next sentence of the same atom."""
    texts, questions = {}, []
    for path in sorted(SAMPLE.glob("projects/*/*/*.md")):
        sentences = list(_list_sentences(path.read_text(encoding="utf-8")))
        names = [f"{path.stem} of {path.parts[-3]}, {n:03d}" for n in range(len(sentences))]
        texts |= dict(zip(names[::2], sentences[::2], strict=True))
        questions += map(Question, sentences[1::2], ((name,) for name in names[::2]))
    found = _score(build_set(texts, tmp_path / "tree"), questions)
    print(len(texts), len(questions), found)
    assert (found.recall_5, found.mrr) >= (0.0, 0.0)


def _score(planted: SearchSet, questions: list[Question]) -> Score:
    scores = score_search(make_find(planted.session), planted.names, questions)
    planted.session.close()
    return mean_score(scores)


def _list_sentences(text: str) -> Iterator[str]:
    _, body = split_front_and_body(text)
    for sentence in re.split(r"(?<=[.:;!?])\s+|\n", body):
        if len(re.findall(r"[A-Za-z]+", sentence)) >= MIN_WORDS:
            yield sentence
