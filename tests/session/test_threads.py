"""One session in many threads, beside other processes: no error, nothing lost."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING
from weakref import ref

import pytest
from tree_strategies import open_session, write_tree

from cortexfs.core.atoms.create_atom import AtomDraft
from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.changes.plan import Plan, PlanOnlyResult, Write
from cortexfs.core.find.atom_criteria import AtomCriteria
from cortexfs.errors import CortexError, Refused
from cortexfs.operations.find import find
from cortexfs.operations.list_atoms import list_atoms
from cortexfs.operations.new_atom import new_atom
from cortexfs.operations.shared.resolve_names import require_kind
from cortexfs.session.view import NeededContents

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from weakref import ReferenceType

    from place import Place

    from cortexfs.catalog.catalog import Catalog
    from cortexfs.session.session import Session
    from cortexfs.session.view import View

READERS, WRITERS, PROCESSES = 8, 2, 4
COUNT = """
WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ?)
SELECT n FROM counted
"""
WRITE = """
import subprocess, sys, time
end = time.monotonic() + float(sys.argv[3])
while True:
    summary = f"process {sys.argv[2]} at {time.monotonic_ns()}"
    argv = [sys.executable, "-m", "cortexfs", "--root", sys.argv[1], "new", "experiment",
            "-p", "flywheel", "-s", summary, "-t", "a"]
    ran = subprocess.run(argv, capture_output=True, text=True)
    if ran.returncode:
        sys.exit(f"{ran.returncode}: {ran.stderr}")
    print(summary, flush=True)
    if time.monotonic() > end:
        break
"""
ATOM = "projects/flywheel/experiments/EXP-001.md"
MEMOS = "kinds:\n  memo:\n    prefix: MEMO\n    folder: memos\n"
TEXT = "---\nid: EXP-001\nsummary: One\ntags: [a]\n---\n\nbody\n"


class ThreadGroup:
    """Threads of which each does one thing until the time is over; what it raises is kept."""

    def __init__(self, seconds: float) -> None:
        self.end = time.monotonic() + seconds
        self.errors: list[BaseException] = []
        self.threads: list[threading.Thread] = []

    def start(self, action: Callable[[int], object]) -> None:
        def run() -> None:
            turn = 0
            try:
                while not turn or time.monotonic() < self.end:
                    action(turn)
                    turn += 1
            except BaseException as error:  # noqa: BLE001 - told by the main thread
                self.errors.append(error)

        self.threads.append(threading.Thread(target=run))
        self.threads[-1].start()

    def join(self) -> None:
        for thread in self.threads:
            thread.join()
        assert self.errors == []


def _make_writer(session: Session, number: int, summaries: list[str]) -> Callable[[int], None]:
    def make(turn: int) -> None:
        summary = f"thread {number} turn {turn}"
        new_atom(
            session,
            AtomDraft(
                kind=require_kind(session, "experiment"),
                project="flywheel",
                summary=summary,
                tags=("a",),
                fields={},
            ),
        )
        summaries.append(summary)

    return make


def test_threads_and_processes_read_and_write_at_once_without_loss(tree: Place, soak: bool) -> None:
    seconds = 60.0 if soak else 0.5
    summaries: list[str] = []
    argv = [sys.executable, "-c", WRITE, str(tree.root)]
    with open_session(tree.root) as session:
        threads = ThreadGroup(seconds)
        processes = [
            subprocess.Popen([*argv, str(n), str(seconds)], stdout=subprocess.PIPE, text=True)
            for n in range(PROCESSES)
        ]
        for number in range(READERS):
            read = (
                (lambda _: list_atoms(session, AtomCriteria()))
                if number % 2
                else (lambda turn: find(session, f"thread {turn}"))
            )
            threads.start(read)
        for number in range(WRITERS):
            threads.start(_make_writer(session, number, summaries))
        for process in processes:
            summaries += process.communicate()[0].splitlines()
            assert process.returncode == 0
        threads.join()
        found = [entry.atom.text_field("summary") for entry in list_atoms(session, AtomCriteria())]
    assert sorted(found) == sorted(summaries)
    assert tree.run("check").code == 0
    assert tree.git("status", "--porcelain") == ""
    assert not list((tree.root / ".cortexfs").glob("*.damaged*"))


def test_a_view_does_not_change_during_a_write() -> None:
    with write_tree({"CORTEX.md": b"", ATOM: TEXT.encode()}) as root, open_session(root) as session:
        with session.read() as view:
            _run_in_thread(lambda: session.execute(lambda _: _plan("Two"), ExecutionMode.WRITE))
            assert [atom.text_field("summary") for atom in view.queries.list_atoms()] == ["One"]
        with session.read() as view:
            assert [atom.text_field("summary") for atom in view.queries.list_atoms()] == ["Two"]


def _plan(summary: str, before: str = TEXT) -> PlanOnlyResult:
    text = TEXT.replace("One", summary)
    return PlanOnlyResult(Plan(f"make it {summary}", (Write(ATOM, text, before),)))


def _run_in_thread(action: Callable[[], object]) -> None:
    threads = ThreadGroup(0.0)
    threads.start(lambda _: action())
    threads.join()


@pytest.mark.parametrize(
    "ingest", [NeededContents.ATOMS, NeededContents.TEXTS, NeededContents.FINDINGS]
)
def test_a_planner_cannot_write_to_the_catalog(ingest: NeededContents) -> None:
    def decide(view: View) -> PlanOnlyResult:
        view.catalog.db.execute("DELETE FROM atoms")
        return _plan("Two")

    with write_tree({"CORTEX.md": b"", ATOM: TEXT.encode()}) as root, open_session(root) as session:
        for mode in (ExecutionMode.DRY_RUN, ExecutionMode.WRITE):
            with pytest.raises(CortexError, match="readonly"):
                session.execute(decide, mode, ingest=ingest)
        assert (root / ATOM).read_text() == TEXT


def test_several_plans_make_one_commit_and_a_refused_one_stops_no_other(tree: Place) -> None:
    def refuse(_: View) -> PlanOnlyResult:
        raise Refused("not this")

    head = tree.git("rev-parse", "HEAD").strip()
    with open_session(tree.root) as session:
        each, outcome = session.execute_all(
            [
                lambda _: PlanOnlyResult(Plan("one", (Write(ATOM, TEXT),))),
                refuse,
                lambda view: _plan("Two", view.tree.read_text_lossy(ATOM) or ""),
            ],
            "import two notes",
        )
    assert [type(one).__name__ for one in each] == ["PlanOnlyResult", "Refused", "PlanOnlyResult"]
    assert tree.git("rev-list", f"{head}..HEAD").split() == list(outcome.commits)
    assert tree.git("log", "-1", "--format=%s") == "import two notes\n"
    assert tree.git("status", "--porcelain") == ""
    assert "summary: Two" in tree.read(ATOM)


def test_changed_settings_and_kinds_are_read_again(root: Path) -> None:
    with open_session(root) as session:
        with session.read() as view:
            assert view.kinds.find_by_name("memo") is None
        (root / "cortexfs.yaml").write_text(MEMOS)
        (root / "projects/flywheel/memos").mkdir(parents=True)
        (root / "projects/flywheel/memos/MEMO-001.md").write_text(TEXT.replace("EXP", "MEMO"))
        with session.read() as view:
            assert view.kinds.find_by_name("memo")
            assert [atom.kind for atom in view.queries.list_atoms()] == ["experiment", "memo"]
        (root / "cortexfs.yaml").unlink()
        with session.read() as view:
            assert [atom.kind for atom in view.queries.list_atoms()] == ["experiment"]


def test_a_repository_created_later_is_found(root: Path) -> None:
    with open_session(root) as session:
        assert session.repository.history is None
        subprocess.run(["git", "init", "-q", str(root)], check=True)
        assert session.repository.history is not None


def test_a_thread_closes_its_connection_and_a_session_closes_all(root: Path) -> None:
    catalogs: list[ReferenceType[Catalog]] = []
    has_read, may_end = threading.Event(), threading.Event()

    def read() -> None:
        with session.read() as view:
            catalogs.append(ref(view.catalog))

    def read_and_wait() -> None:
        read()
        has_read.set()
        may_end.wait()

    with open_session(root) as session:
        for _ in range(3):
            _run_in_thread(read)
        assert [each() for each in catalogs] == [None] * 3
        idle = threading.Thread(target=read_and_wait)
        idle.start()
        has_read.wait()
        read()
        assert len({id(each()) for each in catalogs[3:]}) == 2
        session.close()
        assert [each() for each in catalogs] == [None] * 5
        read()  # a closed session opens a connection again
        may_end.set()
        idle.join()


def test_a_session_that_is_closed_lets_its_readers_read_on(root: Path, soak: bool) -> None:
    """A connection closed under a reader ends the process."""
    has_begun, is_closed = threading.Event(), threading.Event()
    last, sums = 1_000_000 if soak else 100_000, list[int]()

    def read() -> None:
        with session.view_without_refresh() as view:
            rows = view.catalog.db.execute(COUNT, (last,))
            sums.append(next(rows)[0])
            has_begun.set()
            is_closed.wait()
            sums.extend(n for (n,) in rows)

    with open_session(root) as session:
        session.refresh()
        readers = [threading.Thread(target=read) for _ in range(READERS)]
        for each in readers:
            each.start()
        has_begun.wait()
        session.close()
        is_closed.set()
        for each in readers:
            each.join()
    assert sum(sums) == READERS * last * (last + 1) // 2


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "CORTEX.md").write_text("# Tree\n")
    (tmp_path / ATOM).parent.mkdir(parents=True)
    (tmp_path / ATOM).write_text(TEXT)
    return tmp_path
