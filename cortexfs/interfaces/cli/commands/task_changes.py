"""The commands of `cortexfs task` that change one task, or the lock."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated

import typer

from cortexfs.interfaces.cli import completion, console
from cortexfs.interfaces.cli.command_context import Run, changing
from cortexfs.interfaces.cli.options import Force, Owner, Project, TaskId

if TYPE_CHECKING:
    from collections.abc import Callable

    from cortexfs.core.tasks.task import Task
    from cortexfs.interfaces.cli.console import Voice
    from cortexfs.operations.tasks.locked_change import Asking, Changed


@changing
def claim(
    run: Run,
    ident: Annotated[
        str | None,
        typer.Argument(
            metavar="ID",
            help="Id of the task (default: the next that is ready).",
            autocompletion=completion.tasks,
        ),
    ] = None,
    project: Project = None,
    owner: Owner = None,
) -> None:
    """Claim a task, so that nobody else starts it.

    A task that is already claimed is refused with exit code 4.

    Example: cortexfs task claim 51e0
    """
    from cortexfs.operations.tasks import transitions

    by = asking(run, owner, project)
    done = transitions.claim(run.session(), ident, by)
    answer(run.say, done, f"claimed by {by.owner}", in_full=True)


@changing
def unclaim(
    run: Run, ident: TaskId, force: Force = False, project: Project = None, owner: Owner = None
) -> None:
    """Clear the claim of a task.

    The claim of another owner can be cleared after three days, or with --force.

    Example: cortexfs task unclaim 3fa9 --owner bench-01
    """
    from cortexfs.operations.tasks import transitions

    done = transitions.unclaim(run.session(), ident, asking(run, owner, project), force=force)
    answer(run.say, done, "given back")


@changing
def block(
    run: Run,
    ident: TaskId,
    by: Annotated[str, typer.Option("--by", metavar="TEXT", help="Blocker of the task.")],
    project: Project = None,
    owner: Owner = None,
) -> None:
    """Block a task, and clear its claim.

    Example: cortexfs task block 51e0 --by "an answer from whoever needs single precision"
    """
    from cortexfs.operations.tasks import transitions

    done = transitions.block(run.session(), ident, by, asking(run, owner, project))
    answer(run.say, done, "blocked")


@changing
def done(
    run: Run,
    ident: TaskId,
    note: Annotated[str, typer.Option("--note", metavar="TEXT", help="Result of the task.")] = "",
    project: Project = None,
    owner: Owner = None,
) -> None:
    """Finish a task.

    Looks for evidence: a commit whose message names the id, or an existing path of its
    done-when. Without either it warns, and finishes the task all the same.

    Example: cortexfs task done 51e0 --note "nobody needs it: a tombstone"
    """
    from cortexfs.operations.tasks import transitions

    answer(
        run.say, transitions.done(run.session(), ident, note, asking(run, owner, project)), "done"
    )


SIMPLE = {
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
"""Commands that need to know nothing but the task, and their help."""
DONE = {"unblock": "unblocked", "pause": "paused", "resume": "resumed", "approve": "approved"}
"""What each of them says of the task when it has changed it."""


def _simple(name: str) -> Callable[..., None]:
    """Make one of the simple commands."""

    @changing
    def command(run: Run, ident: TaskId, project: Project = None, owner: Owner = None) -> None:
        from cortexfs.operations.tasks import transitions

        verb: Callable[..., Changed] = getattr(transitions, name)
        answer(run.say, verb(run.session(), ident, asking(run, owner, project)), DONE[name])

    return command


def asking(run: Run, owner: str | None, project: str | None) -> Asking:
    """Tell who asks, where, and how it is to be done."""
    from getpass import getuser

    from cortexfs.core.tasks.file_lock import owner_of
    from cortexfs.operations.tasks.locked_change import Asking

    try:
        login = getuser()
    except (OSError, KeyError):  # a user whom the machine has no name for
        login = f"uid {os.getuid()}"
    name = owner_of(owner, os.environ, login)
    return Asking(name, console.cwd(), project, mode=run.mode)


def answer(say: Voice, changed: Changed, message: str = "", *, in_full: bool = False) -> None:
    """Show what came of a change: its plan, where it was a dry run, else the tasks.

    A `message` is printed with the id of each task.
    """
    from cortexfs.interfaces.json.plan import task

    said = {
        "tasks": [task(each) for each in changed.tasks],
        "evidence": changed.evidence or None,
        "notes": list(changed.notes) or None,
    }
    if say.done(changed.plan, changed.outcome, said):
        for each in changed.tasks:
            say.lines(*(told(each) if in_full else told(each)[:1]))
            if message:
                say.talk(f"{each.id}: {message}")
    for note in changed.notes:
        say.talk(note)


def told(task: Task) -> list[str]:
    """Tell a task in lines: what to do, why, until when, and how."""
    more = {key: task.text(key) for key in ("why", "done-when", "plan")}
    head = f"{task.id} {task.said} ({task.project}, {task.priority})"
    return [head, *(f"- {key}: {said}" for key, said in more.items() if said)]


def register(app: typer.Typer) -> None:
    """Add these commands to `cortexfs task`."""
    for command in (claim, unclaim, block, done):
        app.command()(command)
    for name, said in SIMPLE.items():
        app.command(name, help=said)(_simple(name))
