"""Bring refs and indexes up to date."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.changes.plan import Mode, Outcome, Plan
from cortexfs.core.settings.settings import WriteBack
from cortexfs.errors import CortexError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.changes.plan import IndexPlan, Write
    from cortexfs.core.indexes.index_entry import Entry
    from cortexfs.session.session import Session
    from cortexfs.session.view import FileView, View

MESSAGE = "chore: regenerate indexes"
OUTLINE = "outline"
"""Under this the catalog remembers how the folders looked whose lists were last found true."""


class Stale(NamedTuple):
    """Indexes as they should read, and the paths of lists that no longer say what lies there."""

    indexes: tuple[IndexPlan, ...]
    lists: tuple[str, ...]


class Refs(NamedTuple):
    """The refs and lists to be written; `outline` is to be remembered where no list is stale."""

    plan: Plan
    outline: str = ""


def regen(session: Session, projects: Sequence[str] | None, *, mode: Mode = Mode.COMMIT) -> Outcome:
    """Rewrite the indexes of some projects, or of all, and the refs that atoms carry."""
    decided, outcome = session.execute(
        lambda view: plan_refs(view, projects), mode, render=lambda view: view.folders(projects)
    )
    if decided.outline:
        session.remember(OUTLINE, decided.outline)
    return outcome or Outcome(decided.plan, Plan(""))


def plan_refs(view: View, projects: Sequence[str] | None) -> Refs:
    """Decide which atoms get which refs written into them, and which lists are made true.

    A file that the user has changed and not committed is left out. One that git does not
    know is his too: it is kept true, but does not come into our commit.
    """
    folders = view.changed_folders(projects)
    outline, settled = view.tree.outline()
    if not folders and outline == view.catalog.recall(OUTLINE):
        return Refs(Plan(MESSAGE))
    from cortexfs.core.access.write_back import is_behind  # noqa: PLC0415 - an idle run writes nothing

    everywhere = view.settings.write_back is WriteBack.ALWAYS
    behind = [
        entry
        for folder in folders
        for entry in view.facts.entries(folder, carrying=not everywhere)
        if is_behind(entry, view.settings.write_back)
    ]
    plan = _plan_behind(view, behind) if behind else Plan(MESSAGE)
    return _with_lists(view, plan, projects, outline if settled else "")


def _with_lists(view: View, plan: Plan, projects: Sequence[str] | None, outline: str) -> Refs:
    """Add the lists that are out of date; where none is, the next run need not look again."""
    from cortexfs.operations.shared.derived_files import left_alone, stale  # noqa: PLC0415 - as `plan_refs`

    follows = stale(view, projects, plan.writes)
    if not follows:
        return Refs(plan, outline if projects is None else "")
    kept, unknown = left_alone(view, follows)
    writes = (*plan.writes, *kept)
    return Refs(plan._replace(writes=writes, uncommitted=plan.uncommitted | unknown))


def _plan_behind(view: FileView, behind: list[Entry]) -> Plan:
    from cortexfs.core.access.write_back import write_back  # noqa: PLC0415
    from cortexfs.core.atoms.atom import Flaw  # noqa: PLC0415

    theirs = view.repository.theirs([entry.atom.path for entry in behind])
    writes: list[Write] = []
    for entry in behind:
        source = view.tree.read(entry.atom.path)
        if entry.atom.path not in theirs.changed and not isinstance(source, Flaw):
            with suppress(CortexError):  # one that cannot be edited safely keeps what it says
                writes.append(write_back(entry, source, view.settings.write_back))
    changed = tuple(write for write in writes if write.text != write.replacing)
    return Plan(MESSAGE, changed, uncommitted=theirs.untracked, left_out=theirs.changed)


def stale_indexes(session: Session, projects: Sequence[str] | None) -> Stale:
    """Give the indexes as they should read, as of the time that each bears, and stale lists."""
    from cortexfs.operations.shared.derived_files import stale  # noqa: PLC0415 - as `plan_refs`

    with session.read() as view:
        planned = view.plan_indexes(view.folders(projects), afresh=True)[0]
        return Stale(planned, tuple(write.path for write in stale(view, projects)))


def preview(session: Session, projects: Sequence[str] | None) -> Plan:
    """Give all that a regeneration would write."""
    with session.read() as view:
        refs = plan_refs(view, projects)
        planned = view.plan_indexes(view.folders(projects))[0]
        return Plan(
            MESSAGE, (*refs.plan.writes, *(index.write for index in planned if index.write))
        )
