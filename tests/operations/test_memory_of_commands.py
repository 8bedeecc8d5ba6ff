"""Commands hold no list of all atoms: their memory grows by far less than what an atom takes."""

from __future__ import annotations

import gc
import tracemalloc
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from soak_cases import leave_to_soak
from tree_strategies import open_session, write_tree

from cortexfs.catalog import temporary_database
from cortexfs.catalog.finding_store import FindingStore
from cortexfs.core.atoms.atom import Finding
from cortexfs.core.atoms.edit_atom import AtomEdit
from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.find.atom_criteria import AtomCriteria, SortKey
from cortexfs.core.stores.indented_json import iter_indented_lines
from cortexfs.operations.audit_tree import audit_tree
from cortexfs.operations.brief import brief
from cortexfs.operations.check import check, predict_fixed_findings
from cortexfs.operations.doctor import doctor
from cortexfs.operations.edit import edit
from cortexfs.operations.entities import entities
from cortexfs.operations.explore_links import explore_links, find_path
from cortexfs.operations.export_memories import export_memories
from cortexfs.operations.find import find
from cortexfs.operations.list_and_rename_tags import list_tags
from cortexfs.operations.list_atoms import list_atoms
from cortexfs.operations.maintain import maintain
from cortexfs.operations.mark import MarkRequest, mark
from cortexfs.operations.project import summarize_projects
from cortexfs.operations.refresh_injection import refresh_injection
from cortexfs.operations.regenerate_indexes import find_stale_indexes, preview_regeneration
from cortexfs.operations.related import related
from cortexfs.operations.rename import move, rename
from cortexfs.operations.show import show
from cortexfs.operations.stats import stats
from cortexfs.session.view import NeededContents

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cortexfs.session.session import Session

    Operation = Callable[[Session], object]

FEW, MANY, PER_PROJECT = 200, 600, 100
MAX_BYTES_PER_ATOM = 500
"""An atom that is loaded takes 3000 bytes and more, and a finding 400."""
OTHER_BYTES_PER_ATOM = {"audit": 900, "check --fix": 900, "doctor": 900, "injection": 900}
"""More is allowed where findings, lines or scores of all atoms are kept."""
DRY_RUN = ExecutionMode.DRY_RUN


def _format_atom(project: str, number: int) -> bytes:
    front = f"id: K-{number:03d}\ndate: 2026-03-01\nproject: {project}\nsummary: number {number}"
    cited = f"links: [K-{number + 1:03d}, K-999]\nevidence: [EXP-777]\nstatus: superseded:K-001"
    return f"---\n{front}\ntags: [a, b, c]\n{cited}\n---\n\nIt takes {number}.5 ms.\n".encode()


def _format_observation(project: str, number: int) -> bytes:
    front = f"id: OBS-{number:03d}\ndate: 2026-03-01\nproject: {project}\nsummary: seen {number}"
    kind = "type: bugfix\nscope: project\ncreated: 2026-03-01T12:00:00Z"
    text = f"**What**: `src/m{number % 7}.py` was seen {number} times. {'It waits. ' * 20}"
    return f"---\n{front}\ntags: [a]\n{kind}\n---\n\n{text}\n".encode()


def _make_files(atoms: int) -> dict[str, bytes]:
    files = {"CORTEX.md": b"# Tree\n"}
    for each in range(atoms):
        project, number = f"p{each // PER_PROJECT}", each % PER_PROJECT + 1
        if number % 3:
            files[f"projects/{project}/knowledge/K-{number:03d}.md"] = _format_atom(project, number)
        else:
            path = f"projects/{project}/observations/OBS-{each:03d}.md"
            files[path] = _format_observation(project, each)
    return files


def _measure_peak(run: Operation, session: Session) -> int:
    """Return how many bytes more an operation has at its peak than before it."""
    gc.collect()
    tracemalloc.start()
    try:
        run(session)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def _count_findings(session: Session) -> None:
    found = check(session, None)
    assert sum(1 for _ in found.findings) == len(found.findings) > FEW


def _list_all(session: Session) -> None:
    listed = list_atoms(session, AtomCriteria())
    assert sum(1 for _ in listed) == len(listed) >= FEW


def _write_export(session: Session) -> None:
    exported = export_memories(session)
    assert sum(1 for _ in iter_indented_lines(exported.document)) > exported.atom_count > 60


def _list_some(session: Session) -> None:
    assert len(list_atoms(session, AtomCriteria(), SortKey.TITLE, limit=20)) == 20


OPERATIONS: dict[str, Operation] = {
    "audit": lambda session: audit_tree(session, None),
    "brief": brief,
    "check": _count_findings,
    "check --fix": lambda session: predict_fixed_findings(session, None),
    "doctor": lambda session: doctor(session, {}),
    "edit": lambda session: edit(
        session, "p0/K-002", "/", AtomEdit(fields={"summary": "new"}), mode=DRY_RUN
    ),
    "entities": entities,
    "export": _write_export,
    "find": lambda session: find(session, "number 77 -zebra"),
    "graph": lambda session: explore_links(session, "p0/K-002", "/", depth=3),
    "index": lambda session: preview_regeneration(session, None),
    "index --check": lambda session: find_stale_indexes(session, None),
    "injection": lambda session: refresh_injection(session, {}),
    "list": _list_all,
    "list -n 20": _list_some,
    "maintain": lambda session: maintain(session, None, mode=DRY_RUN),
    "mark": lambda session: mark(
        session, MarkRequest("p0/OBS-002", "stale", "", "old", "/"), mode=DRY_RUN
    ),
    "move": lambda session: move(session, "p0/K-002", "p1", "/", mode=DRY_RUN),
    "path": lambda session: find_path(session, "p0/K-002", "p0/K-098", "/"),
    "project list": summarize_projects,
    "related": lambda session: related(session, "p0/K-002", "/"),
    "rename": lambda session: rename(session, "p0/K-002", "K-777", "/", mode=DRY_RUN),
    "show": lambda session: show(session, "p0/K-002", "/", track=False),
    "stats": stats,
    "tag list": list_tags,
}


@pytest.fixture(autouse=True)
def _hold_few_entries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cortexfs.operations.list_atoms.MAX_LOADED_ENTRIES", 50)
    monkeypatch.setattr("cortexfs.catalog.stored_atoms.MAX_CACHED_REFS", 500)


@pytest.fixture(scope="module")
def sessions() -> Iterator[list[Session]]:
    """Return a small and a large tree, with catalogs that have all that commands need."""
    with ExitStack() as opened:
        roots = [opened.enter_context(write_tree(_make_files(atoms))) for atoms in (FEW, MANY)]
        found = [opened.enter_context(open_session(Path(root))) for root in roots]
        for session in found:
            with session.read(NeededContents.FINDINGS | NeededContents.TEXTS):
                pass
        yield found


@pytest.mark.parametrize("name", leave_to_soak(OPERATIONS, every=9))
def test_memory_does_not_grow_with_the_tree(sessions: list[Session], name: str) -> None:
    run = OPERATIONS[name]
    run(sessions[0])  # what is imported does not count
    few, many = (_measure_peak(run, session) for session in sessions)
    assert many - few < (MANY - FEW) * OTHER_BYTES_PER_ATOM.get(name, MAX_BYTES_PER_ATOM)


@pytest.mark.soak
@pytest.mark.usefixtures("sessions")  # what is imported does not count
def test_memory_of_a_first_catalog_does_not_grow_with_the_tree(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("cortexfs.catalog.refresh_catalog.MAX_FILES_AT_ONCE", PER_PROJECT)
    monkeypatch.setattr("cortexfs.catalog.fts5_index.Fts5Index.batch_size", PER_PROJECT)

    def build(session: Session) -> None:
        session.refresh()
        session.ingest_texts()

    def measure(atoms: int) -> int:
        with write_tree(_make_files(atoms)) as root, open_session(Path(root)) as session:
            return _measure_peak(build, session)

    # the caches of words grow at first; without parts it would be 2000 bytes
    assert measure(5 * PER_PROJECT) - measure(PER_PROJECT) < 4 * PER_PROJECT * 1000


@pytest.mark.parametrize("sort", leave_to_soak(SortKey, every=4))
@pytest.mark.parametrize("is_reversed", [False, True])
@pytest.mark.parametrize("limit", leave_to_soak([60, None], every=2))
def test_a_list_sorted_on_disk_is_the_one_sorted_in_memory(
    monkeypatch: pytest.MonkeyPatch, sort: SortKey, is_reversed: bool, limit: int | None
) -> None:
    with write_tree(_make_files(130)) as root, open_session(Path(root)) as session:
        order: Any = {"sort": sort, "reverse": is_reversed, "limit": limit}
        stored = list_atoms(session, AtomCriteria(), **order)
        monkeypatch.setattr("cortexfs.operations.list_atoms.MAX_LOADED_ENTRIES", 1000)
        loaded = list_atoms(session, AtomCriteria(), **order)
        assert not isinstance(stored, list)
        assert isinstance(loaded, list)
        assert len(stored) == len(loaded) == (limit or 130)
        assert list(stored) == list(stored) == loaded


def test_findings_are_in_order_once_each_and_outlive_their_source() -> None:
    findings = [
        Finding(f"p/{n % 3}.md", "b" if n % 2 else "a", f"m{n % 5}", n % 4) for n in range(99)
    ]
    store = FindingStore.collect(iter(findings))
    wanted = sorted(set(findings), key=lambda f: (f.path, f.line, f.code, f.message))
    assert list(store) == list(store) == wanted
    only = store.filter_code("a")
    del store
    gc.collect()
    assert list(only) == [each for each in wanted if each.code == "a"]
    assert len(only) == len(list(only)) == only.count_by_code()["a"]


def test_more_findings_than_fit_into_the_cache_are_in_order(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(temporary_database, "CACHE_KIB", 16)
    findings = [Finding(f"p/{n * 7919 % 5000:04d}.md", "c", "x" * 100) for n in range(5000)]
    store = FindingStore.collect(findings)
    assert list(store) == sorted(findings)


def test_half_characters_in_a_finding_are_escaped() -> None:
    (found,) = FindingStore.collect([Finding("p/ä.md", "c", "a \ud800")])
    assert found == Finding("p/ä.md", "c", "a \\ud800")
