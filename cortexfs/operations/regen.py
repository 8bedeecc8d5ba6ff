"""Bring refs and indexes up to date."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.changes.plan import Plan
from cortexfs.core.settings.settings import WriteBack
from cortexfs.errors import CortexError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.changes.plan import IndexPlan, Outcome, Write
    from cortexfs.core.indexes.index_entry import Entry
    from cortexfs.cortex import Cortex

MESSAGE = "chore: regenerate indexes"
OUTLINE = "outline"
"""Under this the catalog remembers how the folders looked whose lists were last found true."""


class Stale(NamedTuple):
    """Indexes as they should read, and the paths of lists that no longer say what lies there."""

    indexes: tuple[IndexPlan, ...]
    lists: tuple[str, ...]


def regen(cortex: Cortex, projects: Sequence[str] | None, *, commit: bool = True) -> Outcome:
    """Rewrite the indexes of some projects, or of all, and the refs that atoms carry."""
    return cortex.carry_out(
        lambda view: plan_refs(view, projects),
        commit=commit,
        render=lambda: cortex.folders(projects),
    )


def plan_refs(cortex: Cortex, projects: Sequence[str] | None) -> Plan:
    """Decide which atoms get which refs written into them, and which lists are made true.

    A file that the user has changed and not committed is left out. One that git does not
    know is his too: it is kept true, but does not come into our commit.
    """
    folders = cortex.changed_folders(projects)
    outline, settled = cortex.tree.outline()
    if not folders and outline == cortex.catalog.recall(OUTLINE):
        return Plan(MESSAGE)
    from cortexfs.core.access.write_back import is_behind  # noqa: PLC0415 - an idle run writes nothing

    everywhere = cortex.settings.write_back is WriteBack.ALWAYS
    behind = [
        entry
        for folder in folders
        for entry in cortex.facts.entries(folder, carrying=not everywhere)
        if is_behind(entry, cortex.settings.write_back)
    ]
    plan = _plan_behind(cortex, behind) if behind else Plan(MESSAGE)
    return _with_lists(cortex, plan, projects, outline if settled else "")


def _with_lists(cortex: Cortex, plan: Plan, projects: Sequence[str] | None, outline: str) -> Plan:
    """Add the lists that are out of date; where none is, the next run need not look again."""
    from cortexfs.operations.shared.derived_files import left_alone, stale  # noqa: PLC0415 - as `plan_refs`

    follows = stale(cortex, projects, plan.writes)
    if not follows:
        if projects is None and outline:
            cortex.catalog.remember(OUTLINE, outline)
        return plan
    kept, unknown = left_alone(cortex, follows)
    return plan._replace(writes=(*plan.writes, *kept), uncommitted=plan.uncommitted | unknown)


def _plan_behind(cortex: Cortex, behind: list[Entry]) -> Plan:
    from cortexfs.core.access.write_back import write_back  # noqa: PLC0415
    from cortexfs.core.atoms.atom import Flaw  # noqa: PLC0415

    theirs = cortex.ledger.theirs([entry.atom.path for entry in behind])
    writes: list[Write] = []
    for entry in behind:
        source = cortex.tree.read(entry.atom.path)
        if entry.atom.path not in theirs.changed and not isinstance(source, Flaw):
            with suppress(CortexError):  # one that cannot be edited safely keeps what it says
                writes.append(write_back(entry, source, cortex.settings.write_back))
    changed = tuple(write for write in writes if write.text != write.replacing)
    return Plan(MESSAGE, changed, uncommitted=theirs.untracked, left_out=theirs.changed)


def stale_indexes(cortex: Cortex, projects: Sequence[str] | None) -> Stale:
    """Give the indexes as they should read, as of the time that each bears, and stale lists."""
    from cortexfs.operations.shared.derived_files import stale  # noqa: PLC0415 - as `plan_refs`

    cortex.refresh()
    planned = cortex.plan_indexes(cortex.folders(projects), afresh=True)[0]
    return Stale(planned, tuple(write.path for write in stale(cortex, projects)))


def preview(cortex: Cortex, projects: Sequence[str] | None) -> Plan:
    """Give all that a regeneration would write."""
    cortex.refresh()
    refs = plan_refs(cortex, projects)
    planned = cortex.plan_indexes(cortex.folders(projects))[0]
    return Plan(MESSAGE, (*refs.writes, *(index.write for index in planned if index.write)))
