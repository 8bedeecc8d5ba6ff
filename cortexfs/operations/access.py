"""What was looked at: the latest looks, the most read atoms, and the log's months."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.access.access_log import read_log
from cortexfs.core.access.rotate_log import plan_rotation, segment
from cortexfs.core.atoms.tree_paths import LOG, LOGS, is_log_name, log_of
from cortexfs.core.changes.plan import Plan
from cortexfs.core.indexes.index_entry import time_of
from cortexfs.operations.shared.resolve_names import project_named
from cortexfs.operations.shared.run_plan import Carried, carried_out

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cortexfs.core.access.access_log import Look
    from cortexfs.core.indexes.index_entry import Entry
    from cortexfs.cortex import Cortex


class Seen(NamedTuple):
    """One look, and the project it was in."""

    project: str
    look: Look


def latest(cortex: Cortex, project: str | None, limit: int) -> list[Seen]:
    """Give the latest looks, newest first."""
    cortex.catch_up()
    seen = [
        Seen(name, look)
        for name in _projects(cortex, project)
        for path in _logs(cortex, name)
        for look in read_log(cortex.tree.text(path) or "")[0]
    ]
    return sorted(seen, key=_when, reverse=True)[:limit]


def _when(seen: Seen) -> tuple[str, str, str]:
    """Order looks by their times in UTC, whatever their lines say them in."""
    ts = time_of(seen.look.ts) or seen.look.ts
    return ts.removesuffix("Z"), seen.project, seen.look.file


def top(cortex: Cortex, project: str | None, limit: int) -> list[Entry]:
    """Give the most read atoms, most read first."""
    _projects(cortex, project)
    cortex.catch_up()
    read = (
        entry
        for entry in cortex.facts.all_entries()
        if entry.total.refs and project in {None, entry.atom.project}
    )
    return sorted(read, key=lambda entry: entry.order)[:limit]


def rotate(
    cortex: Cortex, project: str | None, *, dry_run: bool = False, commit: bool = True
) -> Carried:
    """Move whole past months of the logs into files of their own."""

    def decide(view: Cortex) -> Carried:
        return _decide(view, project)

    return carried_out(cortex, decide, dry_run=dry_run, commit=commit, render=tuple)


def _decide(cortex: Cortex, project: str | None) -> Carried:
    current = f"{cortex.clock():%Y-%m}"
    writes = []
    for name in _projects(cortex, project):
        months = {
            path.rpartition("/")[2].removeprefix("access-log.").removesuffix(".jsonl"): path
            for path in _logs(cortex, name)
            if not path.endswith(f"/{LOG}")
        }
        texts = {month: cortex.tree.text(segment(name, month)) or "" for month in months}
        writes += plan_rotation(name, cortex.tree.text(log_of(name)) or "", texts, current)
    return Carried(Plan("chore: rotate access log", tuple(writes)))


def _projects(cortex: Cortex, project: str | None) -> Sequence[str]:
    return [project_named(cortex, project)] if project else cortex.tree.projects()


def _logs(cortex: Cortex, project: str) -> Iterable[str]:
    folder = f"projects/{project}/{LOGS}"
    return [f"{folder}/{name}" for name in cortex.tree.names(folder) if is_log_name(name)]
