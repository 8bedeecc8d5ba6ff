"""The commands of `cortexfs task` that add tasks, move them, or lock a whole file."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from cortexfs.core.tasks.task_and_board import HIGH, LOW, MEDIUM
from cortexfs.core.tasks.tasks_lock import DEFAULT_MINUTES
from cortexfs.core.text.plural import format_count
from cortexfs.interfaces.cli.command_context import CommandContext, change_command
from cortexfs.interfaces.cli.commands.task_changes import make_caller, print_task_change
from cortexfs.interfaces.cli.options import Force, Owner, Project, StringList, TaskId


class Priority(StrEnum):
    """Priorities of a task."""

    HIGH = HIGH
    MEDIUM = MEDIUM
    LOW = LOW


@change_command
def add(
    run: CommandContext,
    text: Annotated[str, typer.Argument(help="Text of the task.")],
    why: Annotated[str, typer.Option("--why", metavar="TEXT", help="Reason for the task.")] = "",
    done_when: Annotated[
        str,
        typer.Option(
            "--done-when", metavar="TEXT", help="Condition for being done; best with a path."
        ),
    ] = "",
    priority: Annotated[
        Priority, typer.Option("--priority", help="Priority of the task.")
    ] = Priority.MEDIUM,
    template: Annotated[
        str,
        typer.Option("--template", metavar="KIND", help="Kind of the atom that the task produces."),
    ] = "",
    plan: Annotated[str, typer.Option("--plan", metavar="TEXT", help="How to do it.")] = "",
    depends_on: Annotated[
        StringList,
        typer.Option(
            "--depends-on", metavar="ID", help="Id of a task to finish first; may be repeated."
        ),
    ] = None,
    parent: Annotated[
        str, typer.Option("--parent", metavar="ID", help="Id of the parent task.")
    ] = "",
    not_before: Annotated[
        str, typer.Option("--not-before", metavar="DATE", help="Earliest day to start.")
    ] = "",
    approval_needed: Annotated[
        bool, typer.Option("--approval-needed", help="Wait for `task approve`.")
    ] = False,
    project: Project = None,
    owner: Owner = None,
) -> None:
    """Add a task.

    It belongs to --project, else to the project of the working directory, else to the only one.

    Example: cortexfs task add "Time the decoder" -p driftwood --done-when bench/decode.csv
    """
    from cortexfs.operations.tasks.add_task import TaskDraft, add_task

    session, within = run.open_project(project)
    draft = TaskDraft(
        text,
        why=why,
        done_when=done_when,
        priority=priority.value,
        template=template,
        plan=plan,
        parent=parent,
        depends_on=[word for each in depends_on or () for word in each.split(",") if word],
        needs_approval=approval_needed,
        not_before=not_before,
    )
    print_task_change(run.output, add_task(session, within, draft, make_caller(run, owner, within)))


@change_command
def split(
    run: CommandContext,
    ident: TaskId,
    texts: Annotated[list[str], typer.Argument(metavar="TEXT...", help="Text of each part.")],
    done_when: Annotated[
        StringList,
        typer.Option(
            "--done-when", metavar="TEXT", help="Done condition; once for each part, in order."
        ),
    ] = None,
    project: Project = None,
    owner: Owner = None,
) -> None:
    """Split a task into parts, which must be done before it.

    Each part gets the reason, priority and template of the task, and waits for all that it waits
    for.

    Example: cortexfs task split b07c "Code for runs" "Sizes on hive" --done-when src/runs.rs
    """
    from cortexfs.errors import Usage
    from cortexfs.operations.tasks.add_task import TaskPart, split_task

    shown = done_when or []
    if len(shown) > len(texts):
        raise Usage("more --done-when than parts", hint="give one for each part, in order")
    parts = [TaskPart(text, shown[at] if at < len(shown) else "") for at, text in enumerate(texts)]
    print_task_change(
        run.output, split_task(run.open_session(), ident, parts, make_caller(run, owner, project))
    )


@change_command
def archive(run: CommandContext, project: Project = None, owner: Owner = None) -> None:
    """Move tasks finished more than three days ago to tasks-archive.md.

    Default: the tasks of the project of the working directory, else of all projects.

    Example: cortexfs task archive
    """
    from cortexfs.operations.tasks.archive_tasks import archive_tasks

    moved = archive_tasks(*run.open_scope(project), make_caller(run, owner, project))
    print_task_change(run.output, moved)
    if moved.outcome:
        run.output.print_message(f"{format_count(len(moved.tasks), 'task')} archived")


@change_command
def lock(
    run: CommandContext,
    minutes: Annotated[
        int, typer.Option("--minutes", min=1, help="Minutes to hold the lock.")
    ] = DEFAULT_MINUTES,
    note: Annotated[str, typer.Option("--note", metavar="TEXT", help="Reason for the lock.")] = "",
    project: Project = None,
    owner: Owner = None,
) -> None:
    """Lock the tasks of a project while you edit TASKS.yaml by hand.

    Your own lock is extended; an expired lock of another owner is replaced.

    Example: cortexfs task lock -p driftwood --note "sorting"
    """
    from cortexfs.operations.tasks import lock_tasks

    session, within = run.open_project(project)
    by = make_caller(run, owner, within)
    print_task_change(
        run.output, lock_tasks.lock_tasks(session, within, by, minutes=minutes, note=note)
    )
    run.output.print_message(
        f"{within}: locked by {by.owner} for {format_count(minutes, 'minute')}"
    )


@change_command
def unlock(
    run: CommandContext, force: Force = False, project: Project = None, owner: Owner = None
) -> None:
    """Unlock the tasks of a project.

    Example: cortexfs task unlock -p driftwood
    """
    from cortexfs.operations.tasks import lock_tasks

    session, within = run.open_project(project)
    print_task_change(
        run.output,
        lock_tasks.unlock_tasks(session, within, make_caller(run, owner, within), force=force),
    )


def register_commands(app: typer.Typer) -> None:
    """Add these commands to `cortexfs task`."""
    for command in (add, split, archive, lock, unlock):
        app.command()(command)
