"""Sets with graded answers, in BEIR's layout and in those of Cranfield, are read and scored."""

from __future__ import annotations

import json
import sys
from math import log2
from typing import TYPE_CHECKING

import pytest

from bench import beir, cranfield
from bench.answers import Choice
from bench.engines import OURS, PLAIN
from bench.graded_sets import GradedQuery, score_graded_set
from bench.set_files import BadSetFile
from bench.sets import Document

if TYPE_CHECKING:
    from pathlib import Path

CLASSIC = """\
.I 1
.T
lift of a narrow
wing .
.A
quill,m.
.B
notes 12, 1961.
.W
lift of a narrow
wing .
  the lift was measured in a tunnel
.Ice formed on it.
.I 2
.T
heat of a plate
.A
.B
.W
the plate is cooled
.I 3
.T
.A
.B
.W
"""
CLASSIC_QUERIES = """\
.I 001
.W
how large is the lift
of a wing
.I 004
.W
how is a plate cooled
"""
TREC = """\
<?xml version="1.0"?>
<docs>
<doc>
<docno>1</docno>
<title>lift of a narrow
wing .</title>
<author>quill,m.</author><bib>notes 12, 1961.</bib>
<text>lift of a narrow wing . the lift was measured in a tunnel
.Ice formed on it. a &lt; b</text>
</doc>
<DOC><DOCNO> 2 </DOCNO><TITLE>heat of a plate</TITLE><TEXT>the plate is cooled</TEXT></DOC>
<doc>
<docno>3</docno><title></title>
<text>
</text>
</doc>
</docs>
"""
TREC_QUERIES = """\
<top>
<num>Number: 1</num>
<title>
how large is the lift
of a wing</title>
</top>
<top><num>2</num><title>how is a plate cooled</title></top>
"""


def write(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def write_classic(folder: Path) -> Path:
    judgments = {"cran.all.1400": CLASSIC, "cran.qry": CLASSIC_QUERIES}
    return write(folder, **judgments, cranqrel="1 1 2\n1 2 -1 \n2 2  1\n2 3 5\n")


def write_trec(folder: Path) -> Path:
    texts = {"cran.all.1400.xml": TREC, "cran.qry.xml": TREC_QUERIES}
    return write(folder, **texts, **{"cranqrel.trec.txt": "1 0 1 2\n1 0 2 -1\n2 0 2 1\n2 0 3 5\n"})


def write_beir(folder: Path) -> Path:
    corpus = [
        {"_id": "d1", "title": "Tides", "text": "The moon pulls the water."},
        {"_id": "d2", "title": "", "text": "Water boils at the summit sooner.", "metadata": {}},
        {"_id": "q1", "text": "Why does water boil sooner?"},
    ]
    queries = [
        {"_id": "q0", "text": "unused"},
        {"_id": "q1", "text": "Why does water boil sooner?"},
    ]
    return write(
        folder,
        corpus_jsonl="".join(f"{json.dumps(one)}\n" for one in corpus),
        queries_jsonl="".join(f"{json.dumps(one)}\n" for one in queries),
        qrels__test_tsv="query-id\tcorpus-id\tscore\nq1\td2\t2\nq1\td1\t1\n",
    )


@pytest.mark.parametrize("make", [write_classic, write_trec])
def test_both_layouts_of_cranfield_hold_the_same(tmp_path: Path, make) -> None:  # noqa: ANN001
    folder = make(tmp_path)
    wing, plate, empty = cranfield.iter_documents(folder)
    assert (wing.name, plate.name, empty.name) == ("1", "2", "3")
    assert wing.text.startswith(
        "# lift of a narrow wing .\n\nthe lift was measured in a tunnel .Ice formed on it."
    )
    assert "&" not in wing.text
    assert plate.text == "# heat of a plate\n\nthe plate is cooled\n"
    assert empty.text == "\n"
    assert cranfield.read_queries(folder) == [
        GradedQuery("", "how large is the lift of a wing", {"1": 3, "2": 0}),
        GradedQuery("", "how is a plate cooled", {"2": 4, "3": 0}),
    ]


def test_grades_that_count_up_stay_as_they_are(tmp_path: Path) -> None:
    first, second = cranfield.read_queries(write_classic(tmp_path), codes=False)
    assert first.grades == {"1": 2, "2": -1}
    assert second.grades == {"2": 1, "3": 5}


def test_of_two_codes_of_a_text_the_better_one_counts(tmp_path: Path) -> None:
    folder = write_classic(tmp_path)
    write(folder, cranqrel="1 1 2\n1 1 4\n")
    assert cranfield.read_queries(folder)[0].grades == {"1": 3}


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("cran.all.1400", "wings\n", "cran.all.1400:1: neither `.I` nor a tag at the beginning"),
        ("cran.all.1400", ".I 1\n.W\nx\n.I\n.W\ny\n", "cran.all.1400:4: no id"),
        ("cran.all.1400", ".I 1\n.W\n.I 01\n.W\n", "cran.all.1400:3: a second text with the id"),
        (
            "cran.all.1400",
            "<doc>\n<docno>1</docno>\n<doc>\n",
            "cran.all.1400:1: <doc> is not closed",
        ),
        ("cran.all.1400", "<doc>\n<docno>1</docno>\n", "cran.all.1400:1: the last item is not"),
        ("cran.qry", ".I 1\n.W\nwing\n.I 2\n.W\n", "cran.qry:4: no words"),
        ("cranqrel", "1 1 2\n3 1 2\n", "cranqrel:2: cran.qry has no query '3'"),
        ("cranqrel", "1 1 2\n2 2\n", "cranqrel:2: not `QUERY TEXT GRADE`"),
    ],
)
def test_a_broken_file_of_cranfield_is_refused_with_its_line(
    tmp_path: Path, name: str, text: str, problem: str
) -> None:
    folder = write_classic(tmp_path)
    (folder / name).write_text(text)
    with pytest.raises(BadSetFile) as caught:
        [*cranfield.iter_documents(folder), *cranfield.read_queries(folder)]
    assert str(caught.value).startswith(f"{folder}/{problem}")


def test_the_files_that_are_missing_are_named(tmp_path: Path) -> None:
    with pytest.raises(BadSetFile, match=r"none of the files cran\.qry\.xml, cran\.qry"):
        cranfield.read_queries(tmp_path)


def test_a_set_in_the_layout_of_beir_is_read(tmp_path: Path) -> None:
    folder = write_beir(tmp_path)
    documents = list(beir.iter_documents(folder))
    assert documents[0] == Document("d1", "# Tides\n\nThe moon pulls the water.\n")
    assert documents[1].text == "Water boils at the summit sooner.\n"
    expected = GradedQuery("q1", "Why does water boil sooner?", {"d2": 2, "d1": 1})
    assert beir.read_queries(folder) == [expected]


@pytest.mark.parametrize(
    ("name", "line", "problem"),
    [
        ("corpus.jsonl", '{"_id": "d9"}', "corpus.jsonl:4: `text` is missing"),
        ("corpus.jsonl", '{"_id": "d1", "text": ""}', "corpus.jsonl:4: a second text with the id"),
        ("queries.jsonl", "{'_id': 'q2'}", "queries.jsonl:3: not JSON"),
        ("qrels/test.tsv", "q7\td1\t1", "qrels/test.tsv:4: queries.jsonl has no query 'q7'"),
        ("qrels/test.tsv", "q1\td1", "qrels/test.tsv:4: not `QUERY TEXT GRADE`"),
    ],
)
def test_a_broken_file_of_beir_is_refused_with_its_line(
    tmp_path: Path, name: str, line: str, problem: str
) -> None:
    folder = write_beir(tmp_path)
    with (folder / name).open("a") as file:
        file.write(f"{line}\n")
    with pytest.raises(BadSetFile) as caught:
        [*beir.iter_documents(folder), *beir.read_queries(folder)]
    assert str(caught.value).startswith(f"{folder}/{problem}")


@pytest.mark.parametrize("engine", ["sqlite", "tantivy"])
def test_the_query_itself_is_no_answer_and_grades_count(tmp_path: Path, engine: str) -> None:
    """Of three texts with `water`, the query itself is left out; the others are in best order."""
    folder = write_beir(tmp_path)
    runs = score_graded_set(
        beir.iter_documents(folder), beir.read_queries(folder), Choice((engine,))
    )
    for name in (f"{OURS}, {engine}", PLAIN):
        assert runs[name] == [(1, 1, 1, 1, 1, 1)]


def test_a_program_prints_the_means(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write(write_classic(tmp_path), cranqrel="1 2 1\n1 1 2\n2 2 1\n")
    monkeypatch.setattr(sys, "argv", ["cranfield", str(tmp_path), "--engine", "sqlite"])
    cranfield.main()
    printed = capsys.readouterr().out
    row = next(line for line in printed.splitlines() if line.startswith(OURS))
    graded = 3 / (4 + 3 / log2(3))  # the first query finds only the text of grade 3
    binary = 1 / (1 + 1 / log2(3))
    means = [(graded + 1) / 2, (binary + 1) / 2, 0.75, 0.75, 0.75, 1]
    assert row.removeprefix(f"{OURS}, sqlite").split() == [f"{mean:.3f}" for mean in means]
    assert printed.startswith("2 queries\n")
