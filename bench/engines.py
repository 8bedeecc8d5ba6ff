"""The search methods that are compared: `find`, and plain SQLite FTS5."""

from __future__ import annotations

import re
import sqlite3
from typing import TYPE_CHECKING

from bench.scores import DEEP, score
from cortexfs.catalog.text_queries import TextQueries
from cortexfs.core.find.parse_query import parse_query, strip_operators
from cortexfs.core.find.stop_words import load_stop_words
from cortexfs.core.find.tokenize import tokenize

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from bench.scores import Score
    from bench.sets import Asked, Planted
    from cortexfs.session.session import Session

    Search = Callable[[str, int], list[str]]

OURS, PLAIN, HYBRID = "cortexfs find", "FTS5 porter unicode61, OR", "cortexfs find, vectors"
FIND = "SELECT path FROM plain WHERE plain MATCH ? ORDER BY rank LIMIT ?"


def run(planted: Planted, asked: Sequence[Asked]) -> dict[str, list[Score]]:
    """Ask every question of every way of searching."""
    ways = {OURS: ours(planted.session), PLAIN: plain(planted.texts)}
    if by_meaning := hybrid(planted.session):
        ways[HYBRID] = by_meaning
    return {name: scores(search, planted.names, asked) for name, search in ways.items()}


def scores(search: Search, names: Mapping[str, str], asked: Iterable[Asked]) -> list[Score]:
    """Ask every question, and compare what is found with what is right."""
    return [
        score([names[path] for path in search(one.query, DEEP)], frozenset(one.gold))
        for one in asked
    ]


def ours(session: Session) -> Search:
    """Search as `cortexfs find` does, the refresh and the snippets left out."""
    session.ingest_texts()
    within, today = TextQueries(session.catalog, session.tree), session.clock().date()

    def search(query: str, most: int) -> list[str]:
        found = within.search_atoms(parse_query(query, today), today, most)
        return [one.atom.path for one in found]

    return search


def hybrid(session: Session) -> Search | None:
    """Search by words and meaning, all texts embedded before; None where no model is installed."""
    session.ingest_texts()
    within, today = TextQueries(session.catalog, session.tree), session.clock().date()
    with session.view_without_refresh() as view:
        model = view.find_model()
    if model is None or (meaning := within.open_embeddings(model)) is None:
        return None
    meaning.embed_missing()

    def search(query: str, most: int) -> list[str]:
        cosines, _ = meaning.compute_similarities(strip_operators(query, today))
        found = within.search_atoms(parse_query(query, today), today, most, cosines)
        return [one.atom.path for one in found]

    return search


def plain(texts: Mapping[str, str]) -> Search:
    """Search with SQLite's full text as it comes: its own tokens and stems, one column."""
    db = sqlite3.connect(":memory:")
    fill(db, texts.items())

    def search(query: str, most: int) -> list[str]:
        asked = plain_match(query)
        return [path for (path,) in db.execute(FIND, (asked, most))] if asked else []

    return search


def fill(db: sqlite3.Connection, rows: Iterable[tuple[str, str]]) -> None:
    """Make the full text of the engine alone, in one transaction."""
    columns = "path UNINDEXED, text, tokenize = 'porter unicode61'"
    db.execute(f"CREATE VIRTUAL TABLE plain USING fts5 ({columns})")
    with db:
        db.executemany("INSERT INTO plain VALUES (?, ?)", rows)


def plain_match(query: str) -> str:
    """Join the words of a question by OR, less those that our own search leaves out."""
    words = re.findall(r"[^\W_]+", query.lower())
    telling = [word for word in words if tokenize(word).words not in load_stop_words()]
    return " OR ".join(f'"{word}"' for word in telling or words)
