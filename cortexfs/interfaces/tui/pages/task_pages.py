"""Open tasks, the most urgent first, and one task."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.tasks.task_readiness import TaskState
from cortexfs.interfaces.tui.shown_content import (
    Column,
    Row,
    Subject,
    TableContent,
    Target,
    TextContent,
    Tone,
)
from cortexfs.interfaces.tui.shown_text import (
    cell,
    heading,
    join_parts,
    labelled_lines,
    line,
    make_note,
)

if TYPE_CHECKING:
    from cortexfs.interfaces.tui.page import PanelContext, Request
    from cortexfs.operations.tasks.list_tasks import ListedTask, TaskList

COLUMNS = (
    Column("Task", 5),
    Column("State", 9),
    Column("Priority", 8),
    Column("Project", 14),
    Column("Text", 0),
)
NO_TASKS = "No open tasks: `cortexfs task add` adds one."
TONES = {TaskState.READY: Tone.GOOD, TaskState.BLOCKED: Tone.WARNING, TaskState.DONE: Tone.MUTED}


def load_tasks(context: PanelContext, request: Request) -> TableContent:
    """Return the tasks that are not done."""
    found = _list_tasks(context)
    broken = tuple(
        line(cell(f"{each.path}: {each.message}", Tone.BAD)) for each in found.unreadable
    )
    ready = sum(each.readiness.state is TaskState.READY for each in found.tasks)
    rows = tuple(map(make_task_row, found.tasks[: request.limit]))
    about = f"{ready} ready" if ready else ""
    empty = "" if broken else NO_TASKS
    return TableContent(COLUMNS, rows, len(found.tasks), empty, broken, about=about)


def load_task(context: PanelContext, request: Request) -> TextContent:
    """Return one task with all its fields."""
    from cortexfs.operations.tasks.read_boards import find_task, read_boards

    boards = read_boards(context.session)
    task = find_task(boards, request.argument)
    state = boards.backlog.assess_readiness(task)
    shown = ("id", "text", "status", "priority")
    fields = [(key, _format_value(value)) for key, value in task.fields.items() if key not in shown]
    return TextContent(
        (
            heading(task.description),
            line(""),
            *labelled_lines(
                ("task", f"{task.project}/{task.id}"),
                ("state", join_parts([state.state, state.reason])),
                ("priority", task.priority),
                *fields,
            ),
        ),
        f"{task.project}/{task.id}",
        Subject.TASK,
    )


def make_task_row(listed: ListedTask) -> Row:
    """Return the row of a task."""
    task, readiness = listed
    owner = task.text_field("claimed-by")
    ref = f"{task.project}/{task.id}"
    about = (readiness.reason, f"claimed by {owner}" if owner else "", task.text_field("done-when"))
    return Row(
        (
            cell(task.id, Tone.ACCENT),
            cell(readiness.state, TONES.get(readiness.state, Tone.MUTED)),
            cell(task.priority, Tone.MUTED),
            cell(task.project, Tone.MUTED),
            cell(task.description),
        ),
        ref,
        Subject.TASK,
        Target("task", ref),
        make_note(task.description, ref, *about),
    )


def _list_tasks(context: PanelContext) -> TaskList:
    from cortexfs.operations.tasks.list_tasks import list_tasks

    return list_tasks(context.session, context.session.tree.list_projects(), [])


def _format_value(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)
