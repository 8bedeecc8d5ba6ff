"""All search methods answer the questions of a set, each with its own index of the same texts."""

from __future__ import annotations

import argparse
import os
from importlib.util import find_spec
from typing import TYPE_CHECKING

import pytest
from tiny_model import row

from bench import answers
from bench.answers import BM25S, TANTIVY, Choice, answer_questions, choose_engines
from bench.engines import HYBRID, OURS, PLAIN
from bench.other_engines import make_tantivy_search
from bench.sets import Document, iter_texts, open_tree, write_documents
from cortexfs.catalog.embeddings import embedding_model
from cortexfs.catalog.embeddings.embedding_model import EmbeddingModel
from cortexfs.catalog.full_text_backend import LARGE_TREE_VARIABLE, describe_large_backend
from cortexfs.operations.check import check

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from bench.sets import DocumentTree

DOCUMENTS = [
    Document("heron", '# A "grey": heron\n\nIt waits at the weir.\n'),
    Document("bread", "Rye bread is dense.\n\n---\n\nIt keeps for a week.", "monday"),
    Document("bread again", "The bread was eaten \ud83d.", "monday"),
]


@pytest.fixture
def tree(tmp_path: Path) -> DocumentTree:
    return write_documents(DOCUMENTS, tmp_path / "tree")


def test_texts_are_read_back_without_what_was_added(tree: DocumentTree) -> None:
    texts = {tree.names[path]: text.strip() for path, text in iter_texts(tree)}
    assert texts == {
        "heron": '# A "grey": heron\n\nIt waits at the weir.',
        "bread": "Rye bread is dense.\n\n---\n\nIt keeps for a week.",
        "bread again": "The bread was eaten ?.",
    }


def test_memories_and_their_sessions_are_without_findings(tree: DocumentTree) -> None:
    paths = {finding.path for finding in check(open_tree(tree.root), None).findings}
    assert {path for path in paths if "OBS-" in path or "SES-" in path} == set()


def test_texts_are_written_one_after_another(tmp_path: Path) -> None:
    written: list[int] = []

    def iter_documents() -> Iterator[Document]:
        for number in range(20):
            folder = tmp_path / "projects" / "set" / "knowledge"
            written.append(len(list(folder.iterdir())))
            yield Document(f"n{number}", "text")

    write_documents(iter_documents(), tmp_path)
    assert written == [*range(20)]


def test_each_method_finds_the_right_text_first(tree: DocumentTree) -> None:
    found = dict(answer_questions(tree, ["Where do herons wait?", "dense bread", "?!"], Choice()))
    methods = [f"{OURS}, sqlite", f"{OURS}, tantivy", PLAIN, TANTIVY]
    assert [*found] == methods + [BM25S] * bool(find_spec("bm25s"))
    for rankings in found.values():
        assert [names[:1] for names in rankings] == [["heron"], ["bread"], []]
        assert set(rankings[1]) == {"bread", "bread again"}


def test_a_name_is_found_once(tmp_path: Path) -> None:
    texts = [Document("same", "a heron"), Document("same", "two herons"), Document("x", "heron")]
    tree = write_documents(texts, tmp_path / "tree")
    for _, (found,) in answer_questions(tree, ["heron"], Choice(("sqlite",))):
        assert sorted(found) == ["same", "x"]


def test_the_engine_is_the_chosen_one_and_the_environment_stays(
    tree: DocumentTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(LARGE_TREE_VARIABLE, "7")
    for engine in ("tantivy", "sqlite", "tantivy"):
        with answers.open_with_engine(tree.root, engine) as session:
            session.ingest_texts()
            assert describe_large_backend(session.catalog) == engine.replace("sqlite", "")
        assert os.environ[LARGE_TREE_VARIABLE] == "7"


def test_plain_words_are_no_syntax_for_tantivy() -> None:
    search = make_tantivy_search([("a", "grey herons"), ("b", "bread")])
    assert set(search("heron AND (bread", 5)) == {"a", "b"}
    assert search('text:^* "', 5) == []


def test_by_vectors_other_words_are_found_and_each_text_is_embedded_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    embedded: list[str] = []

    def embed(texts: Sequence[str]) -> Iterator[list[float]]:
        embedded.extend(texts)
        yield from map(row, texts)

    model = EmbeddingModel("tiny", lambda _: embed)
    monkeypatch.setattr(embedding_model, "find_installed_model", lambda: model)
    texts = [Document("car", "The car waits."), Document("heron", "The heron waits.")]
    tree = write_documents(texts, tmp_path / "tree")
    found = dict(answer_questions(tree, ["automobile"], Choice(hybrid=True)))
    for engine in ("sqlite", "tantivy"):
        assert found[f"{OURS}, {engine}"] == [[]]
        assert found[f"{HYBRID}, {engine}"][0][0] == "car"
    assert len(embedded) == 2 + 2  # the texts, and the question for each engine


def parse(*words: str) -> Choice:
    parser = argparse.ArgumentParser()
    answers.add_engine_options(parser)
    return choose_engines(parser, parser.parse_args(words))


def test_the_engines_are_chosen_by_option(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert parse() == parse("--engine", "both") == Choice(("sqlite", "tantivy"))
    assert parse("--engine", "tantivy") == Choice(("tantivy",))
    monkeypatch.setattr(answers, "find_installed_model", lambda: None)
    with pytest.raises(SystemExit):
        parse("--hybrid")
    assert ".[vectors]" in capsys.readouterr().err
    monkeypatch.setattr(answers, "is_tantivy_installed", lambda: False)
    assert parse() == Choice(("sqlite",))
    with pytest.raises(SystemExit):
        parse("--engine", "both")
    assert ".[large]" in capsys.readouterr().err
