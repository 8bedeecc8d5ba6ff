"""`cortexfs setup`."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated

import typer

from cortexfs.interfaces.cli import console
from cortexfs.interfaces.cli.command_context import Run, group, trying

if TYPE_CHECKING:
    from collections.abc import Callable

    from cortexfs.interfaces.cli.console import Voice
    from cortexfs.operations.setup import Change
    from cortexfs.session.session import Session

app = group("Wire cortexfs into other programs.")

YES = frozenset({"y", "yes"})
QUESTIONS = {
    "write": "Let agents write to this tree without asking you each time? [y/N]",
    "commands": "Let agents run cortexfs commands without asking you each time? [y/N]",
}
TRIES = 5
"""How often a change is planned anew because the settings changed before it was written."""

Remove = Annotated[bool, typer.Option("--remove", help="Take it out again.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]


@app.command("claude-code")
@trying
def claude_code(
    run: Run,
    allow_write: Annotated[
        bool, typer.Option("--allow-write", help="Let agents write to the tree unasked.")
    ] = False,
    allow_commands: Annotated[
        bool, typer.Option("--allow-commands", help="Let agents run cortexfs commands unasked.")
    ] = False,
    remove: Remove = False,
    yes: Yes = False,
) -> None:
    """Count what Claude Code reads of the tree, let it read, and guard what it writes.

    Adds hooks on PreToolUse, PostToolUse, Stop and SessionEnd and permissions to the user
    settings, shows the difference first, and leaves everything else as it is. On a terminal it
    asks whether agents may also write to the tree and run cortexfs. --remove takes out what it
    has added.

    Example: cortexfs setup claude-code --allow-write --dry-run
    """
    from cortexfs.operations.setup import plan_claude_code

    say, session = run.say, run.session()
    allow = {"write"} if allow_write else set[str]()
    allow |= {"commands"} if allow_commands else set()
    change = plan_claude_code(session, os.environ, remove=remove, allow=allow)
    if not run.dry_run and _can_ask(say, yes=yes):
        allow |= {each for each in change.missing if console.ask(QUESTIONS[each]).lower() in YES}

    def plan() -> Change:
        return plan_claude_code(session, os.environ, remove=remove, allow=allow)

    change = plan()
    if run.dry_run:
        say.preview("set up claude-code", _diffs(change))
        return
    change, done = _installed(say, session, plan, yes=yes)
    changed = change.before != change.after
    say.document(settings={"path": change.path, "changed": changed, "written": done and changed})
    say.talk(f"{change.path}: {_result(changed=changed, done=done)}")


def _installed(
    say: Voice, session: Session, plan: Callable[[], Change], *, yes: bool
) -> tuple[Change, bool]:
    """Show the change, ask, and install it; where the file has changed meanwhile, once more."""
    from cortexfs.errors import SettingsChanged
    from cortexfs.operations.setup import install_claude_code

    for last in (*[False] * (TRIES - 1), True):
        change = plan()
        if change.before != change.after and not _agreed(say, _diffs(change), yes=yes):
            return change, False
        try:
            install_claude_code(session, os.environ, change)
        except SettingsChanged as error:
            if last:
                raise
            say.talk(f"{error}; this is the difference now")
        else:
            break
    return change, True


def _diffs(change: Change) -> dict[str, str]:
    return {change.path: console.diff(change.path, change.before, change.after)}


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
    say.talk(f"{chosen}: {_result(changed=changed, done=done)}")


def _agreed(say: Voice, changes: dict[str, str], *, yes: bool) -> bool:
    """Show the changes; ask, where there is somebody to ask."""
    for text in changes.values():
        say.data(text)
    return not _can_ask(say, yes=yes) or console.ask("Write this? [Y/n]").lower() in {"", *YES}


def _can_ask(say: Voice, *, yes: bool) -> bool:
    """Tell whether somebody is there to be asked, and wants to be."""
    return not (yes or say.as_json) and console.at_a_terminal()


def _result(*, changed: bool, done: bool) -> str:
    if not changed:
        return "nothing to change"
    return "written" if done else "not written"
