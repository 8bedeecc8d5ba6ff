"""Claim a task, lay it aside, finish it: what moves one task on, or back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.tasks import transitions
from cortexfs.core.tasks.file_lock import holder
from cortexfs.errors import Refused
from cortexfs.operations.shared.resolve_names import scope
from cortexfs.operations.tasks.completion_evidence import evidence
from cortexfs.operations.tasks.locked_change import change_one
from cortexfs.operations.tasks.read_boards import find

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cortexfs.core.tasks.task import Task
    from cortexfs.core.tasks.transitions import Changes
    from cortexfs.operations.tasks.locked_change import Asking, Changed
    from cortexfs.operations.tasks.read_boards import Boards
    from cortexfs.session.session import Session
    from cortexfs.session.view import FileView


def claim(session: Session, typed: str | None, by: Asking) -> Changed:
    """Take a task, or the next that is ready; raises `TaskTaken` where somebody has."""

    def choose(boards: Boards) -> Task:
        return find(boards, typed, by.project) if typed else _next(session, boards, by)

    def decide(task: Task, boards: Boards) -> Changes:
        return transitions.claim(task, by.owner, boards.backlog)

    return change_one(session, "claim", choose, decide, by)


def unclaim(session: Session, typed: str, by: Asking, *, force: bool) -> Changed:
    """Give a task back."""
    today = session.clock().date()

    def changes(task: Task) -> Changes:
        return transitions.unclaim(task, by.owner, today, force=force)

    return _move(session, "unclaim", typed, changes, by)


def block(session: Session, typed: str, reason: str, by: Asking) -> Changed:
    """Say what a task cannot go on without."""
    return _move(session, "block", typed, lambda task: transitions.block(task, reason), by)


def unblock(session: Session, typed: str, by: Asking) -> Changed:
    """Say that a task can go on."""
    return _move(session, "unblock", typed, transitions.unblock, by)


def pause(session: Session, typed: str, by: Asking) -> Changed:
    """Lay a task aside."""
    return _move(session, "pause", typed, transitions.pause, by)


def resume(session: Session, typed: str, by: Asking) -> Changed:
    """Take up a task that was laid aside."""
    return _move(session, "resume", typed, transitions.resume, by)


def approve(session: Session, typed: str, by: Asking) -> Changed:
    """Allow a task to be done."""
    today = session.clock().date()
    return _move(session, "approve", typed, lambda task: transitions.approve(task, today), by)


def done(session: Session, typed: str, note: str, by: Asking) -> Changed:
    """Finish a task, whether or not something speaks for that."""
    today = session.clock().date()
    was: list[Task] = []

    def changes(task: Task) -> Changes:
        was[:] = [task]
        return transitions.done(task, note, today)

    changed = _move(session, "done", typed, changes, by)
    found = evidence(session, was[0], by.cwd)
    notes = (*changed.notes, *_doubts(was[0], found, by.owner))
    return changed._replace(notes=notes, evidence=found)


def _move(
    session: Session, verb: str, typed: str, changes: Callable[[Task], Changes], by: Asking
) -> Changed:
    """Change a task that was named."""
    return change_one(
        session,
        verb,
        lambda boards: find(boards, typed, by.project),
        lambda task, _: changes(task),
        by,
    )


def _next(view: FileView, boards: Boards, by: Asking) -> Task:
    """Choose the most urgent task that is ready and that nobody keeps locked."""
    now = view.clock()
    for task in boards.backlog.ready(scope(view, by.project, by.cwd)):
        if holder(boards.of(task.project), now) in {"", by.owner}:
            return task
    raise Refused("no task is ready", hint="`cortexfs task list` tells what each waits for")


def _doubts(task: Task, found: str, owner: str) -> Iterator[str]:
    claimant = task.text("claimed-by").strip()
    if claimant and claimant != owner:
        yield f"it was claimed by {claimant}"
    if not found:
        yield f"no evidence: no commit names `{task.id}`, and no path of its done-when is there"
