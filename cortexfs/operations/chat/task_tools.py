"""The tools that list, add and change tasks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.tasks.task_transitions import TaskVerb
from cortexfs.core.tasks.tasks_lock import resolve_owner
from cortexfs.core.text.plural import format_count
from cortexfs.core.text.untrusted_text import clean_line
from cortexfs.operations.chat.chat_tool import ToolOutput
from cortexfs.operations.chat.recall_tools import cut_list
from cortexfs.operations.shared.resolve_names import resolve_project, resolve_scope
from cortexfs.operations.tasks.add_task import TaskDraft, add_task
from cortexfs.operations.tasks.change_several_tasks import TasksRequest, change_several_tasks
from cortexfs.operations.tasks.list_tasks import list_tasks
from cortexfs.operations.tasks.locked_change import TaskCaller

if TYPE_CHECKING:
    from cortexfs.core.tasks.task_and_board import Task
    from cortexfs.core.tools.tool_arguments import Arguments
    from cortexfs.operations.chat.chat_tool import ChatContext


def list_open_tasks(context: ChatContext, given: Arguments) -> ToolOutput:
    """List the tasks that are not done, the most urgent first."""
    projects = resolve_scope(context.session, given.text("project") or None, context.cwd)
    found = list_tasks(context.session, projects, [])
    tasks = [
        clean_line(f"{task.id} ({task.project}, {task.priority}): {task.description}; {why}")
        for task, (_, why) in found.tasks
    ]
    lines = cut_list(tasks, given)
    lines += [clean_line(f"unreadable: {each.path}: {each.message}") for each in found.unreadable]
    head = f"{format_count(len(found.tasks), 'open task')}, the most urgent first:"
    return ToolOutput("\n".join([head, *lines]) if lines else "no open tasks")


def add_one_task(context: ChatContext, given: Arguments) -> ToolOutput:
    """Add a task to a project."""
    project = resolve_project(context.session, given.text("project") or None, context.cwd)
    caller = TaskCaller(_find_owner(context), context.cwd, project, context.mode)
    done = add_task(context.session, project, TaskDraft(given.text("text")), caller)
    return ToolOutput("\n".join(map(_format_task, done.tasks)))


def change_one_task(context: ChatContext, given: Arguments) -> ToolOutput:
    """Claim, block, finish … a task."""
    names = (given.text("task"),)
    verb = TaskVerb(given.text("do"))
    request = TasksRequest(names, verb, given.text("reason"), _find_owner(context))
    done = change_several_tasks(context.session, request, mode=context.mode)
    for _, error in done.refused:
        raise error
    return ToolOutput("\n".join(_format_task(task) for each in done.changed for task in each.tasks))


def _find_owner(context: ChatContext) -> str:
    """Return who changes tasks: as the environment says, or else the login name."""
    return resolve_owner(None, context.environ, context.environ.get("USER") or "chat")


def _format_task(task: Task) -> str:
    return clean_line(f"{task.id} ({task.project}): {task.description} ({task.status})")
