"""Update read counts and indexes."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.changes.plan import Outcome, Plan
from cortexfs.core.settings.settings import WriteBackMode
from cortexfs.errors import CortexError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.changes.plan import IndexPlan, Write
    from cortexfs.core.indexes.atom_with_reads import AtomWithReads
    from cortexfs.session.session import Session
    from cortexfs.session.view import TreeFilesAndGit, View

COMMIT_MESSAGE = "chore: regenerate indexes"
OUTLINE_KEY = "outline"
"""Key under which the catalog stores the outline of the folders at the last check of the lists."""


class StaleIndexes(NamedTuple):
    """The current content of the indexes, and the paths of the lists that are out of date."""

    indexes: tuple[IndexPlan, ...]
    contents_lists: tuple[str, ...]


class WriteBackPlan(NamedTuple):
    """The read counts and lists to write; `outline` is to be stored if no list is stale."""

    plan: Plan
    outline: str = ""


def regenerate_indexes(
    session: Session, projects: Sequence[str] | None, *, mode: ExecutionMode = ExecutionMode.COMMIT
) -> Outcome:
    """Rewrite the indexes of some projects, or of all, and the read counts in their atoms."""
    decided, outcome = session.execute(
        lambda view: plan_write_back(view, projects),
        mode,
        render=lambda view: view.indexes.list_folders(projects),
    )
    if decided.outline:
        session.reader.store_value(OUTLINE_KEY, decided.outline)
    return outcome or Outcome(decided.plan, Plan(""))


def has_pending_work(session: Session) -> bool:
    """Return whether an index may be out of date, or a note waits."""
    with session.view_without_refresh() as view:
        stale = view.indexes.list_stale_folders(None)
    return bool(stale or session.tree.spool.count_waiting())


def plan_write_back(view: View, projects: Sequence[str] | None) -> WriteBackPlan:
    """Return the plan of the read counts to write into atoms, and of the lists to update.

    A file with uncommitted changes of the user is left out. A file that git does not track is
    updated too, but left out of our commit.
    """
    folders = view.indexes.list_stale_folders(projects)
    outline, is_settled = view.tree.fingerprint_folders()
    if not folders and outline == view.catalog.get_value(OUTLINE_KEY):
        return WriteBackPlan(Plan(COMMIT_MESSAGE))
    from cortexfs.core.access.write_back_reads import is_read_count_outdated  # noqa: PLC0415 - an idle run writes nothing

    always = view.settings.write_back is WriteBackMode.ALWAYS
    outdated = [
        entry
        for folder in folders
        for entry in view.queries.list_entries(folder, with_read_fields=not always)
        if is_read_count_outdated(entry, view.settings.write_back)
    ]
    plan = _plan_read_counts(view, outdated) if outdated else Plan(COMMIT_MESSAGE)
    return _add_stale_lists(view, plan, projects, outline if is_settled else "")


def _add_stale_lists(
    view: View, plan: Plan, projects: Sequence[str] | None, outline: str
) -> WriteBackPlan:
    """Add the lists that are out of date; if there is none, the next run need not check again."""
    from cortexfs.operations.shared.cortex_md_and_overview import (  # noqa: PLC0415 - an idle run writes nothing
        drop_user_changes,
        plan_stale_files,
    )

    derived = plan_stale_files(view, projects, plan.writes)
    if not derived:
        return WriteBackPlan(plan, outline if projects is None else "")
    kept, unknown = drop_user_changes(view, derived)
    writes = (*plan.writes, *kept)
    return WriteBackPlan(
        plan._replace(writes=writes, uncommitted_paths=plan.uncommitted_paths | unknown)
    )


def _plan_read_counts(view: TreeFilesAndGit, outdated: list[AtomWithReads]) -> Plan:
    from cortexfs.core.access.write_back_reads import write_back_reads  # noqa: PLC0415
    from cortexfs.core.atoms.atom import Flaw  # noqa: PLC0415

    user_changes = view.repository.find_user_changes([entry.atom.path for entry in outdated])
    writes: list[Write] = []
    for entry in outdated:
        source = view.tree.read_text_or_flaw(entry.atom.path)
        if entry.atom.path not in user_changes.changed and not isinstance(source, Flaw):
            with suppress(CortexError):  # an atom that cannot be edited safely keeps its counts
                writes.append(write_back_reads(entry, source, view.settings.write_back))
    changed = tuple(write for write in writes if write.text != write.expected_text)
    return Plan(
        COMMIT_MESSAGE,
        changed,
        uncommitted_paths=user_changes.untracked,
        skipped_paths=user_changes.changed,
    )


def find_stale_indexes(session: Session, projects: Sequence[str] | None) -> StaleIndexes:
    """Return the current content of the indexes, as of each one's own time, and the stale lists."""
    from cortexfs.operations.shared.cortex_md_and_overview import plan_stale_files  # noqa: PLC0415 - an idle run writes nothing

    with session.read() as view:
        planned = view.indexes.plan(view.indexes.list_folders(projects), ignore_cache=True)[0]
        return StaleIndexes(
            planned, tuple(write.path for write in plan_stale_files(view, projects))
        )


def preview_regeneration(session: Session, projects: Sequence[str] | None) -> Plan:
    """Return everything that a regeneration would write."""
    with session.read() as view:
        refs = plan_write_back(view, projects)
        planned = view.indexes.plan(view.indexes.list_folders(projects))[0]
        return Plan(
            COMMIT_MESSAGE, (*refs.plan.writes, *(index.write for index in planned if index.write))
        )
