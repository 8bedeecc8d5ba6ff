"""`cortexfs setup`."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated

import typer

from cortexfs.errors import Refused
from cortexfs.interfaces.cli import console
from cortexfs.interfaces.cli.command_context import CommandContext, dry_run_command, make_group

if TYPE_CHECKING:
    from collections.abc import Callable

    from cortexfs.interfaces.cli.console import OutputPrinter
    from cortexfs.operations.setup import SettingsPlan
    from cortexfs.session.session import Session

app = make_group("Connect other programs to the tree: claude-code, schedule.")

YES_ANSWERS = frozenset({"y", "yes"})
QUESTIONS = {
    "write": "Let agents write to this tree without asking you each time? [y/N]",
    "commands": "Let agents run cortexfs commands without asking you each time? [y/N]",
}
MAX_TRIES = 5
"""Maximum number of attempts to plan a change while the settings keep changing."""

RemoveOption = Annotated[bool, typer.Option("--remove", help="Remove what cortexfs has added.")]
YesOption = Annotated[bool, typer.Option("--yes", "-y", help="Write without asking.")]


@app.command("claude-code")
@dry_run_command
def claude_code(
    run: CommandContext,
    allow_write: Annotated[
        bool, typer.Option("--allow-write", help="Let agents write to the tree without asking.")
    ] = False,
    allow_commands: Annotated[
        bool,
        typer.Option("--allow-commands", help="Let agents run cortexfs commands without asking."),
    ] = False,
    remove: RemoveOption = False,
    yes: YesOption = False,
) -> None:
    """Connect Claude Code to the tree.

    Adds hooks that count reads and guard writes, and the permission to read the tree, to the user
    settings; everything else in them stays. Shows the change and asks before it writes. Also asks
    whether agents may write to the tree and run cortexfs. Without a terminal, --yes is required.

    Example: cortexfs setup claude-code --allow-write --dry-run
    """
    from cortexfs.operations.setup import plan_claude_code

    output, session = run.output, run.open_session()
    allow = {"write"} if allow_write else set[str]()
    allow |= {"commands"} if allow_commands else set()
    change = plan_claude_code(session, os.environ, remove=remove, allow=allow)
    if not run.dry_run and _can_ask(output, yes=yes):
        allow |= {
            each
            for each in change.missing_permissions
            if console.ask_question(QUESTIONS[each]).lower() in YES_ANSWERS
        }

    def plan() -> SettingsPlan:
        return plan_claude_code(session, os.environ, remove=remove, allow=allow)

    change = plan()
    if run.dry_run:
        output.print_preview("set up claude-code", _format_diffs(change))
        return
    change, done = _install_settings(output, session, plan, yes=yes)
    changed = change.before != change.after
    output.print_document(
        settings={"path": change.path, "changed": changed, "written": done and changed}
    )
    output.print_message(f"{change.path}: {_format_result(changed=changed, done=done)}")


def _install_settings(
    output: OutputPrinter, session: Session, plan: Callable[[], SettingsPlan], *, yes: bool
) -> tuple[SettingsPlan, bool]:
    """Show the change, ask, and install it; retry if the file has changed meanwhile."""
    from cortexfs.errors import SettingsChanged
    from cortexfs.operations.setup import install_claude_code

    for last in (*[False] * (MAX_TRIES - 1), True):
        change = plan()
        if change.before != change.after and not _confirm_changes(
            output, _format_diffs(change), yes=yes
        ):
            return change, False
        try:
            install_claude_code(session, os.environ, change)
        except SettingsChanged as error:
            if last:
                raise
            output.print_message(f"{error}; this is the new difference")
        else:
            break
    return change, True


def _format_diffs(change: SettingsPlan) -> dict[str, str]:
    return {change.path: console.format_diff(change.path, change.before, change.after)}


@app.command()
@dry_run_command
def schedule(
    run: CommandContext,
    every: Annotated[str, typer.Option(metavar="TIME", help="Interval: 15m, 1h, 1d.")] = "15m",
    using: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="cron, systemd or launchd (default: the one of the machine).",
        ),
    ] = None,
    remove: RemoveOption = False,
    yes: YesOption = False,
) -> None:
    """Update the indexes at regular times.

    Makes the scheduler of the machine run `cortexfs index regen --all`. Shows the change and asks
    before it writes. Without a terminal, --yes is required.

    Example: cortexfs setup schedule --every 15m --using systemd --dry-run
    """
    from cortexfs.operations.setup import install_schedule, plan_schedule

    output, session = run.output, run.open_session()
    chosen, changes = plan_schedule(session, os.environ, every, using, remove=remove)
    shown = {
        each.target: console.format_diff(each.target, each.before, each.after) for each in changes
    }
    if run.dry_run:
        output.print_preview(f"schedule with {chosen}", shown)
        return
    changed = any(shown.values())
    done = changed and _confirm_changes(output, shown, yes=yes)
    if done:
        install_schedule(chosen, changes)
    document = {"using": chosen, "files": list(shown), "changed": changed, "written": done}
    output.print_document(schedule=document)
    output.print_message(f"{chosen}: {_format_result(changed=changed, done=done)}")


def _confirm_changes(output: OutputPrinter, changes: dict[str, str], *, yes: bool) -> bool:
    """Show the changes, and ask for confirmation; raise `Refused` if nobody can answer."""
    for text in changes.values():
        output.print_text(text)
    if yes:
        return True
    if not _can_ask(output, yes=yes):
        hint = "add --yes to write without asking, or --dry-run to see the change"
        raise Refused("nothing was written, because nobody can confirm it", hint=hint)
    return console.ask_question("Write this? [Y/n]").lower() in {"", *YES_ANSWERS}


def _can_ask(output: OutputPrinter, *, yes: bool) -> bool:
    """Return whether a person can be asked, and `--yes` is not given."""
    return not (yes or output.as_json) and console.is_interactive()


def _format_result(*, changed: bool, done: bool) -> str:
    if not changed:
        return "nothing to change"
    return "written" if done else "not written"
