"""A catalog that several processes have read for is the one that a single process makes."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from tree_strategies import open_session, write_file, write_tree

from cortexfs.catalog.schema import COLUMN_COUNTS

if TYPE_CHECKING:
    from pathlib import Path

    from cortexfs.session.session import Session

pytestmark = pytest.mark.usefixtures("full_text")
WORDS = ("alpha", "`src/auth.py`", "K-002", "[[K-003]]", "größer", "Donaudampfschiff", "量检索")
UNCOMPARED = {"about", "files", "folders"}


def _make_files(count: int) -> dict[str, bytes]:
    chance = random.Random(count)  # noqa: S311 - the same each time
    files = {"CORTEX.md": b"# Tree\n", "projects/p/knowledge/bad.md": b"\xff"}
    for number in range(1, count + 1):
        body = " ".join(chance.choices(WORDS, k=20))
        front = f'id: K-{number:03d}\ndate: 2026-03-01\nproject: p\nsummary: "{body[:40]}"\n'
        text = f"---\n{front}tags: [a]\n---\n\n# {number}\n\n{body}\n"
        files[f"projects/p/knowledge/K-{number:03d}.md"] = text.encode()
    return files


def _read_rows(session: Session) -> dict[str, list[object]]:
    tables = COLUMN_COUNTS.keys() - UNCOMPARED
    db = session.catalog.db
    return {
        table: sorted(db.execute(f"SELECT * FROM {table}"), key=repr)  # noqa: S608 - our own names
        for table in tables
    }


def _build(root: Path) -> tuple[dict[str, list[object]], list[str]]:
    with open_session(root) as session:
        session.refresh()
        session.ingest_texts()
        path = "projects/p/knowledge/K-001.md"
        write_file(root, path, (root / path).read_bytes() + b"walrus\n")
        session.refresh()
        session.ingest_texts()
        with session.read() as view:
            query = view.text_queries().parse_query(
                "walrus", session.clock().date(), with_pages=False
            )
            hits = view.text_queries().search_atoms(query, session.clock().date(), 10)
        return _read_rows(session), [hit.atom.ref for hit in hits]


def test_rows_and_matches_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    files, built = _make_files(350), []
    for least in (1, 10_000):
        monkeypatch.setattr("cortexfs.tree.map_in_processes.MIN_ITEMS", least)
        with write_tree(files) as root:
            built.append(_build(root))
    assert built[0] == built[1]
    assert built[0][1] == ["p/K-001"]
    assert len(built[0][0]["texts"]) == 350
