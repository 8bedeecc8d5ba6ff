"""List changes: the last changes of a tree, or the history of one atom."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.parse_atom import parse_atom
from cortexfs.core.atoms.tree_paths import parse_atom_path, project_from_path
from cortexfs.core.changes.plan import HOUSEKEEPING_MESSAGES
from cortexfs.core.find.atom_filter import AtomFilter
from cortexfs.operations.removed_atoms import claimed_ref
from cortexfs.operations.shared.filters import require_known_names
from cortexfs.operations.shared.resolve_revision import require_repository, resolve_past_ref

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.atoms.atom import Ref
    from cortexfs.session.annotation_types import Commit, CommitRecord
    from cortexfs.session.session import Session
    from cortexfs.session.view import TreeContext


NO_FILTER = AtomFilter()
"""No filter."""
READ_AHEAD_FACTOR = 8
"""Factor by which more commits are read if a filter leaves too few."""


class LogEntry(NamedTuple):
    """One commit: the refs and the other files that it touched.

    In the history of one atom also its previous path, if it was moved, and its status before and
    after, if that changed.
    """

    commit: Commit
    refs: tuple[Ref, ...] = ()
    other_paths: tuple[str, ...] = ()
    moved_from: str = ""
    status: tuple[str, str] | None = None


def log(
    session: Session, limit: int, only: AtomFilter = NO_FILTER, *, bookkeeping: bool = False
) -> list[LogEntry]:
    """Return the last matching changes of the tree, newest first.

    Housekeeping commits are left out, unless `bookkeeping` is true. The dates of the filters apply
    to the commits.
    """
    history = require_repository(session)
    with session.read() as view:
        require_known_names(view, only)
        passing = () if bookkeeping else HOUSEKEEPING_MESSAGES
        steps: list[CommitRecord] = []
        for most in (limit, limit * READ_AHEAD_FACTOR, 0):
            found = history.list_recent_commits(most, passing)
            steps = [step for step in found if _fits(view, step, only)]
            if len(steps) >= limit or len(found) < most:
                break
        return [_turn(view, step) for step in steps[:limit]]


def _fits(view: TreeContext, step: CommitRecord, only: AtomFilter) -> bool:
    """Return whether a commit matches the dates, and touches an atom or file of the projects."""
    return _is_between(step, only) and (
        not (only.projects or only.kinds)
        or any(
            (not only.projects or project_from_path(path) in only.projects)
            and (not only.kinds or _kind(view, path) in only.kinds)
            for _, path in step.paths
        )
    )


def _is_between(step: CommitRecord, only: AtomFilter) -> bool:
    if not (only.since or only.until):
        return True
    return only.includes_day(date.fromisoformat(step.commit.when[:10]).toordinal())


def _kind(view: TreeContext, path: str) -> str:
    where = parse_atom_path(path, view.kinds)
    return where.kind.name if where else ""


def list_atom_commits(
    session: Session,
    typed: str,
    cwd: str,
    limit: int,
    only: AtomFilter = NO_FILTER,
    *,
    bookkeeping: bool = False,
) -> tuple[Ref, list[LogEntry]]:
    """Return an atom's full ref and its history, newest first, under every name that it has had.

    Of the filters only the dates apply.
    """
    history = require_repository(session)
    with session.read() as view:
        ref, path = resolve_past_ref(view, typed, cwd)
        most = 0 if only.since or only.until else limit + 1
        steps = history.list_file_commits(path, most, () if bookkeeping else HOUSEKEEPING_MESSAGES)
        said = _statuses(view, steps)
        before = [*said[1:], said[-1]] if said else []
        turns = [
            _turn(view, step)._replace(
                moved_from=old if old != new else "",
                status=(was, now) if was and now and was != now else None,
            )
            for step, now, was in zip(steps, said, before, strict=True)
            for old, new in step.paths[:1]
            if _is_between(step, only)
        ]
        return ref, turns[:limit]


def _turn(view: TreeContext, step: CommitRecord) -> LogEntry:
    paths = [new for _, new in step.paths]
    named = {path: claimed_ref(view, path) for path in paths}
    refs = dict.fromkeys(ref for ref in named.values() if ref)
    return LogEntry(step.commit, tuple(refs), tuple(path for path in paths if not named[path]))


def _statuses(view: TreeContext, steps: Sequence[CommitRecord]) -> list[str]:
    """Return the status of the atom after each step; empty if it did not exist."""
    paths = [step.paths[0][1] if step.paths else "" for step in steps]
    wanted = [(step.commit.commit, path) for step, path in zip(steps, paths, strict=True) if path]
    found = iter(require_repository(view).read_contents(wanted))
    return [_status(view, path, next(found)) if path else "" for path in paths]


def _status(view: TreeContext, path: str, content: bytes | None) -> str:
    where = parse_atom_path(path, view.kinds)
    if where is None or content is None:
        return ""
    return (
        parse_atom(path, where, content.decode(errors="replace")).text_field("status") or "active"
    )
