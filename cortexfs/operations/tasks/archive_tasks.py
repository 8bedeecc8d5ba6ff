"""Move tasks that were finished some days ago to the archives of their projects."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.atoms.create_atom import plan_missing_files
from cortexfs.core.changes.plan import Plan, Write
from cortexfs.core.tasks.archive import append_to_archive, find_archivable_tasks, parse_archived_ids
from cortexfs.core.tasks.edit_tasks import TasksEdit, edit_tasks
from cortexfs.core.tasks.task import ARCHIVE_FILE, archive_path
from cortexfs.core.tasks.tasks_lock import require_unlocked
from cortexfs.errors import CortexError, Refused
from cortexfs.operations.shared.derived_files import add_derived_writes
from cortexfs.operations.tasks.locked_change import TaskChangeResult, change_tasks
from cortexfs.operations.tasks.read_boards import read_boards, read_optional_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.tasks.task import Task, TaskBoard
    from cortexfs.operations.tasks.locked_change import TaskCaller
    from cortexfs.session.session import Session
    from cortexfs.session.view import TreeContext, View


class ArchivedTasks(NamedTuple):
    """The tasks moved from one board to its archive, and why others are not."""

    tasks: tuple[Task, ...] = ()
    writes: tuple[Write, ...] = ()
    notes: tuple[str, ...] = ()


def archive_tasks(
    session: Session, projects: Sequence[str], caller: TaskCaller
) -> TaskChangeResult:
    """Archive the finished tasks of some projects; an error in a file affects its project only."""

    def decide(view: View) -> TaskChangeResult:
        boards = read_boards(view)
        moved = {
            name: _moved(view, boards.boards[name], caller)
            for name in projects
            if name in boards.boards
        }
        writes = [write for each in moved.values() for write in each.writes]
        notes = [f"{f.path}:{f.line}: {f.message}" for f in boards.list_flaws(list(projects))]
        notes += [note for each in moved.values() for note in each.notes]
        counts = "; ".join(f"{name}: {len(m.tasks)}" for name, m in moved.items() if m.tasks)
        plan = Plan(
            f"task archive {counts}", tuple(add_derived_writes(view, writes) if writes else ())
        )
        tasks = tuple(task for each in moved.values() for task in each.tasks)
        return TaskChangeResult(tasks, plan, tuple(dict.fromkeys(notes)))

    return change_tasks(session, decide, caller)


def _moved(view: TreeContext, board: TaskBoard, by: TaskCaller) -> ArchivedTasks:
    try:
        require_unlocked(board, by.owner, view.clock())
        tasks, text = _taken_out(board, find_archivable_tasks(board, view.clock().date()))
    except CortexError as error:
        return ArchivedTasks(notes=(str(error),))
    if not tasks:
        return ArchivedTasks()
    path = archive_path(board.project)
    present = read_optional_text(view, path)
    if isinstance(present, Flaw):
        return ArchivedTasks(notes=(f"{path}:{present.line}: {present.message}",))
    head = _beginning(view, board.project, path) if present is None else present
    known = parse_archived_ids(head)
    added = append_to_archive(head, [task for task in tasks if task.id not in known])
    writes = (Write(path, added, present), Write(board.path, text, board.text))
    changed = tuple(write for write in writes if write.text != write.expected_text)
    return ArchivedTasks(tasks, changed)


def _taken_out(board: TaskBoard, tasks: tuple[Task, ...]) -> tuple[tuple[Task, ...], str]:
    """Return the tasks that can be removed, and the text without them."""
    text = board.text or ""
    if not tasks:
        return (), text
    try:
        return tasks, edit_tasks(board.path, text, TasksEdit(removed_indexes=_indexes(tasks)))
    except Refused:
        chosen: tuple[Task, ...] = ()
    for task in tasks:
        try:
            text = edit_tasks(
                board.path, board.text or "", TasksEdit(removed_indexes=_indexes((*chosen, task)))
            )
        except Refused:
            continue
        chosen += (task,)
    return chosen, text


def _indexes(tasks: Sequence[Task]) -> frozenset[int]:
    return frozenset(task.position for task in tasks)


def _beginning(view: TreeContext, project: str, path: str) -> str:
    """Return the initial text of an archive."""
    template = view.tree.read_templates("project")[ARCHIVE_FILE]
    return plan_missing_files({path: template}, {}, {"project": project})[0].text
