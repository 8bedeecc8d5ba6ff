"""A server moves the log of its catalog into the file itself, and no change does it."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

from tree_strategies import open_session, write_file, write_tree

if TYPE_CHECKING:
    from pathlib import Path

    from cortexfs.session.session import Session

PATH = "projects/p/knowledge/K-001.md"


def count_atoms_of_file_alone(session: Session, copy: Path) -> int:
    """Return the number of atoms in the file of the catalog, without its log."""
    shutil.copyfile(session.catalog.path, copy)
    with closing(sqlite3.connect(copy)) as db:
        return int(db.execute("SELECT count(*) FROM atoms").fetchone()[0])


def test_what_was_written_is_in_the_file_after_the_log_was_moved(tmp_path: Path) -> None:
    with write_tree({"CORTEX.md": b"# Tree\n"}) as root, open_session(root) as session:
        session.serve_reads(0.0)
        session.refresh()
        session.reader.move_log_into_catalog()
        write_file(root, PATH, b"---\nid: K-001\nsummary: s\n---\n")
        session.refresh()
        assert count_atoms_of_file_alone(session, tmp_path / "before") == 0
        session.reader.move_log_into_catalog()
        assert count_atoms_of_file_alone(session, tmp_path / "after") == 1
