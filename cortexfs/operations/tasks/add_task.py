"""Add a task, or split one into several."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.tasks.edit_tasks import TasksEdit
from cortexfs.core.tasks.task import DONE, MEDIUM, OPEN
from cortexfs.core.tasks.task_fields import TASK_KEYS
from cortexfs.core.tasks.task_ids import find_taken_ids, generate_task_id
from cortexfs.core.tasks.task_times import parse_day
from cortexfs.core.tasks.tasks_lock import require_unlocked
from cortexfs.core.text.sanitize import to_one_line
from cortexfs.errors import Refused
from cortexfs.operations.shared.resolve_names import require_kind
from cortexfs.operations.tasks.locked_change import change_tasks, plan_board_edit
from cortexfs.operations.tasks.read_boards import find_task, read_boards

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cortexfs.core.tasks.task_fields import FieldValue
    from cortexfs.operations.tasks.locked_change import TaskCaller, TaskChangeResult
    from cortexfs.operations.tasks.read_boards import Boards
    from cortexfs.session.session import Session
    from cortexfs.session.view import TreeContext, View

    Fields = dict[str, FieldValue]


class TaskPart(NamedTuple):
    """One part of a task: the work, and its done-when condition."""

    text: str
    done_when: str = ""


def add_task(
    session: Session, project: str, fields: Mapping[str, FieldValue], caller: TaskCaller
) -> TaskChangeResult:
    """Add a task at the end of a project's list; empty keys are left out."""

    def decide(view: View) -> TaskChangeResult:
        boards = read_boards(view)
        board = boards.get_board(project)
        require_unlocked(board, caller.owner, view.clock())
        given = _checked(view, boards, fields)
        task = _numbered(view, boards, [given])[0]
        at = len(board.tasks) + len(board.stray_lines)
        message = f"task add {task['id']}: {task['text']}"
        return plan_board_edit(view, board, TasksEdit(added_tasks=[task]), message, (at,))

    return change_tasks(session, decide, caller)


def split_task(
    session: Session, typed: str, parts: Sequence[TaskPart], caller: TaskCaller
) -> TaskChangeResult:
    """Insert parts after a task, which then depends on them.

    Each part gets the why, priority and template of the task.
    """

    def decide(view: View) -> TaskChangeResult:
        boards = read_boards(view)
        task = find_task(boards, typed, caller.project)
        if task.status == DONE:
            raise Refused(f"task `{task.id}` is done")
        board = boards.get_board(task.project)
        require_unlocked(board, caller.owner, view.clock())
        kept = {key: task.text_field(key) for key in ("why", "priority", "template")}
        drafts = [
            _said({**kept, "text": p.text, "done-when": p.done_when, "parent": task.id})
            for p in parts
        ]
        tasks = _numbered(view, boards, drafts)
        named = ", ".join(str(each["id"]) for each in tasks)
        message = f"task split {task.id}: {named}"
        indexes = tuple(range(task.position + 1, task.position + 1 + len(tasks)))
        return plan_board_edit(
            view, board, TasksEdit(added_tasks=tasks, insert_after=task.position), message, indexes
        )

    return change_tasks(session, decide, caller)


def _checked(view: TreeContext, boards: Boards, fields: Mapping[str, FieldValue]) -> Fields:
    """Refuse a task for which `task lint` would report an error."""
    given = _said(fields)
    if template := given.get("template"):
        require_kind(view, str(template))
    not_before = str(given.get("not-before", ""))
    if not_before and parse_day(not_before) is None:
        raise Refused(f"`{not_before}` is no date", hint="write it as YYYY-MM-DD")
    for key in ("parent", "depends-on"):
        named = given.get(key, ())
        idents = [named] if isinstance(named, str) else list(named)
        known = [_known(boards, ident) for ident in idents]
        if known:
            given[key] = known[0] if isinstance(named, str) else known
    return given


def _known(boards: Boards, ident: str) -> str:
    """Return the id of a present or past task."""
    archived = ident.strip().rpartition("/")[2]
    return archived if archived in boards.backlog.archived_ids else find_task(boards, ident).id


def _said(fields: Mapping[str, FieldValue]) -> Fields:
    """Drop empty fields, and put each text on one line."""
    lines = {k: to_one_line(v) if isinstance(v, str) else v for k, v in fields.items()}
    given: Fields = {key: value for key, value in lines.items() if value}
    if not given.get("text"):
        raise Refused("what is to be done?", hint='`cortexfs task add "…"`')
    return given


def _numbered(view: TreeContext, boards: Boards, drafts: Sequence[Fields]) -> list[Fields]:
    """Give each draft a free id, and its keys in the order of the format."""
    known = find_taken_ids(boards.texts)
    tasks = []
    for draft in drafts:
        ident = generate_task_id(f"{view.clock().isoformat()} {draft['text']}", known)
        known.add(ident)
        whole: Fields = {"priority": MEDIUM, **draft, "id": ident, "status": OPEN}
        tasks.append({key: whole[key] for key in TASK_KEYS if key in whole})
    return tasks
