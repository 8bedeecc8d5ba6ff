"""The catalog can be lost, damaged or strange: the tree is the truth, and answers the same."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from threading import Barrier
from typing import TYPE_CHECKING

import pytest
from forged_journal import write_hot_journal
from soak_cases import leave_to_soak
from tree_strategies import (
    NOW,
    Files,
    atom_queries,
    expected_indexes,
    open_session,
    regen,
    shown_indexes,
    snapshot,
    write_file,
    write_tree,
)

from cortexfs.catalog.catalog import Catalog
from cortexfs.catalog.catalog_files import enable_wal
from cortexfs.core.atoms.kinds import Kinds
from cortexfs.core.find.atom_criteria import AtomCriteria
from cortexfs.errors import CatalogDamaged
from cortexfs.operations.find import find
from cortexfs.operations.list_atoms import list_atoms

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cortexfs.core.access.access_log import ReadStats
    from cortexfs.core.atoms.atom import Atom
    from cortexfs.operations.find import SearchHit
    from cortexfs.session.session import Session

LOG = "projects/flywheel/_meta/access-log.jsonl"


def _atom(ident: str, **more: str) -> bytes:
    fields = {"id": ident, "date": "2026-03-01", "project": "flywheel", "summary": f"about {ident}"}
    lines = (f"{key}: {value}\n" for key, value in {**fields, "tags": "[a]", **more}.items())
    return f"---\n{''.join(lines)}---\n\nbody\n".encode()


def _log_line(file: str, at: int) -> bytes:
    return b'{"file":"%s","tool":"Read","ts":"2026-04-02T03:12:%02d.000Z"}\n' % (file.encode(), at)


FILES: Files = {
    "CORTEX.md": b"# Tree\n",
    **{
        f"projects/flywheel/experiments/EXP-{n:03d}.md": _atom(f"EXP-{n:03d}") for n in range(1, 40)
    },
    **{
        f"projects/flywheel/knowledge/K-{n:03d}.md": _atom(f"K-{n:03d}", refs="2")
        for n in range(1, 9)
    },
    LOG: b"".join(_log_line(f"EXP-{n:03d}.md", at) for n in range(1, 12) for at in range(n)),
}


def _catalog(root: Path) -> Path:
    (found,) = (root / ".cortexfs").glob("catalog-v*.sqlite")
    return found


def _without_wal(path: Path) -> Path:
    """Fold what stands beside the file into it, as the last process to close it does."""
    for end in ("-wal", "-shm"):
        Path(f"{path}{end}").unlink(missing_ok=True)
    return path


def _replace_by_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()
    (path / "something").write_text("in it")


def _overwrite(path: Path, at: int, content: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(at)
        file.write(content)


def _run_sql(statements: str) -> Callable[[Path], None]:
    def damage(path: Path) -> None:
        db = sqlite3.connect(path)
        db.executescript(statements)
        db.close()

    return damage


DAMAGE: dict[str, Callable[[Path], object]] = {
    "gone": Path.unlink,
    "no bytes": lambda path: path.write_bytes(b""),
    "a text": lambda path: path.write_text("# not a catalog\n" * 400),
    "noise": lambda path: path.write_bytes(os.urandom(9000)),
    "cut short": lambda path: os.truncate(path, path.stat().st_size // 2),
    "cut within a page": lambda path: os.truncate(path, 4096 + 100),
    "the header alone": lambda path: os.truncate(path, 100),
    "a folder": _replace_by_folder,
    "a dangling link": lambda path: (path.unlink(), path.symlink_to("nowhere/at/all")),
    "other columns": _run_sql(
        "DROP TABLE IF EXISTS files; CREATE TABLE files (path TEXT, colour TEXT);"
    ),
    "a table missing": _run_sql("DROP TABLE IF EXISTS looks;"),
    "zeros at the end": lambda path: _overwrite(path, path.stat().st_size - 4096, bytes(4096)),
    "a log of noise": lambda path: Path(f"{path}-wal").write_bytes(os.urandom(5000)),
    "a pipe": lambda path: (path.unlink(), os.mkfifo(path)),
    "no words": _run_sql("DROP TABLE IF EXISTS words;"),
    "words without an index": _run_sql("DELETE FROM words_data WHERE id > 1000;"),
    "another program's": _run_sql("DROP TABLE IF EXISTS about; CREATE TABLE about (x);"),
}


@pytest.fixture
def root() -> Iterator[Path]:
    with write_tree(FILES) as root:
        regen(root)
        yield root


@pytest.mark.parametrize("damage", leave_to_soak(DAMAGE, every=4))
def test_a_damaged_catalog_changes_no_index_and_later_reads_count(root: Path, damage: str) -> None:
    before = snapshot(root)
    for _ in range(2):
        _read_answers(root)
        DAMAGE[damage](_without_wal(_catalog(root)))
        regen(root)
        assert snapshot(root) == before
    _read_answers(root)
    DAMAGE[damage](_without_wal(_catalog(root)))
    write_file(root, LOG, FILES[LOG] + _log_line("EXP-030.md", 59))
    expected = expected_indexes(root)
    regen(root)
    assert shown_indexes(root) == expected


@pytest.mark.parametrize("damage", leave_to_soak(DAMAGE, every=4))
def test_a_damaged_catalog_changes_no_answer(root: Path, damage: str) -> None:
    answers = _read_answers(root)
    for _ in range(2):
        DAMAGE[damage](_without_wal(_catalog(root)))
        assert _read_answers(root) == answers
        assert not [
            path for path in (root / ".cortexfs").glob("catalog-*.sqlite") if path.is_fifo()
        ]


def test_a_new_catalog_removes_those_of_earlier_formats(root: Path) -> None:
    own = root / ".cortexfs"
    shutil.rmtree(own)
    own.mkdir()
    names = ["catalog-v1.sqlite", "catalog-v1.sqlite-wal", "catalog-v2.sqlite.damaged.seal"]
    kept = ["catalog-v999.sqlite", "catalog.md"]
    for name in names + kept:
        (own / name).write_text("old")
    names.append("words-large-v2")
    (own / "words-large-v2" / "1").mkdir(parents=True)
    Catalog.open(str(own), Kinds()).close()
    assert {path.name for path in own.iterdir()} >= set(kept)
    assert not {path.name for path in own.iterdir()} & set(names)


def test_edits_within_one_clock_tick_are_all_seen() -> None:
    """Size and times are then the same: how often, the machine decides; often enough here."""
    path = "projects/flywheel/experiments/EXP-001.md"
    with (
        write_tree({"CORTEX.md": b"", path: _atom("EXP-001")}) as root,
        open_session(root) as session,
    ):
        stat_before = (root / path).stat()
        for number in range(300):
            (root / path).write_bytes(_atom("EXP-001", executor=f"{number:03d}"))
            os.utime(root / path, ns=(stat_before.st_atime_ns, stat_before.st_mtime_ns))
            session.refresh()
            assert atom_queries(session).list_atoms()[0].text_field("executor") == f"{number:03d}"


def test_a_deleted_folder_of_the_catalog_is_made_again(root: Path) -> None:
    before = snapshot(root)
    shutil.rmtree(root / ".cortexfs")
    regen(root)
    assert snapshot(root) == before
    assert _catalog(root).is_file()


def test_an_intact_copy_of_a_catalog_is_kept(root: Path) -> None:
    catalog = _without_wal(_catalog(root))
    catalog.write_bytes(catalog.read_bytes())
    with open_session(root):
        pass
    assert not list((root / ".cortexfs").glob("*.damaged*"))


def test_a_copy_made_of_hard_links_gets_a_catalog_of_its_own(root: Path) -> None:
    copy = root.with_name(f"{root.name}-copy")
    with open_session(root) as session:  # it keeps its log: the last connection would remove it
        session.refresh()
        shutil.copytree(root, copy, copy_function=os.link)
        write_file(copy, "projects/flywheel/experiments/EXP-090.md", _atom("EXP-090"))
        with open_session(copy) as other:
            other.refresh()
            assert "EXP-090" in {atom.file_name.split(".")[0] for atom in _list_all(other)}
        session.refresh()
        assert "EXP-090" not in {atom.file_name.split(".")[0] for atom in _list_all(session)}
    assert _catalog(root).stat().st_nlink == _catalog(copy).stat().st_nlink == 1
    shutil.rmtree(copy)


def _list_all(session: Session) -> list[Atom]:
    return list(atom_queries(session).list_atoms())


def _read_answers(root: Path) -> tuple[dict[str, ReadStats], list[Atom], list[SearchHit]]:
    """Ask; what is found damaged as it is read is made anew for the next question."""
    with suppress(CatalogDamaged):
        return _ask(root)
    return _ask(root)


def _ask(root: Path) -> tuple[dict[str, ReadStats], list[Atom], list[SearchHit]]:
    with open_session(root, NOW) as session:
        totals = {entry.atom.ref: entry.reads for entry in list_atoms(session, AtomCriteria())}
        hits = [hit for query in ("body", "EXP-007") for hit in find(session, query).hits]
        return totals, atom_queries(session).list_atoms(), hits


ENDLESS = """
    WITH RECURSIVE endless (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM endless)
    SELECT x AS key, x AS value, x AS path, x AS folder FROM endless
"""


FOREIGN_SCHEMAS = (
    f"DROP TABLE about; CREATE VIEW about AS {ENDLESS};",
    f"DROP TABLE files; CREATE VIEW files AS {ENDLESS};",
    "CREATE TRIGGER sly AFTER INSERT ON stale BEGIN DELETE FROM atoms; END;",
    "CREATE TABLE more (x);",
    "CREATE INDEX more ON atoms (kind);",
    "CREATE VIRTUAL TABLE more USING fts5 (x);",
    "DROP TABLE IF EXISTS words; CREATE VIRTUAL TABLE words USING fts5 (x);",
    f"DROP TABLE words; CREATE VIEW words AS {ENDLESS};",
    "DROP INDEX atoms_by_ref;",
    "ALTER TABLE atoms RENAME COLUMN kind TO sort;",
)
REGENERATE = """
import sys
from pathlib import Path
from tree_strategies import regen
for root in sys.argv[1:]:
    regen(Path(root))
"""


def test_a_catalog_with_a_foreign_schema_is_replaced_before_a_row_is_read(
    root: Path, tmp_path: Path
) -> None:
    expected = _read_answers(root)
    roots = [tmp_path / str(number) for number in range(len(FOREIGN_SCHEMAS))]
    for copy, schema in zip(roots, FOREIGN_SCHEMAS, strict=True):
        shutil.copytree(root, copy)
        _run_sql(schema)(_without_wal(_catalog(copy)))
    tests = str(Path(__file__).parents[1])
    argv = [sys.executable, "-c", REGENERATE, *map(str, roots)]
    subprocess.run(argv, check=True, timeout=60, env={**os.environ, "PYTHONPATH": tests})
    for copy, schema in zip(roots, FOREIGN_SCHEMAS, strict=True):
        assert list((copy / ".cortexfs").glob("catalog-*.damaged")), schema
        assert _read_answers(copy) == expected, schema


def test_an_existing_catalog_is_reused(root: Path) -> None:
    _read_answers(root)
    _read_answers(root)
    assert not list((root / ".cortexfs").glob("*.damaged*"))


READ = """
import sys
from datetime import datetime, UTC
root = sys.argv[1]
if sys.argv[2] == "complete":
    from cortexfs.catalog.catalog_files import query_read_only
    query_read_only(root + "/.cortexfs", "SELECT count(*) FROM atoms", ())
else:
    from cortexfs.operations.find import find
    from cortexfs.core.find.atom_criteria import AtomCriteria
    from cortexfs.operations.list_atoms import list_atoms
    from cortexfs.session.session import Session
    session = Session.open(root, lambda: datetime(2026, 5, 6, tzinfo=UTC))
    assert len({entry.atom.ref for entry in list_atoms(session, AtomCriteria())}) == 47
    assert find(session, "body").hits and find(session, "EXP-007").hits
    session.close()
"""


def _read_in_process(root: Path, how: str) -> None:
    """Read in another process, which may hang."""
    subprocess.run([sys.executable, "-c", READ, str(root), how], check=True, timeout=20)


@pytest.mark.parametrize("how", ["list", "complete"])
def test_a_forged_journal_of_the_catalog_deletes_no_file(
    root: Path, tmp_path: Path, how: str
) -> None:
    victim = tmp_path / "precious"
    victim.write_text("precious")
    write_hot_journal(_without_wal(_catalog(root)), victim)
    _read_in_process(root, how)
    assert victim.read_text() == "precious"
    assert how == "complete" or not list((root / ".cortexfs").glob("*-journal"))


@pytest.mark.parametrize("how", ["list", "complete"])
@pytest.mark.parametrize("suffix", ["", "-journal", "-wal", "-shm"])
@pytest.mark.parametrize("kind", leave_to_soak(["pipe", "folder", "link"], every=3))
def test_whatever_replaces_a_file_of_the_catalog_no_reader_waits_for_it(
    root: Path, tmp_path: Path, suffix: str, kind: str, how: str
) -> None:
    path = Path(f"{_without_wal(_catalog(root))}{suffix}")
    path.unlink(missing_ok=True)
    make = {"pipe": os.mkfifo, "folder": Path.mkdir, "link": lambda at: at.symlink_to(target)}
    os.mkfifo(target := tmp_path / "target")
    make[kind](path)
    _read_in_process(root, how)
    assert stat.S_ISFIFO(target.stat().st_mode)
    assert how == "complete" or suffix != "-journal" or not os.path.lexists(path)


def test_a_new_database_gets_wal_mode_without_a_rollback_journal(tmp_path: Path) -> None:
    """Another process that opens it would remove the journal."""
    path = tmp_path / "catalog"
    path.touch()
    (tmp_path / "catalog-journal").mkdir()  # SQLite fails if it needs this file
    db = sqlite3.connect(path, isolation_level=None)
    enable_wal(db, str(path))
    assert db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    db.close()


@pytest.mark.parametrize("suffix", ["", "-wal", "-shm"])
def test_an_existing_catalog_becomes_private(root: Path, suffix: str) -> None:
    with open_session(root) as session:
        session.refresh()
        path = Path(f"{_catalog(root)}{suffix}")
        path.chmod(0o666)
        with open_session(root) as other:
            other.refresh()
            assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_threads_that_open_a_new_catalog_at_once_wipe_nothing_of_each_other(tmp_path: Path) -> None:
    for turn in range(20):
        folder = tmp_path / str(turn)
        folder.mkdir()
        barrier = Barrier(8)

        def fill(number: int, folder: Path = folder, barrier: Barrier = barrier) -> Catalog:
            barrier.wait()
            catalog = Catalog.open(str(folder), Kinds())
            catalog.set_value(f"thread {number}", "was here")
            return catalog

        with ThreadPoolExecutor(8) as threads:
            opened = list(threads.map(fill, range(8)))
        assert all(opened[0].get_value(f"thread {number}") for number in range(8))
        for catalog in opened:
            catalog.close()
