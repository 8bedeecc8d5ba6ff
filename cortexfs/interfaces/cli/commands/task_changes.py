"""The commands of `cortexfs task` that change one task, or the lock."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cortexfs.interfaces.cli import completion
from cortexfs.interfaces.cli.command_context import CommandContext, change_command
from cortexfs.interfaces.cli.options import Force, Owner, Project, TaskId

if TYPE_CHECKING:
    from collections.abc import Callable

    from cortexfs.core.tasks.task_and_board import Task
    from cortexfs.interfaces.cli.console import OutputPrinter
    from cortexfs.operations.tasks.locked_change import TaskCaller, TaskChangeResult


@change_command
def claim(
    run: CommandContext,
    ident: Annotated[
        str | None,
        typer.Argument(
            metavar="ID",
            help="Id of the task (default: the most urgent one that is ready).",
            autocompletion=completion.complete_tasks,
        ),
    ] = None,
    project: Project = None,
    owner: Owner = None,
) -> None:
    """Claim a task, so that no other owner starts it.

    A task that is already claimed is refused with exit code 4.

    Example: cortexfs task claim 51e0
    """
    from cortexfs.operations.tasks import transitions

    by = make_caller(run, owner, project)
    done = transitions.claim(run.open_session(), ident, by)
    print_task_change(run.output, done, f"claimed by {by.owner}", in_full=True)


@change_command
def unclaim(
    run: CommandContext,
    ident: TaskId,
    force: Force = False,
    project: Project = None,
    owner: Owner = None,
) -> None:
    """Clear the claim of a task.

    The claim of another owner can be cleared after three days, or with --force.

    Example: cortexfs task unclaim 3fa9 --owner bench-01
    """
    from cortexfs.operations.tasks import transitions

    done = transitions.unclaim(
        run.open_session(), ident, make_caller(run, owner, project), force=force
    )
    print_task_change(run.output, done, "claim cleared")


@change_command
def block(
    run: CommandContext,
    ident: TaskId,
    by: Annotated[str, typer.Option("--by", metavar="TEXT", help="What blocks the task.")],
    project: Project = None,
    owner: Owner = None,
) -> None:
    """Block a task, and clear its claim.

    Example: cortexfs task block 51e0 --by "an answer from whoever needs single precision"
    """
    from cortexfs.operations.tasks import transitions

    done = transitions.block(run.open_session(), ident, by, make_caller(run, owner, project))
    print_task_change(run.output, done, "blocked")


@change_command
def done(
    run: CommandContext,
    ident: TaskId,
    note: Annotated[str, typer.Option("--note", metavar="TEXT", help="Result of the task.")] = "",
    project: Project = None,
    owner: Owner = None,
) -> None:
    """Finish a task.

    A task that another owner has claimed is finished too; a note names that owner.

    Looks for evidence: a commit whose message contains the id, or an existing path from its
    `done-when`. Without either, prints a message, and finishes the task anyway.

    Example: cortexfs task done 51e0 --note "nobody needs it: a tombstone"
    """
    from cortexfs.operations.tasks import transitions

    print_task_change(
        run.output,
        transitions.finish(run.open_session(), ident, note, make_caller(run, owner, project)),
        "done",
    )


SIMPLE_COMMANDS = {
    "unblock": """Unblock a task: it is no longer blocked or pending.

    Example: cortexfs task unblock c4d2
    """,
    "pause": """Pause a task, and clear its claim.

    Example: cortexfs task pause 51e0
    """,
    "resume": """Resume a paused task.

    Example: cortexfs task resume f16a
    """,
    "approve": """Approve a task that needs approval.

    Example: cortexfs task approve a2f4
    """,
}
"""Commands whose only argument is the task, and their help."""
RESULT_WORDS = {
    "unblock": "unblocked",
    "pause": "paused",
    "resume": "resumed",
    "approve": "approved",
}
"""The word for the result of each command."""


def _make_simple_command(name: str) -> Callable[..., None]:
    """Return one of the simple commands."""

    @change_command
    def command(
        run: CommandContext, ident: TaskId, project: Project = None, owner: Owner = None
    ) -> None:
        from cortexfs.operations.tasks import transitions

        verb: Callable[..., TaskChangeResult] = getattr(transitions, name)
        print_task_change(
            run.output,
            verb(run.open_session(), ident, make_caller(run, owner, project)),
            RESULT_WORDS[name],
        )

    return command


def make_caller(run: CommandContext, owner: str | None, project: str | None) -> TaskCaller:
    """Return the caller: its owner name, working directory, project and write mode."""
    from cortexfs.interfaces.owner_name import find_owner_name
    from cortexfs.operations.tasks.locked_change import TaskCaller

    return TaskCaller(find_owner_name(owner), run.cwd, project, mode=run.mode)


def print_task_change(
    output: OutputPrinter, changed: TaskChangeResult, message: str = "", *, in_full: bool = False
) -> None:
    """Print the result of a change: its plan after a dry run, else the tasks.

    A `message` is printed with the id of each task.
    """
    from cortexfs.interfaces.json.tasks import to_task_json

    document = {
        "tasks": [to_task_json(each) for each in changed.tasks],
        "evidence": changed.evidence or None,
        "notes": list(changed.notes) or None,
    }
    if output.print_result(changed.plan, changed.outcome, document):
        for each in changed.tasks:
            output.print_lines(*(format_task(each) if in_full else format_task(each)[:1]))
            if message:
                output.print_message(f"{each.id}: {message}")
    for note in changed.notes:
        output.print_message(f"note: {note}")


def format_task(task: Task) -> list[str]:
    """Return a task as lines: what to do, why, until when, and how."""
    details = {key: task.text_field(key) for key in ("why", "done-when", "plan")}
    head = f"{task.id} {task.description} ({task.project}, {task.priority})"
    return [head, *(f"- {key}: {value}" for key, value in details.items() if value)]


def register_commands(app: typer.Typer) -> None:
    """Add these commands to `cortexfs task`."""
    for command in (claim, unclaim, block, done):
        app.command()(command)
    for name, help_text in SIMPLE_COMMANDS.items():
        app.command(name, help=help_text)(_make_simple_command(name))
