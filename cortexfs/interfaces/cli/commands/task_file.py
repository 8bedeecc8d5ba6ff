"""The commands of `cortexfs task` that add tasks, move them, or lock a whole file."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from cortexfs.core.tasks.file_lock import MINUTES
from cortexfs.core.tasks.task import HIGH, LOW, MEDIUM
from cortexfs.core.text.plural import counted
from cortexfs.interfaces.cli.command_context import Run, changing
from cortexfs.interfaces.cli.commands.task_changes import answer, asking
from cortexfs.interfaces.cli.options import Force, Owner, Project, TaskId, Words


class Priority(StrEnum):
    """How urgent a task is."""

    HIGH = HIGH
    MEDIUM = MEDIUM
    LOW = LOW


@changing
def add(
    run: Run,
    text: Annotated[str, typer.Argument(help="What is to be done.")],
    why: Annotated[str, typer.Option("--why", help="Why.")] = "",
    done_when: Annotated[
        str, typer.Option("--done-when", help="How it shows that it is done; best with a path.")
    ] = "",
    priority: Annotated[Priority, typer.Option("--priority", help="How urgent.")] = Priority.MEDIUM,
    template: Annotated[str, typer.Option("--template", help="The kind that it leads to.")] = "",
    plan: Annotated[str, typer.Option("--plan", help="How to go about it.")] = "",
    depends_on: Annotated[
        Words, typer.Option("--depends-on", metavar="ID", help="What comes before; repeatable.")
    ] = None,
    parent: Annotated[str, typer.Option("--parent", metavar="ID", help="Part of this one.")] = "",
    not_before: Annotated[
        str, typer.Option("--not-before", metavar="DATE", help="The day to begin.")
    ] = "",
    approval_needed: Annotated[
        bool, typer.Option("--approval-needed", help="It waits for `task approve`.")
    ] = False,
    project: Project = None,
    owner: Owner = None,
) -> None:
    """Add a task to a project: the named one, the one around, or the only one.

    Example: cortexfs task add "Time the decoder" -p driftwood --done-when bench/decode.csv
    """
    from cortexfs.core.tasks.task_fields import YES
    from cortexfs.operations.tasks.add_task import add as make

    session, within = run.within(project)
    fields = {
        "text": text,
        "why": why,
        "done-when": done_when,
        "priority": priority.value,
        "template": template,
        "plan": plan,
        "parent": parent,
        "depends-on": [word for each in depends_on or () for word in each.split(",") if word],
        "approval-needed": YES if approval_needed else "",
        "not-before": not_before,
    }
    answer(run.say, make(session, within, fields, asking(run, owner, within)))


@changing
def split(
    run: Run,
    ident: TaskId,
    texts: Annotated[list[str], typer.Argument(metavar="TEXT...", help="What each part does.")],
    done_when: Annotated[
        Words, typer.Option("--done-when", help="How it shows; once for each part, in order.")
    ] = None,
    project: Project = None,
    owner: Owner = None,
) -> None:
    """Part a task into several, for which it then waits.

    Each part gets its reason, priority and template, and waits for whatever it waits for.

    Example: cortexfs task split b07c "Code for runs" "Sizes on hive" --done-when src/runs.rs
    """
    from cortexfs.errors import Usage
    from cortexfs.operations.tasks.add_task import Part
    from cortexfs.operations.tasks.add_task import split as part

    shown = done_when or []
    if len(shown) > len(texts):
        raise Usage("more --done-when than parts", hint="one for each part, in their order")
    parts = [Part(text, shown[at] if at < len(shown) else "") for at, text in enumerate(texts)]
    answer(run.say, part(run.session(), ident, parts, asking(run, owner, project)))


@changing
def archive(run: Run, project: Project = None, owner: Owner = None) -> None:
    """Move what was finished more than three days ago to tasks-archive.md.

    Of the named project, else of the one around, else of all.

    Example: cortexfs task archive
    """
    from cortexfs.operations.tasks.archive_tasks import archive as move

    moved = move(*run.across(project), asking(run, owner, project))
    answer(run.say, moved)
    if moved.outcome:
        run.say.talk(f"{counted(len(moved.tasks), 'task')} archived")


@changing
def lock(
    run: Run,
    minutes: Annotated[int, typer.Option("--minutes", min=1, help="For so long.")] = MINUTES,
    note: Annotated[str, typer.Option("--note", metavar="TEXT", help="What for.")] = "",
    project: Project = None,
    owner: Owner = None,
) -> None:
    """Keep others from changing the tasks of a project while you edit the file.

    One's own lock is made to hold longer; one that has expired is taken over.

    Example: cortexfs task lock -p driftwood --note "sorting"
    """
    from cortexfs.operations.tasks import lock_tasks

    session, within = run.within(project)
    by = asking(run, owner, within)
    answer(run.say, lock_tasks.lock(session, within, by, minutes=minutes, note=note))
    run.say.talk(f"{within}: locked by {by.owner} for {counted(minutes, 'minute')}")


@changing
def unlock(run: Run, force: Force = False, project: Project = None, owner: Owner = None) -> None:
    """Let others change the tasks of a project again.

    Example: cortexfs task unlock -p driftwood
    """
    from cortexfs.operations.tasks import lock_tasks

    session, within = run.within(project)
    answer(run.say, lock_tasks.unlock(session, within, asking(run, owner, within), force=force))


def register(app: typer.Typer) -> None:
    """Add these commands to `cortexfs task`."""
    for command in (add, split, archive, lock, unlock):
        app.command()(command)
