"""`cortexfs setup`."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated

import typer

from cortexfs.interfaces.cli import console
from cortexfs.interfaces.cli.command_context import CommandContext, dry_run_command, make_group

if TYPE_CHECKING:
    from collections.abc import Callable

    from cortexfs.interfaces.cli.console import OutputPrinter
    from cortexfs.operations.setup import SettingsPlan
    from cortexfs.session.session import Session

app = make_group("Wire cortexfs into other programs.")

YES_ANSWERS = frozenset({"y", "yes"})
QUESTIONS = {
    "write": "Let agents write to this tree without asking you each time? [y/N]",
    "commands": "Let agents run cortexfs commands without asking you each time? [y/N]",
}
MAX_TRIES = 5
"""Maximum number of attempts to plan a change while the settings keep changing."""

RemoveOption = Annotated[bool, typer.Option("--remove", help="Take it out again.")]
YesOption = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]


@app.command("claude-code")
@dry_run_command
def claude_code(
    run: CommandContext,
    allow_write: Annotated[
        bool, typer.Option("--allow-write", help="Let agents write to the tree unasked.")
    ] = False,
    allow_commands: Annotated[
        bool, typer.Option("--allow-commands", help="Let agents run cortexfs commands unasked.")
    ] = False,
    remove: RemoveOption = False,
    yes: YesOption = False,
) -> None:
    """Count what Claude Code reads of the tree, let it read, and guard what it writes.

    Adds hooks on PreToolUse, PostToolUse, Stop and SessionEnd and permissions to the user
    settings, shows the difference first, and leaves everything else as it is. On a terminal it
    asks whether agents may also write to the tree and run cortexfs. --remove takes out what it
    has added.

    Example: cortexfs setup claude-code --allow-write --dry-run
    """
    from cortexfs.operations.setup import plan_claude_code

    say, session = run.output, run.open_session()
    allow = {"write"} if allow_write else set[str]()
    allow |= {"commands"} if allow_commands else set()
    change = plan_claude_code(session, os.environ, remove=remove, allow=allow)
    if not run.dry_run and _can_ask(say, yes=yes):
        allow |= {
            each
            for each in change.missing_permissions
            if console.ask_question(QUESTIONS[each]).lower() in YES_ANSWERS
        }

    def plan() -> SettingsPlan:
        return plan_claude_code(session, os.environ, remove=remove, allow=allow)

    change = plan()
    if run.dry_run:
        say.print_preview("set up claude-code", _format_diffs(change))
        return
    change, done = _install_settings(say, session, plan, yes=yes)
    changed = change.before != change.after
    say.print_document(
        settings={"path": change.path, "changed": changed, "written": done and changed}
    )
    say.print_message(f"{change.path}: {_format_result(changed=changed, done=done)}")


def _install_settings(
    say: OutputPrinter, session: Session, plan: Callable[[], SettingsPlan], *, yes: bool
) -> tuple[SettingsPlan, bool]:
    """Show the change, ask, and install it; retry if the file has changed meanwhile."""
    from cortexfs.errors import SettingsChanged
    from cortexfs.operations.setup import install_claude_code

    for last in (*[False] * (MAX_TRIES - 1), True):
        change = plan()
        if change.before != change.after and not _confirm_changes(
            say, _format_diffs(change), yes=yes
        ):
            return change, False
        try:
            install_claude_code(session, os.environ, change)
        except SettingsChanged as error:
            if last:
                raise
            say.print_message(f"{error}; this is the difference now")
        else:
            break
    return change, True


def _format_diffs(change: SettingsPlan) -> dict[str, str]:
    return {change.path: console.format_diff(change.path, change.before, change.after)}


@app.command()
@dry_run_command
def schedule(
    run: CommandContext,
    every: Annotated[str, typer.Option(metavar="15m", help="How often: 15m, 1h, 1d.")] = "15m",
    using: Annotated[str | None, typer.Option(help="cron, systemd or launchd.")] = None,
    remove: RemoveOption = False,
    yes: YesOption = False,
) -> None:
    """Have the machine's scheduler run `index regen --all`.

    Example: cortexfs setup schedule --every 15m --using systemd --dry-run
    """
    from cortexfs.operations.setup import install_schedule, plan_schedule

    say, session = run.output, run.open_session()
    chosen, changes = plan_schedule(session, os.environ, every, using, remove=remove)
    shown = {
        each.target: console.format_diff(each.target, each.before, each.after) for each in changes
    }
    if run.dry_run:
        say.print_preview(f"schedule with {chosen}", shown)
        return
    changed = any(shown.values())
    done = changed and _confirm_changes(say, shown, yes=yes)
    if done:
        install_schedule(chosen, changes)
    said = {"using": chosen, "files": list(shown), "changed": changed, "written": done}
    say.print_document(schedule=said)
    say.print_message(f"{chosen}: {_format_result(changed=changed, done=done)}")


def _confirm_changes(say: OutputPrinter, changes: dict[str, str], *, yes: bool) -> bool:
    """Show the changes, and ask for confirmation on a terminal."""
    for text in changes.values():
        say.print_text(text)
    return not _can_ask(say, yes=yes) or console.ask_question("Write this? [Y/n]").lower() in {
        "",
        *YES_ANSWERS,
    }


def _can_ask(say: OutputPrinter, *, yes: bool) -> bool:
    """Return whether a person can be asked, and `--yes` is not given."""
    return not (yes or say.as_json) and console.is_interactive()


def _format_result(*, changed: bool, done: bool) -> str:
    if not changed:
        return "nothing to change"
    return "written" if done else "not written"
