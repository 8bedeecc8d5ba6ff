"""Find the maintenance that a tree needs."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.find_cited_refs import find_cited_refs
from cortexfs.core.atoms.refs import to_full_ref
from cortexfs.core.atoms.tree_paths import CORTEX_MD, project_from_path
from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.checks.unreadable_file_codes import is_readable
from cortexfs.core.indexes.atom_with_reads import AtomWithReads
from cortexfs.core.maintain.equal_memories import (
    MemoryMerge,
    find_equal_memories,
    find_repeated_texts,
)
from cortexfs.core.maintain.maintenance_report import (
    MaintenanceReport,
    ProposedStatus,
    build_maintenance_report,
    propose_statuses,
)
from cortexfs.core.maintain.project_atoms import ProjectAtoms
from cortexfs.operations.shared.load_weighed_memories import iter_weighed_memories
from cortexfs.operations.shared.read_text_or_empty import read_text_or_empty
from cortexfs.operations.shared.restored_files import find_restored_files

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cortexfs.session.annotation_types import StoredAtoms
    from cortexfs.session.session import Session
    from cortexfs.session.view import View

GOVERNANCE_FILES = (CORTEX_MD, "mission.md", "roadmap.md", "STATUS.md", "ISSUES.md", "TASKS.yaml")
"""Files of a project that may cite atoms; an atom that they cite is not stale."""


class MaintenanceResult(NamedTuple):
    """The needs of each project, and the changes that follow from rules alone.

    A memory that is merged is not marked as well. What an undo or a restore brought back is not
    changed again: these paths are `restored_paths`.
    """

    reports: list[MaintenanceReport]
    marks: list[ProposedStatus]
    merges: list[MemoryMerge]
    restored_paths: Sequence[str] = ()


def maintain(
    session: Session, projects: Sequence[str] | None, *, mode: ExecutionMode = ExecutionMode.COMMIT
) -> MaintenanceResult:
    """Return the needs of some projects, or of all; a dry run leaves the spool unchanged."""
    with session.read(drain=not mode.is_dry_run) as view:
        return find_maintenance(view, projects)


def find_maintenance(view: View, projects: Sequence[str] | None) -> MaintenanceResult:
    """Return the needs of some projects, or of all."""
    folders, atoms = _group_folders(view), view.stored_atoms
    cited_refs = frozenset(_iter_cited_refs(view))
    kinds_by_name = {kind.name: kind for kind in view.kinds}
    relations_to = view.memories.count_all_incoming()
    today = view.clock().date()
    merges = _find_merges(view, projects) if view.settings.maintenance.merges else []
    result = MaintenanceResult([], [], merges)
    merging = {each.record.path for merge in result.merges for each in merge.memories}
    for name in view.tree.list_projects() if projects is None else projects:
        entries = [e for folder in folders[name] for e in view.queries.list_entries(folder)]
        first_read_day = _find_first_read_day(view, name)
        project_atoms = ProjectAtoms(
            name,
            kinds_by_name,
            entries,
            _TreeEntries({str(entry.atom.ref): entry for entry in entries}, atoms),
            cited_refs,
            first_read_day,
            relations_to,
            view.settings.maintenance.prune,
        )
        result.reports.append(report := build_maintenance_report(project_atoms, today))
        marks = propose_statuses(project_atoms, report)
        result.marks.extend(mark for mark in marks if mark.path not in merging)
    return _leave_restored(view, result)


def _find_merges(view: View, projects: Sequence[str] | None) -> list[MemoryMerge]:
    """Return the merges of equal memories; only memories with a repeated text are kept."""
    repeated = find_repeated_texts(iter_weighed_memories(view, projects))
    if not repeated.numbers:
        return []
    memories = iter_weighed_memories(view, projects, repeated.numbers)
    return find_equal_memories(memories, projects=repeated.projects)


@dataclass(frozen=True, slots=True)
class _TreeEntries:
    """The entries of one project, and the atoms of the tree, of which few are looked up."""

    own: dict[str, AtomWithReads]
    atoms: StoredAtoms

    def __contains__(self, ref: object) -> bool:
        return ref in self.own or self._find(str(ref)) is not None

    def __getitem__(self, ref: str) -> AtomWithReads:
        if found := self.own.get(str(ref)) or self._find(str(ref)):
            return found
        raise KeyError(ref)

    def _find(self, ref: str) -> AtomWithReads | None:
        """Return the last of the readable atoms with a ref and an id."""
        found = (atom for atom in self.atoms.list_by_ref(ref) if atom.text_field("id"))
        readable = [atom for atom in found if is_readable(atom.flaws)]
        return AtomWithReads.from_atom(readable[-1]) if readable else None


def _group_folders(view: View) -> dict[str, list[str]]:
    """Return the folders with atoms of each project."""
    folders: dict[str, list[str]] = defaultdict(list)
    for folder in sorted(view.queries.list_folders()):
        folders[project_from_path(f"{folder}/x")].append(folder)
    return folders


def _leave_restored(view: View, found: MaintenanceResult) -> MaintenanceResult:
    """Return the changes without those of files that somebody brought back."""
    paths = [mark.path for mark in found.marks]
    paths += (each.record.path for merge in found.merges for each in merge.merged)
    restored = find_restored_files(view, paths)
    merges = [
        merge._replace(merged=merged)
        for merge in found.merges
        if (merged := tuple(m for m in merge.merged if m.record.path not in restored))
    ]
    marks = [mark for mark in found.marks if mark.path not in restored]
    return MaintenanceResult(found.reports, marks, merges, sorted(restored))


def _iter_cited_refs(view: View) -> Iterator[str]:
    """Yield the full ref of every atom that another atom or a governance file cites."""
    for own, project, cited in view.queries.iter_citations():
        yield from (ref for each in cited if (ref := to_full_ref(each, project)) != own)
    for project in view.tree.list_projects():
        for name in GOVERNANCE_FILES:
            text = read_text_or_empty(view, f"projects/{project}/{name}")
            yield from (to_full_ref(cited, project) for cited, _ in find_cited_refs(text))


def _find_first_read_day(view: View, project: str) -> int:
    """Return the ordinal of the first day of logged reads, the oldest last read; 0 if none."""
    from datetime import date  # noqa: PLC0415

    first = min(
        (total.last_read[:10] for total in view.queries.count_reads(project).values()), default=""
    )
    try:
        return date.fromisoformat(first).toordinal()
    except ValueError:
        return 0
