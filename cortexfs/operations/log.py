"""List changes: the last changes of a tree, or the history of one atom."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.parse_atom import parse_atom
from cortexfs.core.atoms.tree_paths import parse_atom_path, project_from_path
from cortexfs.core.changes.plan import HOUSEKEEPING_MESSAGES
from cortexfs.core.find.atom_filter import AtomFilter
from cortexfs.operations.removed_atoms import ref_from_path
from cortexfs.operations.shared.filters import require_known_filter_names
from cortexfs.operations.shared.resolve_revision import (
    iter_contents,
    require_repository,
    resolve_past_ref,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.atoms.atom import Ref
    from cortexfs.session.annotation_types import CommitRecord, CommitSummary
    from cortexfs.session.session import Session
    from cortexfs.session.view import TreeFilesAndGit


NO_FILTER = AtomFilter()
"""No filter."""
READ_AHEAD_FACTOR = 8
"""Factor by which more commits are read if too few match a filter."""


class LogEntry(NamedTuple):
    """One commit: the refs and the other files that it touched.

    In the history of one atom also its previous path, if it was moved, and its status before and
    after, if that changed.
    """

    commit: CommitSummary
    refs: tuple[Ref, ...] = ()
    other_paths: tuple[str, ...] = ()
    moved_from: str = ""
    status: tuple[str, str] | None = None


def log(
    session: Session, limit: int, only: AtomFilter = NO_FILTER, *, with_housekeeping: bool = False
) -> list[LogEntry]:
    """Return the last matching changes of the tree, newest first.

    Housekeeping commits are left out, unless `bookkeeping` is true. The dates of the filters apply
    to the commits.
    """
    history = require_repository(session)
    with session.read() as view:
        require_known_filter_names(view, only)
        skipped_messages = () if with_housekeeping else HOUSEKEEPING_MESSAGES
        records: list[CommitRecord] = []
        for max_records in (limit, limit * READ_AHEAD_FACTOR, 0):
            found = history.list_recent_commits(max_records, skipped_messages)
            records = [record for record in found if _matches_filter(view, record, only)]
            if len(records) >= limit or len(found) < max_records:
                break
        return [_make_entry(view, record) for record in records[:limit]]


def _matches_filter(view: TreeFilesAndGit, record: CommitRecord, only: AtomFilter) -> bool:
    """Return whether a commit matches the dates, and touches an atom or file of the projects."""
    return _is_in_date_range(record, only) and (
        not (only.projects or only.kinds)
        or any(
            (not only.projects or project_from_path(path) in only.projects)
            and (not only.kinds or _kind_name(view, path) in only.kinds)
            for _, path in record.paths
        )
    )


def _is_in_date_range(record: CommitRecord, only: AtomFilter) -> bool:
    if not (only.since or only.until):
        return True
    return only.includes_day(date.fromisoformat(record.commit.when[:10]).toordinal())


def _kind_name(view: TreeFilesAndGit, path: str) -> str:
    where = parse_atom_path(path, view.kinds)
    return where.kind.name if where else ""


def list_atom_commits(
    session: Session,
    typed: str,
    cwd: str,
    limit: int,
    only: AtomFilter = NO_FILTER,
    *,
    with_housekeeping: bool = False,
) -> tuple[Ref, list[LogEntry]]:
    """Return an atom's full ref and its history, newest first, under every name that it has had.

    Of the filters only the dates apply.
    """
    history = require_repository(session)
    with session.read() as view:
        ref, path = resolve_past_ref(view, typed, cwd)
        max_records = 0 if only.since or only.until else limit + 1
        records = history.list_file_commits(
            path, max_records, () if with_housekeeping else HOUSEKEEPING_MESSAGES
        )
        statuses = _read_statuses(view, records)
        changes = zip(statuses, [*statuses[1:], *statuses[-1:]], strict=True)
        entries = [
            _make_entry(view, record)._replace(
                moved_from=old if old != new else "",
                status=(before, after) if before and after and before != after else None,
            )
            for record, (after, before) in zip(records, changes, strict=True)
            for old, new in record.paths[:1]
            if _is_in_date_range(record, only)
        ]
        return ref, entries[:limit]


def _make_entry(view: TreeFilesAndGit, record: CommitRecord) -> LogEntry:
    paths = [new for _, new in record.paths]
    named = {path: ref_from_path(view, path) for path in paths}
    refs = dict.fromkeys(ref for ref in named.values() if ref)
    return LogEntry(record.commit, tuple(refs), tuple(path for path in paths if not named[path]))


def _read_statuses(view: TreeFilesAndGit, records: Sequence[CommitRecord]) -> list[str]:
    """Return the status of the atom after each commit; empty if it did not exist."""
    paths = [record.paths[0][1] if record.paths else "" for record in records]
    wanted = [
        (record.commit.commit, path) for record, path in zip(records, paths, strict=True) if path
    ]
    contents = iter_contents(require_repository(view), wanted)
    return [_parse_status(view, path, next(contents)) if path else "" for path in paths]


def _parse_status(view: TreeFilesAndGit, path: str, content: bytes | None) -> str:
    where = parse_atom_path(path, view.kinds)
    if where is None or content is None:
        return ""
    return (
        parse_atom(path, where, content.decode(errors="replace")).text_field("status") or "active"
    )
