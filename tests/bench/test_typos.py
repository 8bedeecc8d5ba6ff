"""Words with an error and the queries of developers are answered: floors for each index."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from soak_cases import leave_rows_to_soak

from bench import typos
from bench.engines import make_find
from bench.own import HERE, SAMPLE
from bench.sets import build_set, load_folder, read_questions

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

pytestmark = pytest.mark.usefixtures("full_text")
EVERY = 3
"""Every third word is asked: it takes a second."""


@pytest.mark.parametrize(
    ("damage", "floor"),
    leave_rows_to_soak(
        [
            (typos.keep_word, 0.95),
            (typos.make_error, 0.9),
            (typos.drop_letter, 0.88),
            (typos.replace_first_letter, 0.8),
            (typos.cut_word, 0.9),
        ],
        every=4,
    ),
)
def test_words_of_titles_are_found(
    damage: Callable[[Random, str], str], floor: float, tmp_path: Path
) -> None:
    planted = load_folder(SAMPLE, tmp_path / "tree")
    search = make_find(planted.session)
    asked = list(typos.damage_titles(typos.read_titles(planted), damage))[::EVERY]
    assert typos.score_words(search, asked) >= floor


def test_the_queries_of_developers_find_their_text_first(tmp_path: Path) -> None:
    lines = Path(HERE, "developer_texts.jsonl").read_text(encoding="utf-8").splitlines()
    texts = {one["name"]: one["text"] for one in map(json.loads, lines)}
    planted = build_set(texts, tmp_path / "tree")
    search = make_find(planted.session)
    questions = read_questions(Path(HERE, "developer_queries.jsonl"))
    missed = [
        one.query
        for one in questions
        if not {planted.names[path] for path in search(one.query, 1)} & {*one.gold}
    ]
    assert len(missed) <= 0.02 * len(questions), missed
