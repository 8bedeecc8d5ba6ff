"""`cortexfs setup`."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated

import typer

from cortexfs.interfaces.cli import console
from cortexfs.interfaces.cli.command_context import Run, group, trying

if TYPE_CHECKING:
    from cortexfs.interfaces.cli.console import Voice

app = group("Wire cortexfs into other programs.")

Remove = Annotated[bool, typer.Option("--remove", help="Take it out again.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]


@app.command("claude-code")
@trying
def claude_code(run: Run, remove: Remove = False, yes: Yes = False) -> None:
    """Count what Claude Code reads of the tree, let it read, and guard what it writes.

    Adds hooks on PreToolUse and PostToolUse and one permission to the user settings, shows the
    difference first, and leaves everything else as it is. --remove gives the file back.

    Example: cortexfs setup claude-code --dry-run
    """
    from cortexfs.operations.setup import install_claude_code, plan_claude_code

    say, session = run.say, run.session()
    change = plan_claude_code(session, os.environ, remove=remove)
    changes = {change.path: console.diff(change.path, change.before, change.after)}
    if run.dry_run:
        say.preview("set up claude-code", changes)
        return
    changed = change.before != change.after
    done = not changed or _agreed(say, changes, yes=yes)
    if done:
        install_claude_code(session, os.environ, change)
    say.document(settings={"path": change.path, "changed": changed, "written": done and changed})
    say.talk(f"{change.path}: {_said(changed=changed, done=done)}")


@app.command()
@trying
def schedule(
    run: Run,
    every: Annotated[str, typer.Option(metavar="15m", help="How often: 15m, 1h, 1d.")] = "15m",
    using: Annotated[str | None, typer.Option(help="cron, systemd or launchd.")] = None,
    remove: Remove = False,
    yes: Yes = False,
) -> None:
    """Have the machine's scheduler run `index regen --all`.

    Example: cortexfs setup schedule --every 15m --using systemd --dry-run
    """
    from cortexfs.operations.setup import install_schedule, plan_schedule

    say, session = run.say, run.session()
    chosen, changes = plan_schedule(session, os.environ, every, using, remove=remove)
    shown = {each.what: console.diff(each.what, each.before, each.after) for each in changes}
    if run.dry_run:
        say.preview(f"schedule with {chosen}", shown)
        return
    changed = any(shown.values())
    done = changed and _agreed(say, shown, yes=yes)
    if done:
        install_schedule(chosen, changes)
    said = {"using": chosen, "files": list(shown), "changed": changed, "written": done}
    say.document(schedule=said)
    say.talk(f"{chosen}: {_said(changed=changed, done=done)}")


def _agreed(say: Voice, changes: dict[str, str], *, yes: bool) -> bool:
    """Show what is to change; ask, where there is somebody to ask."""
    for text in changes.values():
        say.data(text)
    if yes or say.as_json or not console.at_a_terminal():
        return True
    return console.ask("Write this? [Y/n]").lower() in {"", "y", "yes"}


def _said(*, changed: bool, done: bool) -> str:
    if not changed:
        return "nothing to change"
    return "written" if done else "not written"
