"""Add a task, or split one into several."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.tasks.edit_tasks import TasksEdit
from cortexfs.core.tasks.task_and_board import DONE, MEDIUM, OPEN
from cortexfs.core.tasks.task_fields import TASK_KEYS, YES
from cortexfs.core.tasks.task_ids import find_taken_ids, generate_task_id
from cortexfs.core.tasks.task_times import parse_day_or_none
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
    from cortexfs.session.view import TreeFilesAndGit, View

    Fields = dict[str, FieldValue]


class TaskDraft(NamedTuple):
    """A new task as it was given; `parent` and `depends_on` are ids, `not_before` is a day."""

    text: str
    why: str = ""
    done_when: str = ""
    priority: str = MEDIUM
    template: str = ""
    plan: str = ""
    parent: str = ""
    depends_on: Sequence[str] = ()
    needs_approval: bool = False
    not_before: str = ""

    def to_fields(self) -> Fields:
        """Return the keys of the task with their values; empty ones are left out."""
        fields = {name.replace("_", "-"): value for name, value in self._asdict().items()}
        fields["approval-needed"] = YES if fields.pop("needs-approval") else ""
        return {key: value for key, value in fields.items() if value}


class TaskPart(NamedTuple):
    """One part of a task: the work, and its done-when condition."""

    text: str
    done_when: str = ""


def add_task(
    session: Session, project: str, draft: TaskDraft, caller: TaskCaller
) -> TaskChangeResult:
    """Add a task at the end of a project's list."""

    def decide(view: View) -> TaskChangeResult:
        boards = read_boards(view)
        board = boards.get_board(project)
        require_unlocked(board, caller.owner, view.clock())
        cleaned = _validate_fields(view, boards, draft.to_fields())
        task = _assign_ids(view, boards, [cleaned], caller.owner)[0]
        position = len(board.tasks) + len(board.stray_lines)
        message = f"task add {task['id']}: {task['text']}"
        return plan_board_edit(view, board, TasksEdit(added_tasks=[task]), message, (position,))

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
        inherited = {key: task.text_field(key) for key in ("why", "priority", "template")}
        drafts = [
            _clean_fields(
                {**inherited, "text": p.text, "done-when": p.done_when, "parent": task.id}
            )
            for p in parts
        ]
        tasks = _assign_ids(view, boards, drafts, caller.owner)
        ids = ", ".join(str(each["id"]) for each in tasks)
        message = f"task split {task.id}: {ids}"
        indexes = tuple(range(task.position + 1, task.position + 1 + len(tasks)))
        return plan_board_edit(
            view, board, TasksEdit(added_tasks=tasks, insert_after=task.position), message, indexes
        )

    return change_tasks(session, decide, caller)


def _validate_fields(
    view: TreeFilesAndGit, boards: Boards, fields: Mapping[str, FieldValue]
) -> Fields:
    """Refuse a task for which `task lint` would report an error."""
    cleaned = _clean_fields(fields)
    if template := cleaned.get("template"):
        require_kind(view, str(template))
    not_before = str(cleaned.get("not-before", ""))
    if not_before and parse_day_or_none(not_before) is None:
        raise Refused(f"`{not_before}` is not a date", hint="write it as YYYY-MM-DD")
    for key in ("parent", "depends-on"):
        value = cleaned.get(key, ())
        idents = [value] if isinstance(value, str) else list(value)
        known = [_resolve_task_id(boards, ident) for ident in idents]
        if known:
            cleaned[key] = known[0] if isinstance(value, str) else known
    return cleaned


def _resolve_task_id(boards: Boards, ident: str) -> str:
    """Return the id of a present or past task."""
    archived = ident.strip().rpartition("/")[2]
    return archived if archived in boards.backlog.archived_ids else find_task(boards, ident).id


def _clean_fields(fields: Mapping[str, FieldValue]) -> Fields:
    """Drop empty fields, and put each text on one line."""
    lines = {k: to_one_line(v) if isinstance(v, str) else v for k, v in fields.items()}
    cleaned: Fields = {key: value for key, value in lines.items() if value}
    if not cleaned.get("text"):
        raise Refused("the task has no text", hint='`cortexfs task add "…"`')
    return cleaned


def _assign_ids(
    view: TreeFilesAndGit, boards: Boards, drafts: Sequence[Fields], owner: str
) -> list[Fields]:
    """Give each draft a free id, and its keys in the order of the format.

    The id is the same if the same is planned again on the same day.
    """
    known = find_taken_ids(boards.texts)
    tasks = []
    for draft in drafts:
        ident = generate_task_id(f"{view.clock().date()} {owner} {draft['text']}", known)
        known.add(ident)
        fields: Fields = {"priority": MEDIUM, **draft, "id": ident, "status": OPEN}
        tasks.append({key: fields[key] for key in TASK_KEYS if key in fields})
    return tasks
