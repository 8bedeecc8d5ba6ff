"""Move tasks that were finished some days ago to the archives of their projects."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.atoms.create_atom import plan_missing_files
from cortexfs.core.changes.plan import Plan, Write
from cortexfs.core.tasks.archive import append_to_archive, find_archivable_tasks, parse_archived_ids
from cortexfs.core.tasks.edit_tasks import TasksEdit, edit_tasks
from cortexfs.core.tasks.task_and_board import ARCHIVE_FILE, archive_path
from cortexfs.core.tasks.tasks_lock import require_unlocked
from cortexfs.errors import CortexError, Refused
from cortexfs.operations.shared.cortex_md_and_overview import add_derived_writes
from cortexfs.operations.tasks.locked_change import TaskChangeResult, change_tasks
from cortexfs.operations.tasks.read_boards import read_boards, read_optional_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.tasks.task_and_board import Task, TaskBoard
    from cortexfs.operations.tasks.locked_change import TaskCaller
    from cortexfs.session.session import Session
    from cortexfs.session.view import TreeFilesAndGit, View


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
        archived = {
            name: _archive_board(view, boards.boards[name], caller)
            for name in projects
            if name in boards.boards
        }
        writes = [write for each in archived.values() for write in each.writes]
        notes = [f"{f.path}:{f.line}: {f.message}" for f in boards.list_flaws(list(projects))]
        notes += [note for each in archived.values() for note in each.notes]
        counts = "; ".join(f"{name}: {len(m.tasks)}" for name, m in archived.items() if m.tasks)
        plan = Plan(
            f"task archive {counts}", tuple(add_derived_writes(view, writes) if writes else ())
        )
        tasks = tuple(task for each in archived.values() for task in each.tasks)
        return TaskChangeResult(tasks, plan, tuple(dict.fromkeys(notes)))

    return change_tasks(session, decide, caller)


def _archive_board(view: TreeFilesAndGit, board: TaskBoard, caller: TaskCaller) -> ArchivedTasks:
    try:
        require_unlocked(board, caller.owner, view.clock())
        tasks = _choose_removable(board, find_archivable_tasks(board, view.clock().date()))
    except CortexError as error:
        return ArchivedTasks(notes=(str(error),))
    if not tasks:
        return ArchivedTasks()
    path = archive_path(board.project)
    present = read_optional_text(view, path)
    if isinstance(present, Flaw):
        return ArchivedTasks(notes=(f"{path}:{present.line}: {present.message}",))
    start = _render_starting_text(view, board.project, path) if present is None else present
    text = _remove_tasks(board, tasks)
    archived_ids = parse_archived_ids(start)
    archive_text = append_to_archive(start, [task for task in tasks if task.id not in archived_ids])
    writes = (Write(path, archive_text, present), Write(board.path, text, board.text))
    changed = tuple(write for write in writes if write.text != write.expected_text)
    return ArchivedTasks(tasks, changed)


def _choose_removable(
    board: TaskBoard, tasks: tuple[Task, ...], chosen: tuple[Task, ...] = ()
) -> tuple[Task, ...]:
    """Return `chosen`, and those of `tasks` that can be removed with them.

    If not all can be, each half is tried: each edit parses the file, so few are made.
    """
    try:
        _remove_tasks(board, (*chosen, *tasks))
    except Refused:
        middle = len(tasks) // 2
        for half in (tasks[:middle], tasks[middle:]) if middle else ():
            chosen = _choose_removable(board, half, chosen)
        return chosen
    return (*chosen, *tasks)


def _remove_tasks(board: TaskBoard, tasks: tuple[Task, ...]) -> str:
    """Return the text of a board without some tasks."""
    positions = frozenset(task.position for task in tasks)
    return edit_tasks(board.path, board.text or "", TasksEdit(removed_indexes=positions))


def _render_starting_text(view: TreeFilesAndGit, project: str, path: str) -> str:
    """Return the initial text of an archive."""
    template = view.tree.read_templates("project")[ARCHIVE_FILE]
    return plan_missing_files({path: template}, {}, {"project": project})[0].text
