"""The full text for large trees: it finds what SQLite finds, also after damage."""

from __future__ import annotations

import gc
import json
import os
import shutil
import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from soak_cases import leave_to_soak
from tree_strategies import NOW, open_session, write_file, write_tree

from cortexfs.catalog import full_text_backend, tantivy_files
from cortexfs.catalog.layered_index import MAX_CHANGE_LENGTH
from cortexfs.catalog.tantivy_state import ENGINE_VERSION
from cortexfs.core.find.parse_query import parse_query
from cortexfs.core.find.tokenize import tokenize
from cortexfs.operations.find import find

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tree_strategies import Files

    from cortexfs.catalog.full_text_index import FullTextIndex

TERMS = (
    *("alpha", "beta", "Gamma", "alphas", "HandleSave", "src/auth/store.go", "refresh-token"),
    *("C++", "EXP-002", "the", "量检索", "量", "検索", "สวัสดี", "Ж", "é", "⑴", "½", "ﷺ", "\u037a"),
    *("##", "- x", "`b`"),
)
QUERY_PARTS = (
    *TERMS,
    *('"alpha beta"', '"beta gamma alpha"', '"handle save"', '"量检"', '"⑴ alpha"', '"ﷺ"'),
    *(
        "alp*",
        "bet*",
        "hand*",
        "-alpha",
        '-"beta gamma"',
        "-量",
        "-ﷺ",
        "kind:knowledge",
        "kind:experiment",
        "since:2026-04",
    ),
    *(
        "project:flywheel",
        "status:valid",
        "status:challenged",
        "tag:one",
        "tag:two",
        "since:2026-05",
        *("-kind:knowledge", "-tag:two", "-status:valid", "-project:sundial", "-since:2026-04"),
    ),
)
PATHS = [
    f"projects/{project}/{folder}-00{number}.md"
    for project in ("flywheel", "sundial")
    for folder in ("experiments/EXP", "knowledge/K")
    for number in range(1, 4)
]
bodies = st.lists(st.sampled_from(TERMS), max_size=6).map(" ".join)
queries_text = st.lists(st.sampled_from(QUERY_PARTS), min_size=1, max_size=4).map(" ".join)


@st.composite
def atoms(draw: st.DrawFn) -> bytes:
    tags = draw(st.sampled_from(["one", "one, two", "Two words", ""]))
    status = draw(st.sampled_from(["valid", "challenged", "superseded: EXP-002"]))
    fields = f"id: EXP-001\ndate: 2026-0{draw(st.integers(3, 5))}-02\nstatus: {status}\n"
    return f"---\n{fields}tags: [{tags}]\nsummary: '{draw(bodies)}'\n---\n{draw(bodies)}\n".encode()


trees = st.dictionaries(st.sampled_from(PATHS), atoms(), min_size=1).map(
    lambda files: {"CORTEX.md": b"# Tree\n", **files}
)
GONE = "projects/new/knowledge/K-002.md"
FILES: Files = {
    "CORTEX.md": b"# Tree\n",
    **{path: f"---\nid: x\n---\nalpha {path}\n".encode() for path in PATHS},
}


@contextmanager
def large_from(atoms: int) -> Iterator[None]:
    """Say from how many atoms on a tree is large."""
    os.environ[full_text_backend.LARGE_TREE_VARIABLE] = str(atoms)
    try:
        yield
    finally:
        del os.environ[full_text_backend.LARGE_TREE_VARIABLE]


@pytest.fixture
def always() -> Iterator[None]:
    with large_from(0):
        yield


@contextmanager
def _ingested(root: Path, engine: str) -> Iterator[FullTextIndex]:
    """Give a tree's full text, taken in anew by one of the two."""
    shutil.rmtree(root / ".cortexfs", ignore_errors=True)
    with large_from(0 if engine == "tantivy" else 1000), open_session(root) as session:
        session.refresh()
        session.ingest_texts()
        words = full_text_backend.open_full_text(session.catalog)
        assert words.name == engine
        yield words


def _search(root: Path, query: str = "alpha") -> list[str]:
    with open_session(root) as session:
        return [hit.match.atom.path for hit in find(session, query, limit=100).hits]


def _index_folder(root: Path) -> Path:
    """Give the folder of the engine's files."""
    (found,) = (p for p in (root / ".cortexfs/words-large-v3").glob("1*") if p.is_dir())
    return found


@settings(max_examples=settings().max_examples // 2)
@given(trees, st.lists(queries_text, min_size=1, max_size=20))
def test_sqlite_and_tantivy_find_and_count_the_same(files: Files, queries: list[str]) -> None:
    read = [query for each in queries if (query := parse_query(each, NOW.date())).all_terms]
    terms = {term for said in TERMS for term in tokenize(said).words.split()}
    answers = []
    with write_tree(files) as root:
        for engine in ("SQLite", "tantivy"):
            with _ingested(root, engine) as words:
                found = [{doc for doc, _ in words.search(query, 100)} for query in read]
                answers.append((found, words.count_terms(terms)))
    assert answers[0] == answers[1]


@pytest.mark.usefixtures("always")
def test_a_word_in_the_title_scores_higher_than_one_in_the_body() -> None:
    atom = "---\nid: K-00{}\nsummary: {}\n---\n{}\n"
    files = {
        "CORTEX.md": b"",
        PATHS[3]: atom.format(1, "walrus", "sea").encode(),
        PATHS[4]: atom.format(2, "sea", "walrus").encode(),
        PATHS[5]: atom.format(3, "sea", "otter").encode(),
    }
    with write_tree(files) as root:
        assert _search(root, "walrus") == [PATHS[3], PATHS[4]]


def test_the_size_of_the_tree_decides_between_sqlite_and_tantivy() -> None:
    few = {path: FILES[path] for path in ["CORTEX.md", *PATHS[:5]]}
    with large_from(6), write_tree(few) as root, open_session(root) as session:
        for count, name in ((5, "SQLite"), (6, "tantivy"), (4, "tantivy"), (2, "SQLite")):
            for number, path in enumerate(PATHS):
                if number < count:
                    write_file(root, path, FILES[path])
                else:
                    (root / path).unlink(missing_ok=True)
            assert sorted(_search(root)) == sorted(PATHS[:count])
            assert len(find(session, "alpha").hits) == count
            assert session.catalog.full_text
            assert session.catalog.full_text.name == name
            (texts,) = session.catalog.db.execute("SELECT count(*) FROM words").fetchone()
            assert texts == (count if name == "SQLite" else 0)
            assert (root / ".cortexfs/words-large-v3").exists() == (name == "tantivy")


@pytest.mark.usefixtures("always")
def test_sqlite_is_used_when_tantivy_is_no_longer_installed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with write_tree(FILES) as root:
        found = _search(root)
        monkeypatch.setitem(sys.modules, "tantivy", None)
        assert sorted(_search(root)) == sorted(found)
        assert not (root / ".cortexfs/words-large-v3").exists()


@pytest.mark.usefixtures("always")
def test_the_files_of_the_index_are_private() -> None:
    with write_tree(FILES) as root:
        _search(root)
        write_file(root, PATHS[0], b"---\nid: x\n---\nbeta\n")
        _search(root)
        every = [p for p in (root / ".cortexfs/words-large-v3").rglob("*") if p.name[0] != "."]
        assert len(every) > 5
        assert {p.stat().st_mode & 0o777 for p in every} == {0o600, 0o700}


DAMAGE: dict[str, Callable[[Path], object]] = {
    "gone": shutil.rmtree,
    "empty": lambda path: [each.unlink() for each in path.iterdir()],
    "a file": lambda path: (shutil.rmtree(path), path.write_text("no folder")),
    "a link": lambda path: (path.rename(f"{path}.x"), path.symlink_to(f"{path}.x")),
    "no list": lambda path: (path / "meta.json").unlink(),
    "a list of nothing": lambda path: (path / "meta.json").write_text("[]"),
    "a list cut short": lambda path: os.truncate(path / "meta.json", 100),
    "terms gone": lambda path: next(path.glob("*.term")).unlink(),
    "terms cut short": lambda path: os.truncate(next(path.glob("*.term")), 30),
    "a list nested too deep": lambda path: (path / "meta.json").write_text("[" * 100_000),
    "a list of no count": lambda path: (path / "meta.json").write_text('{"opstamp": Infinity}'),
    "an endless footer": lambda path: next(path.glob("*.idx")).write_bytes(b"\xff" * 100),
    "no bytes of words": lambda path: next(path.glob("*.idx")).write_bytes(b""),
    "no list of files": lambda path: (path / ".managed.json").write_text("{"),
}


@pytest.mark.usefixtures("always")
@pytest.mark.parametrize("damage", leave_to_soak(DAMAGE, every=4))
def test_a_damaged_index_changes_no_answer(damage: str) -> None:
    with write_tree(FILES) as root:
        _search(root)
        write_file(root, PATHS[1], b"---\nid: x\n---\nalpha again\n")
        found = sorted(_search(root))
        gc.collect()  # this process has none of the files in memory any more: they are cut short
        DAMAGE[damage](_index_folder(root))
        assert sorted(_search(root)) == found
        write_file(root, PATHS[0], b"---\nid: x\n---\nbeta\n")
        assert sorted(_search(root)) == sorted({*found} - {PATHS[0]})


@pytest.mark.usefixtures("always")
def test_a_flipped_bit_changes_no_answer() -> None:
    with write_tree(FILES) as root:
        found = sorted(_search(root))
        for name in sorted(path.name.split(".")[1] for path in _index_folder(root).glob("[!.]*")):
            (path,) = _index_folder(root).glob(f"[!.]*.{name}")
            content = bytearray(path.read_bytes())
            for at in {len(content) // 3, len(content) - 12}:
                content[at] ^= 4
            path.write_bytes(content)
            assert sorted(_search(root)) == found, name


@pytest.mark.usefixtures("always")
def test_an_intact_copy_of_an_index_is_kept() -> None:
    with write_tree(FILES) as root:
        _search(root)
        before = _index_folder(root)
        for path in before.glob("[!.]*"):
            path.write_bytes(path.read_bytes())
        assert len(_search(root)) == len(PATHS)
        assert _index_folder(root) == before


@pytest.mark.usefixtures("always")
@pytest.mark.parametrize("older", ["catalog", "index"])
@pytest.mark.parametrize("change", ["small", "large"])
def test_an_older_catalog_or_index_changes_no_answer(older: str, change: str) -> None:
    """A power cut may cost the catalog its last minutes; a person may put back either."""
    length = 1 if change == "small" else MAX_CHANGE_LENGTH
    with write_tree(FILES) as root:
        _search(root)
        copy, own = root / "kept", root / ".cortexfs"
        shutil.copytree(own, copy)
        (root / PATHS[0]).unlink()
        write_file(root, PATHS[1], b"---\nid: x\n---\n" + b"beta\n" * length)
        write_file(root, "projects/new/knowledge/K-001.md", FILES[PATHS[2]])
        write_file(root, GONE, FILES[PATHS[2]])
        expected = sorted(_search(root))
        assert len(expected) == len(PATHS)
        (root / GONE).unlink()
        for path in own.glob("catalog-*" if older == "catalog" else "words-large-*"):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        for path in copy.glob("catalog-*" if older == "catalog" else "words-large-*"):
            path.rename(own / path.name)
        index_before = _index_folder(root)
        assert sorted(_search(root)) == sorted({*expected} - {GONE})
        is_kept = (older, change) != ("index", "large")
        assert (_index_folder(root) == index_before) == is_kept
        with open_session(root) as session:
            find(session, "alpha")
            docs = full_text_backend.open_full_text(session.catalog).search(
                parse_query("alpha", NOW.date()), 99
            )
        assert len(docs) == len(expected) - 1


@pytest.mark.usefixtures("always")
@pytest.mark.parametrize("in_its_place", ["a file", "a link"])
def test_a_file_or_link_in_place_of_the_index_is_replaced(in_its_place: str) -> None:
    with write_tree(FILES) as root, write_tree({"kept": b"whole"}) as elsewhere:
        (root / ".cortexfs").mkdir()
        if in_its_place == "a file":
            write_file(root, ".cortexfs/words-large-v3", b"no folder")
        else:
            (root / ".cortexfs/words-large-v3").symlink_to(elsewhere)
        assert len(_search(root)) == len(PATHS)
        assert {path.name for path in elsewhere.iterdir()} == {"projects", "kept"}


@pytest.mark.usefixtures("always")
@pytest.mark.parametrize(
    "state",
    leave_to_soak(
        [
            '["{version}", "{elsewhere}", [1, 2]]',
            '["{version}", "../../projects", [1, 2]]',
            '["{version}", "1", ["a", "b"]]',
            '["{version}", "1", [Infinity, 1]]',
            '["{version}", 1, []]',
            "[[[",
            "{}",
        ],
        every=3,
    ),
)
def test_a_state_in_the_catalog_that_names_another_folder_is_not_followed(state: str) -> None:
    with write_tree(FILES) as root, write_tree({"kept": b"whole"}) as elsewhere:
        found = sorted(_search(root))
        text = state.replace("{version}", ENGINE_VERSION).replace("{elsewhere}", str(elsewhere))
        with open_session(root) as session:
            session.reader.store_value("large", text)
        assert sorted(_search(root)) == found
        assert (elsewhere / "kept").read_bytes() == b"whole"
        assert (root / "projects").is_dir()


@pytest.mark.usefixtures("always")
def test_two_sessions_that_ingest_in_turn_leave_one_complete_index() -> None:
    with write_tree(FILES) as root, open_session(root) as one, open_session(root) as other:
        for number, path in enumerate(PATHS):
            write_file(root, path, f"---\nid: x\n---\nbeta n{number}\n".encode())
            session_of_turn = (one, other)[number % 2]
            assert [hit.match.atom.path for hit in find(session_of_turn, f"n{number}").hits] == [
                path
            ]
        for session in (one, other):
            assert len(find(session, "beta", limit=50).hits) == len(PATHS)
            assert find(session, "alpha").hits == []


KILL_AT_COMMIT = """
import os, sys
from datetime import datetime, UTC
from cortexfs.session.session import Session
session = Session.open(sys.argv[1], lambda: datetime(2026, 5, 6, tzinfo=UTC))
session.refresh()
ends = []
def see(sql):
    ends.append(sql == "COMMIT")
    if sum(ends) == int(sys.argv[2]):
        os._exit(9)
session.catalog.db.set_trace_callback(see)
session.ingest_texts()
"""


@pytest.mark.usefixtures("always")
@pytest.mark.parametrize("commit", [1, 2])
def test_a_kill_between_the_two_commits_loses_nothing(commit: int) -> None:
    with write_tree(FILES) as root:
        argv = [sys.executable, "-c", KILL_AT_COMMIT, str(root), str(commit)]
        assert subprocess.run(argv, check=False).returncode == 9
        index_before = _index_folder(root)
        (root / PATHS[0]).unlink()
        assert sorted(_search(root)) == sorted(PATHS[1:])
        assert (_index_folder(root) == index_before) == (commit == 2)


@pytest.mark.usefixtures("always")
def test_a_kill_after_recent_changes_went_to_tantivy_loses_nothing() -> None:
    with write_tree(FILES) as root:
        _search(root)
        (root / PATHS[0]).unlink()
        write_file(root, PATHS[1], b"---\nid: x\n---\nbeta\n")
        expected = sorted({*_search(root)})
        write_file(root, PATHS[2], b"---\nid: x\n---\n" + b"beta\n" * MAX_CHANGE_LENGTH)
        write_file(root, GONE, FILES[PATHS[2]])
        argv = [sys.executable, "-c", KILL_AT_COMMIT, str(root), "1"]
        index_before = _index_folder(root)
        meta = (index_before / "meta.json").read_bytes()
        assert subprocess.run(argv, check=False).returncode == 9
        assert (index_before / "meta.json").read_bytes() != meta
        write_file(root, GONE, b"---\nid: x\n---\nbeta\n")  # its number is given again
        assert sorted(_search(root)) == sorted({*expected} - {PATHS[2]})
        assert sorted(_search(root, "beta")) == sorted([*PATHS[1:3], GONE])
        assert _index_folder(root) == index_before


@pytest.mark.usefixtures("always")
def test_texts_are_read_after_the_segments_have_changed() -> None:
    known: dict[str, str] = {}
    with write_tree(FILES) as root, open_session(root) as session:
        for change in range(3):
            write_file(root, PATHS[change], f"---\nid: x\n---\nalpha new {change}\n".encode())
            session.refresh()
            session.ingest_texts()
            words = full_text_backend.open_full_text(session.catalog)
            paths = dict(session.catalog.db.execute("SELECT doc, path FROM texts"))
            if not change:  # the places of these matches are others after each change
                assert len(words.search(parse_query("alpha", NOW.date()), 100)) == len(PATHS)
            texts = {paths[doc]: each.text for doc, each in words.read_weighted_texts([*paths])}
            assert texts.keys() == set(PATHS)
            assert [path for path in PATHS if " new " in texts[path]] == PATHS[: change + 1]
            assert len(set(texts.values())) == len(PATHS)
            known = known or texts
            assert all(texts[path] == known[path] for path in PATHS[change + 1 :])


@pytest.mark.usefixtures("always")
def test_texts_are_stored_in_small_blocks() -> None:
    with write_tree(FILES) as root:
        assert _search(root)
        meta = json.loads((_index_folder(root) / tantivy_files.META_FILE).read_bytes())
        assert meta["segments"]
        assert meta["index_settings"]["docstore_blocksize"] == tantivy_files.BLOCK_BYTES


def test_a_small_tree_does_not_import_tantivy() -> None:
    program = (
        "import sys; from datetime import datetime, UTC; from cortexfs.session.session import "
        "Session;"
        "from cortexfs.operations.find import find;"
        "hits = find(Session.open(sys.argv[1], lambda: datetime(2026, 5, 6, tzinfo=UTC)), 'alpha');"
        "print(len(hits.hits), 'tantivy' in sys.modules)"
    )
    with write_tree(FILES) as root:
        argv = [sys.executable, "-c", program, str(root)]
        ran = subprocess.run(argv, capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["10", "False"]


SEARCH = """
import sys
from datetime import datetime, UTC
from cortexfs.operations.find import find
from cortexfs.session.session import Session
root, path, count = sys.argv[1:]
for more in ("", "more"):
    with open(root + "/" + path, "a") as file:
        file.write(more)
    session = Session.open(root, lambda: datetime(2026, 5, 6, tzinfo=UTC))
    assert len(find(session, "alpha", limit=100).hits) == int(count)
    session.close()
"""


@pytest.mark.usefixtures("always")
@pytest.mark.parametrize("kind", ["pipe", "link"])
@pytest.mark.parametrize(
    "name", leave_to_soak([".managed.json", ".tantivy-writer.lock", "meta.json", "new"], every=4)
)
def test_the_engine_opens_no_pipe_or_link(tmp_path: Path, kind: str, name: str) -> None:
    victim = tmp_path / "precious"
    victim.write_text("precious")
    victim.chmod(0o755)
    with write_tree(FILES) as root:
        _search(root)
        path = _index_folder(root) / name
        path.unlink(missing_ok=True)
        os.mkfifo(path) if kind == "pipe" else path.symlink_to(victim)
        argv = [sys.executable, "-c", SEARCH, str(root), PATHS[0], str(len(PATHS))]
        subprocess.run(argv, check=True, timeout=20)
    assert (victim.read_text(), victim.stat().st_mode & 0o777) == ("precious", 0o755)
