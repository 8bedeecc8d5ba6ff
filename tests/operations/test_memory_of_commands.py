"""Commands hold no list of all atoms: their memory grows by far less than what an atom takes."""

from __future__ import annotations

import gc
import tracemalloc
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tree_strategies import open_session, write_tree

from cortexfs.catalog import temporary_database
from cortexfs.catalog.finding_store import FindingStore
from cortexfs.core.atoms.atom import Finding
from cortexfs.core.atoms.edit_atom import AtomEdit
from cortexfs.core.changes.plan import ExecutionMode
from cortexfs.operations.check import check, predict_fixed_findings
from cortexfs.operations.edit import edit
from cortexfs.operations.list_and_rename_tags import list_tags
from cortexfs.operations.list_atoms import AtomCriteria, SortKey, list_atoms
from cortexfs.operations.maintain import maintain
from cortexfs.operations.rename import rename
from cortexfs.operations.stats import stats

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cortexfs.session.session import Session

FEW, MANY, PER_PROJECT = 200, 1400, 100
MAX_BYTES_PER_ATOM = 500
"""An atom that is loaded takes 3000 bytes and more, and a finding 400."""


def _format_atom(project: str, number: int) -> bytes:
    front = f"id: K-{number:03d}\ndate: 2026-03-01\nproject: {project}\nsummary: number {number}"
    cited = f"links: [K-{number + 1:03d}, K-999]\nevidence: [EXP-777]\nstatus: superseded:K-001"
    return f"---\n{front}\ntags: [a, b, c]\n{cited}\n---\n\nIt takes {number}.5 ms.\n".encode()


def _make_files(atoms: int) -> dict[str, bytes]:
    files = {"CORTEX.md": b"# Tree\n"}
    for each in range(atoms):
        project, number = f"p{each // PER_PROJECT}", each % PER_PROJECT + 1
        path = f"projects/{project}/knowledge/K-{number:03d}.md"
        files[path] = _format_atom(project, number)
    return files


@pytest.fixture(scope="module")
def trees() -> Iterator[dict[int, Path]]:
    """A tree with few atoms and one with many, which no operation here changes."""
    with write_tree(_make_files(FEW)) as few, write_tree(_make_files(MANY)) as many:
        yield {FEW: few, MANY: many}


def _measure_peak(root: Path, run: Callable[[Session], object]) -> int:
    """Return how many bytes more a second run of an operation has at its peak than before it."""
    with open_session(root) as session:
        run(session)
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


def _list_some(session: Session) -> None:
    assert len(list_atoms(session, AtomCriteria(), SortKey.TITLE, limit=20)) == 20


OPERATIONS = {
    "check": _count_findings,
    "check --fix": lambda session: predict_fixed_findings(session, None),
    "edit": lambda session: edit(
        session, "p0/K-002", "/", AtomEdit(fields={"summary": "new"}), mode=ExecutionMode.DRY_RUN
    ),
    "list": _list_all,
    "list -n 20": _list_some,
    "maintain": lambda session: maintain(session, None, mode=ExecutionMode.DRY_RUN),
    "rename": lambda session: rename(session, "p0/K-002", "K-777", "/", mode=ExecutionMode.DRY_RUN),
    "stats": stats,
    "tag list": list_tags,
}


@pytest.fixture(autouse=True)
def _hold_few_entries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cortexfs.operations.list_atoms.MAX_LOADED_ENTRIES", 50)
    monkeypatch.setattr("cortexfs.catalog.stored_atoms.MAX_CACHED_REFS", 500)


@pytest.mark.parametrize("run", OPERATIONS.values(), ids=OPERATIONS)
def test_memory_does_not_grow_with_the_tree(
    trees: dict[int, Path], run: Callable[[Session], object]
) -> None:
    grown = _measure_peak(trees[MANY], run) - _measure_peak(trees[FEW], run)
    assert grown < (MANY - FEW) * MAX_BYTES_PER_ATOM


@pytest.mark.parametrize("sort", SortKey)
@pytest.mark.parametrize("is_reversed", [False, True])
@pytest.mark.parametrize("limit", [None, 60])
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
