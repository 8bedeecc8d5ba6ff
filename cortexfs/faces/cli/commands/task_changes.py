"""The commands of `cortexfs task` that change one task, or the lock."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated

import typer

from cortexfs.faces.cli import voice
from cortexfs.faces.cli.options import DryRun, Json, NoCommit, Project, Quiet, Root
from cortexfs.faces.cli.voice import Voice

if TYPE_CHECKING:
    from collections.abc import Callable

    from cortexfs.core.tasks.task import Task
    from cortexfs.verbs.tasks.change import Asking, Changed

Ident = Annotated[str, typer.Argument(metavar="ID", help="`3fa9`, or `driftwood/3fa9`.")]
Owner = Annotated[
    str | None,
    typer.Option(
        "--owner", help="Who you are; else $CORTEXFS_OWNER, $CORTEX_EXECUTION_ID, your login."
    ),
]
Force = Annotated[bool, typer.Option("--force", help="Also what somebody else holds.")]


def claim(
    ident: Annotated[
        str | None, typer.Argument(metavar="ID", help="Default: the next that is ready.")
    ] = None,
    project: Project = None,
    owner: Owner = None,
    root: Root = None,
    as_json: Json = False,
    quiet: Quiet = False,
    dry_run: DryRun = False,
    no_commit: NoCommit = False,
) -> None:
    """Claim a task, so that nobody else begins it.

    One that is claimed already is refused with exit code 4, whoever asks.

    Example: cortexfs task claim 51e0
    """
    from cortexfs.verbs.tasks import moves

    done = moves.claim(voice.cortex(root), ident, asking(owner, project, dry_run, no_commit))
    answer(Voice(as_json, quiet), done, in_full=True)


def unclaim(
    ident: Ident,
    force: Force = False,
    project: Project = None,
    owner: Owner = None,
    root: Root = None,
    as_json: Json = False,
    quiet: Quiet = False,
    dry_run: DryRun = False,
    no_commit: NoCommit = False,
) -> None:
    """Give a task back.

    Somebody else's claim can be lifted when it is older than three days, or with --force.

    Example: cortexfs task unclaim 3fa9 --owner bench-01
    """
    from cortexfs.verbs.tasks import moves

    done = moves.unclaim(
        voice.cortex(root), ident, asking(owner, project, dry_run, no_commit), force=force
    )
    answer(Voice(as_json, quiet), done)


def block(
    ident: Ident,
    by: Annotated[str, typer.Option("--by", metavar="TEXT", help="What it cannot go on without.")],
    project: Project = None,
    owner: Owner = None,
    root: Root = None,
    as_json: Json = False,
    quiet: Quiet = False,
    dry_run: DryRun = False,
    no_commit: NoCommit = False,
) -> None:
    """Say what a task cannot go on without; a claim is lifted.

    Example: cortexfs task block 51e0 --by "an answer from whoever needs single precision"
    """
    from cortexfs.verbs.tasks import moves

    done = moves.block(voice.cortex(root), ident, by, asking(owner, project, dry_run, no_commit))
    answer(Voice(as_json, quiet), done)


def done(
    ident: Ident,
    note: Annotated[str, typer.Option("--note", metavar="TEXT", help="What came of it.")] = "",
    project: Project = None,
    owner: Owner = None,
    root: Root = None,
    as_json: Json = False,
    quiet: Quiet = False,
    dry_run: DryRun = False,
    no_commit: NoCommit = False,
) -> None:
    """Finish a task.

    Looks for what speaks for it: a commit whose message names the id, or a path of its
    done-when that is there. Without either it warns, and finishes the task all the same.

    Example: cortexfs task done 51e0 --note "nobody needs it: a tombstone"
    """
    from cortexfs.verbs.tasks import moves

    answer(
        Voice(as_json, quiet),
        moves.done(voice.cortex(root), ident, note, asking(owner, project, dry_run, no_commit)),
    )


SIMPLE = {
    "unblock": """Say that a task can go on: it is neither blocked nor pending any more.

    Example: cortexfs task unblock c4d2
    """,
    "pause": """Lay a task aside; a claim is lifted.

    Example: cortexfs task pause 51e0
    """,
    "resume": """Take up a task that was laid aside.

    Example: cortexfs task resume f16a
    """,
    "approve": """Allow a task that needs approval to be done.

    Example: cortexfs task approve a2f4
    """,
}
"""Commands that need to know nothing but the task, and their help."""


def _simple(name: str) -> Callable[..., None]:
    """Make one of the simple commands."""

    def command(
        ident: Ident,
        project: Project = None,
        owner: Owner = None,
        root: Root = None,
        as_json: Json = False,
        quiet: Quiet = False,
        dry_run: DryRun = False,
        no_commit: NoCommit = False,
    ) -> None:
        from cortexfs.verbs.tasks import moves

        verb: Callable[..., Changed] = getattr(moves, name)
        done = verb(voice.cortex(root), ident, asking(owner, project, dry_run, no_commit))
        answer(Voice(as_json, quiet), done)

    return command


def asking(owner: str | None, project: str | None, dry_run: bool, no_commit: bool) -> Asking:
    """Tell who asks, where, and how it is to be done."""
    from getpass import getuser

    from cortexfs.core.tasks.lock import owner_of
    from cortexfs.verbs.tasks.change import Asking

    try:
        login = getuser()
    except (OSError, KeyError):  # a user whom the machine has no name for
        login = f"uid {os.getuid()}"
    name = owner_of(owner, os.environ, login)
    return Asking(name, voice.cwd(), project, dry_run, not no_commit)


def answer(say: Voice, changed: Changed, *, in_full: bool = False) -> None:
    """Show what came of a change: its plan, where it was a dry run, else the tasks."""
    from cortexfs.faces.documents import task

    if changed.outcome is None:
        say.plan(changed.plan)
    else:
        say.outcome(changed.outcome)
        say.document(
            tasks=[task(each) for each in changed.tasks],
            evidence=changed.evidence or None,
            notes=list(changed.notes) or None,
            commit=voice.last_commit(changed.outcome),
        )
        for each in changed.tasks:
            say.lines(*(told(each) if in_full else told(each)[:1]))
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
