"""Summarize what happens in a tree: commits since a time, reads and writes by day, hot and cold."""

from __future__ import annotations

from collections import Counter
from datetime import date, timedelta
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.lifecycle import IndexMdSection, parse_atom_status
from cortexfs.core.find.atom_filter import AtomFilter
from cortexfs.core.indexes.atom_with_reads import HOT_READ_COUNT, is_past_cold_days
from cortexfs.operations.browse_atoms import find_origins
from cortexfs.operations.removed_atoms import ref_from_path
from cortexfs.session.view import NeededContents

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cortexfs.operations.browse_atoms import RowOrigin
    from cortexfs.session.annotation_types import (
        BrowseRow,
        CommitRecord,
        CommitSummary,
        TreeCommits,
    )
    from cortexfs.session.session import Session
    from cortexfs.session.view import View

ACTIVITY_DAYS = 7 * 26
"""Days of which activity is counted."""
MAX_CHANGES = 30
"""Maximum number of commits that are listed."""
MAX_COUNTED_COLD = 200
"""Maximum number of cold atoms that are counted."""


class ListedChange(NamedTuple):
    """One commit, with the refs that it touched; `is_new` if it is later than the last visit.

    It `is_undoable` if cortexfs made it and nothing has undone it.
    """

    commit: CommitSummary
    refs: tuple[str, ...]
    is_new: bool
    is_undoable: bool


class DayActivity(NamedTuple):
    """The reads and the changed files of one day."""

    day: date
    reads: int
    writes: int


class TreeActivity(NamedTuple):
    """What happened: the latest commits, the number since a time, and each day, oldest first.

    `origins` are those of the listed atoms, by path.
    """

    changes: Sequence[ListedChange]
    new_changes: int
    days: Sequence[DayActivity]
    hot: Sequence[BrowseRow]
    cold: Sequence[BrowseRow]
    cold_count: int
    newest: Sequence[BrowseRow]
    origins: Mapping[str, RowOrigin]
    stored: int
    uncommitted_reason: str
    """Why changes are not recorded; empty if they are."""


def summarize_activity(session: Session, since: str, limit: int = 8) -> TreeActivity:
    """Return the activity of a tree; `since` is the time (ISO 8601, UTC) of the last visit."""
    commits = session.list_commits()
    with session.read(NeededContents.TEXTS, drain=True) as view:
        today = view.clock().date()
        everything = view.make_browse_filter(AtomFilter())
        hot = list(filter(_is_current, view.browse.list_most_read(HOT_READ_COUNT, limit * 4)))
        oldest = view.browse.list_unread(MAX_COUNTED_COLD)
        cold = [
            each for each in oldest if _is_current(each) and is_past_cold_days(each.born, today)
        ]
        newest = view.browse.list_rows(everything, "date", limit, 0, descending=True)
        shown = [*hot[:limit], *cold[:limit], *newest]
        return TreeActivity(
            _list_changes(view, commits.records[:MAX_CHANGES], since),
            sum(record.commit.when > since for record in commits.records),
            _count_days(view, commits, today),
            hot[:limit],
            cold[:limit],
            len(cold),
            newest,
            find_origins(view, commits, [each.path for each in shown]),
            view.browse.count(everything),
            view.repository.missing_reason,
        )


def _is_current(row: BrowseRow) -> bool:
    return parse_atom_status(row.status).section is IndexMdSection.ACTIVE


def _list_changes(view: View, records: Sequence[CommitRecord], since: str) -> list[ListedChange]:
    history = view.repository.history
    undoable = history.list_undoable(records) if history else set[str]()
    changes = []
    for record in records:
        refs = (ref_from_path(view, path) for _, path in record.paths)
        named, commit = tuple(dict.fromkeys(filter(None, refs))), record.commit
        changes.append(ListedChange(commit, named, commit.when > since, commit.commit in undoable))
    return changes


def _count_days(view: View, commits: TreeCommits, today: date) -> list[DayActivity]:
    """Return the days of whole weeks (from Monday) up to today."""
    monday = today - timedelta(days=today.weekday())
    first = monday - timedelta(days=ACTIVITY_DAYS - 7)
    reads = view.browse.count_reads_by_day(first.isoformat())
    writes = Counter[str]()
    for record in commits.records:
        if record.commit.when[:10] < first.isoformat():
            break
        writes[record.commit.when[:10]] += len(record.paths)
    days = (first + timedelta(days=number) for number in range((today - first).days + 1))
    return [
        DayActivity(day, reads.get(day.isoformat(), 0), writes[day.isoformat()]) for day in days
    ]
