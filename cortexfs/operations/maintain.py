"""Find the maintenance that a tree needs, and make the status changes that follow from rules."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.atoms.parse_atom import find_cited_refs
from cortexfs.core.atoms.refs import to_full_ref
from cortexfs.core.atoms.tree_paths import CORTEX_MD
from cortexfs.core.changes.plan import ExecutionMode, Plan, Write
from cortexfs.core.frontmatter import atom_text
from cortexfs.core.maintain.maintenance_report import (
    MaintenanceReport,
    ProposedStatus,
    build_maintenance_report,
    propose_statuses,
)
from cortexfs.core.maintain.project_atoms import ProjectAtoms
from cortexfs.core.memory.memory_text import format_time
from cortexfs.errors import CortexError
from cortexfs.operations.shared.read_text_or_empty import read_text_or_empty

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cortexfs.core.changes.plan import Outcome
    from cortexfs.core.indexes.atom_with_reads import AtomWithReads
    from cortexfs.session.session import Session
    from cortexfs.session.view import TreeFilesAndGit, View

GOVERNANCE_FILES = (CORTEX_MD, "mission.md", "roadmap.md", "STATUS.md", "ISSUES.md", "TASKS.yaml")
"""Files of a project that may cite atoms; an atom that they cite is not stale."""


class MaintenanceResult(NamedTuple):
    """The needs of each project, and the status changes that follow from rules alone."""

    reports: list[MaintenanceReport]
    marks: list[ProposedStatus]


class PlannedMarks(NamedTuple):
    """The wanted status changes, and the plan of those that can be made."""

    plan: Plan
    wanted: list[ProposedStatus]


class AppliedMarks(NamedTuple):
    """The applied status changes, and those skipped because of uncommitted changes."""

    plan: Plan
    outcome: Outcome | None
    applied: list[ProposedStatus]
    skipped_paths: list[str]


def maintain(
    session: Session, projects: Sequence[str] | None, *, mode: ExecutionMode = ExecutionMode.COMMIT
) -> MaintenanceResult:
    """Return the needs of some projects, or of all; a dry run leaves the spool unchanged."""
    with session.read(drain=not mode.is_dry_run) as view:
        return _build_reports(view, projects)


def apply_marks(
    session: Session, projects: Sequence[str] | None, *, mode: ExecutionMode = ExecutionMode.COMMIT
) -> AppliedMarks:
    """Apply the status changes that follow from rules alone, in one commit."""

    def decide(view: View) -> PlannedMarks:
        wanted = _build_reports(view, projects).marks
        return PlannedMarks(plan_marks(view, wanted), wanted)

    (plan, wanted), outcome = session.execute(decide, mode)
    written = {write.path for write in (outcome.plan if outcome else plan).writes}
    skipped_paths = [mark.path for mark in wanted if mark.path not in written]
    return AppliedMarks(
        plan, outcome, [mark for mark in wanted if mark.path in written], skipped_paths
    )


def plan_marks(view: TreeFilesAndGit, wanted: Sequence[ProposedStatus]) -> Plan:
    """Return the plan of the status changes; files with uncommitted changes are left out."""
    user_changes = view.repository.find_user_changes([mark.path for mark in wanted])
    writes: list[Write] = []
    counts: Counter[str] = Counter()
    for mark in wanted:
        source = view.tree.read_text_or_flaw(mark.path)
        if mark.path in user_changes.changed | user_changes.untracked or isinstance(source, Flaw):
            continue
        with suppress(CortexError):  # an atom that cannot be edited safely is left to its author
            edited = atom_text.edit_frontmatter(source.text, _choose_edits(view, mark))
            writes.append(Write(mark.path, edited, expected_text=source.text))
            word = "archived" if mark.is_archival else mark.status.partition(":")[0]
            counts[word] += 1
    summary = ", ".join(f"{count} {word}" for word, count in sorted(counts.items()))
    return Plan(f"maintain: mark {summary or 'nothing'}", tuple(writes))


def _choose_edits(view: TreeFilesAndGit, mark: ProposedStatus) -> dict[str, str]:
    edits = {"status": mark.status}
    return edits | {"deleted-at": format_time(view.clock())} if mark.is_archival else edits


def _build_reports(view: View, projects: Sequence[str] | None) -> MaintenanceResult:
    by_project: dict[str, list[AtomWithReads]] = {}
    for entry in view.queries.iter_all_entries():
        by_project.setdefault(entry.atom.project, []).append(entry)
    tree = {str(e.atom.ref): e for entries in by_project.values() for e in entries}
    cited_refs = frozenset(_iter_cited_refs(view))
    kinds_by_name = {kind.name: kind for kind in view.kinds}
    relations_to = view.memories.count_all_incoming()
    today = view.clock().date()
    result = MaintenanceResult([], [])
    for name in view.tree.list_projects() if projects is None else projects:
        entries = by_project.get(name, [])
        first_read_day = _find_first_read_day(view, name)
        project_atoms = ProjectAtoms(
            name,
            kinds_by_name,
            entries,
            tree,
            cited_refs,
            first_read_day,
            relations_to,
            view.settings.maintenance.prune,
        )
        result.reports.append(report := build_maintenance_report(project_atoms, today))
        result.marks.extend(propose_statuses(project_atoms, report))
    return result


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
