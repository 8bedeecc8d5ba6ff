"""Make the changes of maintenance that follow from rules alone, in one commit with a report."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from cortexfs import __version__
from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.changes.plan import Plan, Write, attach_outcome
from cortexfs.core.frontmatter import atom_text
from cortexfs.core.governance.scan_report import render_scan_report, scan_report_path
from cortexfs.core.maintain.run_report import (
    REPORT_SCOPE,
    format_run_message,
    render_run_report,
)
from cortexfs.core.memory.memory_text import format_time
from cortexfs.errors import CortexError, Refused
from cortexfs.operations.maintain import find_maintenance
from cortexfs.operations.shared.cortex_md_and_overview import add_derived_writes
from cortexfs.operations.shared.governance_file import read_present
from cortexfs.operations.shared.load_weighed_memories import iter_weighed_memories
from cortexfs.operations.shared.plan_memory_merges import plan_memory_merges

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.changes.plan import Outcome
    from cortexfs.core.maintain.equal_memories import MemoryMerge
    from cortexfs.core.maintain.maintenance_report import ProposedStatus
    from cortexfs.session.session import Session
    from cortexfs.session.view import TreeFilesAndGit, View


class MaintenanceRun(NamedTuple):
    """What a run changed, and the files that it left out because of uncommitted changes.

    `restored_paths` are files that an undo or a restore brought back. `report_path` is empty if
    there was nothing to do; then no commit was made.
    """

    plan: Plan
    marks: list[ProposedStatus]
    merges: list[MemoryMerge]
    skipped_paths: list[str]
    restored_paths: Sequence[str]
    report_path: str = ""
    outcome: Outcome | None = None


def run_maintenance(
    session: Session,
    mode: ExecutionMode = ExecutionMode.COMMIT,
    projects: Sequence[str] | None = None,
    *,
    memories_only: bool = False,
) -> MaintenanceRun:
    """Mark atoms, archive memories and merge equal ones, of some projects or of all.

    With `memories_only` no atom of another kind is marked: nobody has asked for that. Raises
    `Refused` if the report of the day has uncommitted changes.
    """
    return attach_outcome(
        session.execute(lambda view: _plan_run(view, projects, memories_only=memories_only), mode)
    )


def _plan_run(view: View, projects: Sequence[str] | None, *, memories_only: bool) -> MaintenanceRun:
    wanted = find_maintenance(view, projects)
    if memories_only:
        wanted = wanted._replace(marks=[mark for mark in wanted.marks if mark.is_archival])
    memories = iter_weighed_memories(view, None) if wanted.merges else []
    merges, merge_writes = plan_memory_merges(view, wanted.merges, memories)
    mark_writes = _plan_marks(view, wanted.marks, {write.path for write in merge_writes})
    written = {write.path for write in (*mark_writes, *merge_writes)}
    marks = [mark for mark in wanted.marks if mark.path in written]
    every = [mark.path for mark in wanted.marks]
    every += (each.record.path for merge in wanted.merges for each in merge.memories)
    skipped_paths = [path for path in dict.fromkeys(every) if path not in written]
    message = format_run_message(marks, merges)
    if not written:
        return MaintenanceRun(Plan(message), [], [], skipped_paths, wanted.restored_paths)
    rule = view.settings.maintenance.prune
    report = _plan_report(view, render_run_report(marks, merges, rule, __version__))
    writes = add_derived_writes(view, [*mark_writes, *merge_writes, report])
    plan = Plan(message, tuple(writes))
    return MaintenanceRun(plan, marks, merges, skipped_paths, wanted.restored_paths, report.path)


def _plan_marks(
    view: TreeFilesAndGit, wanted: Sequence[ProposedStatus], taken: set[str]
) -> list[Write]:
    """Return the writes of status changes; files with uncommitted changes are left out."""
    user_changes = view.repository.find_user_changes([mark.path for mark in wanted])
    left_out = user_changes.changed | user_changes.untracked | taken
    writes: list[Write] = []
    for mark in wanted:
        source = view.tree.read_text_or_flaw(mark.path)
        if mark.path in left_out or isinstance(source, Flaw):
            continue
        with suppress(CortexError):  # an atom that cannot be edited safely is left to its author
            edited = atom_text.edit_frontmatter(source.text, _choose_edits(view, mark))
            writes.append(Write(mark.path, edited, expected_text=source.text))
    return writes


def _choose_edits(view: TreeFilesAndGit, mark: ProposedStatus) -> dict[str, str]:
    edits = {"status": mark.status}
    return edits | {"deleted-at": format_time(view.clock())} if mark.is_archival else edits


def _plan_report(view: TreeFilesAndGit, body: str) -> Write:
    """Return the write that adds a report to that of the day."""
    now = view.clock()
    day = now.date().isoformat()
    path = scan_report_path(day)
    before = read_present(view, path)
    user_changes = view.repository.find_user_changes([path])
    if path in user_changes.changed | user_changes.untracked:
        raise Refused(
            f"{path} has uncommitted changes, which `undo` could not keep apart",
            hint=f"cortexfs commit {path}",
        )
    text = render_scan_report(before, day, now.strftime("%H:%M UTC"), REPORT_SCOPE, body)
    return Write(path, text, before)
