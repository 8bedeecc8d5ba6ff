"""Move tasks that were finished some days ago to the archives of their projects."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.atoms.create_atom import plan_missing
from cortexfs.core.changes.plan import Plan, Write
from cortexfs.core.tasks.archive import archivable, archived_ids, with_tasks
from cortexfs.core.tasks.edit_tasks import Edit, edit
from cortexfs.core.tasks.file_lock import refuse_locked
from cortexfs.core.tasks.task import ARCHIVE, archive_of
from cortexfs.errors import CortexError, Refused
from cortexfs.operations.shared.derived_files import with_listings
from cortexfs.operations.tasks.locked_change import Changed, change
from cortexfs.operations.tasks.read_boards import read_boards, text_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.tasks.task import Board, Task
    from cortexfs.operations.tasks.locked_change import Asking
    from cortexfs.session.session import Session
    from cortexfs.session.view import FileView, View


class Moved(NamedTuple):
    """What goes from one board to its archive, and why some of it does not."""

    tasks: tuple[Task, ...] = ()
    writes: tuple[Write, ...] = ()
    notes: tuple[str, ...] = ()


def archive(session: Session, projects: Sequence[str], by: Asking) -> Changed:
    """Archive the finished tasks of some projects; a file in the way stops only its own project."""

    def decide(view: View) -> Changed:
        boards = read_boards(view)
        moved = {
            name: _moved(view, boards.boards[name], by)
            for name in projects
            if name in boards.boards
        }
        writes = [write for each in moved.values() for write in each.writes]
        notes = [f"{f.path}:{f.line}: {f.message}" for f in boards.flaws(list(projects))]
        notes += [note for each in moved.values() for note in each.notes]
        counts = "; ".join(f"{name}: {len(m.tasks)}" for name, m in moved.items() if m.tasks)
        plan = Plan(f"task archive {counts}", tuple(with_listings(view, writes) if writes else ()))
        tasks = tuple(task for each in moved.values() for task in each.tasks)
        return Changed(tasks, plan, tuple(dict.fromkeys(notes)))

    return change(session, decide, by)


def _moved(view: FileView, board: Board, by: Asking) -> Moved:
    try:
        refuse_locked(board, by.owner, view.clock())
        tasks, text = _taken_out(board, archivable(board, view.clock().date()))
    except CortexError as error:
        return Moved(notes=(str(error),))
    if not tasks:
        return Moved()
    path = archive_of(board.project)
    present = text_of(view, path)
    if isinstance(present, Flaw):
        return Moved(notes=(f"{path}:{present.line}: {present.message}",))
    head = _beginning(view, board.project, path) if present is None else present
    known = archived_ids(head)
    added = with_tasks(head, [task for task in tasks if task.id not in known])
    writes = (Write(path, added, present), Write(board.path, text, board.text))
    changed = tuple(write for write in writes if write.text != write.replacing)
    return Moved(tasks, changed)


def _taken_out(board: Board, tasks: tuple[Task, ...]) -> tuple[tuple[Task, ...], str]:
    """Take all of them out, or those that nothing else in the file hangs on."""
    text = board.text or ""
    if not tasks:
        return (), text
    try:
        return tasks, edit(board.path, text, Edit(dropped=_indexes(tasks)))
    except Refused:
        chosen: tuple[Task, ...] = ()
    for task in tasks:
        try:
            text = edit(board.path, board.text or "", Edit(dropped=_indexes((*chosen, task))))
        except Refused:
            continue
        chosen += (task,)
    return chosen, text


def _indexes(tasks: Sequence[Task]) -> frozenset[int]:
    return frozenset(task.at for task in tasks)


def _beginning(view: FileView, project: str, path: str) -> str:
    """Give the text that an archive begins with."""
    template = view.tree.templates("project")[ARCHIVE]
    return plan_missing({path: template}, {}, {"project": project})[0].text
