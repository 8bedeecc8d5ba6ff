"""Paragraphs in any language are found by the questions about them."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import pytest

from bench import multilingual
from bench.answers import Choice
from bench.engines import OURS
from bench.multilingual import read_paragraphs, score_paragraphs
from bench.set_files import BadSetFile

if TYPE_CHECKING:
    from pathlib import Path

GERMAN = [
    ("Der Reiher steht am Wehr und wartet auf Fische.", ["Worauf wartet der Reiher?"]),
    ("Das Roggenbrot hält sich eine Woche.", ["Wie lange hält sich Roggenbrot?"]),
    ("Der Reiher steht am Wehr und wartet auf Fische.", ["Wo steht der Reiher?"]),
]
CHINESE = [
    ("苍鹭站在河边等鱼。", ["苍鹭在哪里等鱼"]),
    ("黑麦面包可以放一周。", ["黑麦面包能放多久"]),
]


def write(path: Path, paragraphs: list[tuple[str, list[str]]]) -> Path:
    made = [
        {"context": context, "qas": [{"id": "q", "question": one, "answers": []} for one in asked]}
        for context, asked in paragraphs
    ]
    articles = [{"title": "Vögel", "paragraphs": made[:1]}, {"paragraphs": made[1:]}]
    path.write_text(json.dumps({"version": "1.1", "data": articles}, ensure_ascii=False))
    return path


def test_a_paragraph_is_one_text_however_often_it_occurs(tmp_path: Path) -> None:
    one = read_paragraphs(write(tmp_path / "xquad.de.json", GERMAN))
    assert [document.text for document in one.documents] == [
        "Der Reiher steht am Wehr und wartet auf Fische.\n",
        "Das Roggenbrot hält sich eine Woche.\n",
    ]
    assert [asked.gold for asked in one.questions] == [
        ("paragraph-1",),
        ("paragraph-2",),
        ("paragraph-1",),
    ]


def test_impossible_questions_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "squad.json"
    asked = [{"question": "Who?", "is_impossible": True}, {"question": "Where?"}]
    data = [{"paragraphs": [{"context": "At the weir.", "qas": asked}]}]
    path.write_text(json.dumps({"data": data}))
    assert [one.query for one in read_paragraphs(path).questions] == ["Where?"]


@pytest.mark.parametrize("paragraphs", [GERMAN, CHINESE])
@pytest.mark.parametrize("engine", ["sqlite", "tantivy"])
def test_paragraphs_are_found_in_any_language(
    tmp_path: Path, paragraphs: list, engine: str
) -> None:
    one = read_paragraphs(write(tmp_path / "xquad.json", paragraphs))
    runs = score_paragraphs(one, Choice((engine,)))
    assert {score.mrr for score in runs[f"{OURS}, {engine}"]} == {1}


def test_the_program_prints_a_table_for_each_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [write(tmp_path / "de.json", GERMAN), write(tmp_path / "zh.json", CHINESE)]
    monkeypatch.setattr(sys, "argv", ["multilingual", *map(str, files), "--engine", "sqlite"])
    multilingual.main()
    printed = capsys.readouterr().out
    assert "de.json, 3 questions, 2 paragraphs" in printed
    assert "zh.json, 2 questions, 2 paragraphs" in printed


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{}", ":1: `data` is missing"),
        ('{"data": [{"paragraphs": [{"context": "x"}]}]}', ":1: data[0]: paragraphs[0]: `qas` is"),
        ('{"data": []}', ": no questions"),
    ],
)
def test_a_broken_file_is_refused(tmp_path: Path, text: str, problem: str) -> None:
    path = tmp_path / "xquad.json"
    path.write_text(text)
    with pytest.raises(BadSetFile) as caught:
        read_paragraphs(path)
    assert str(caught.value).startswith(f"{path}{problem}")
