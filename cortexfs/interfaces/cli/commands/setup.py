"""`cortexfs setup`."""

from __future__ import annotations

import os
from functools import partial
from inspect import Parameter, Signature
from typing import TYPE_CHECKING, Annotated

import typer

from cortexfs.core.changes.plan_diff import format_diff
from cortexfs.errors import Refused, format_extra_hint
from cortexfs.interfaces.cli import console, questions
from cortexfs.interfaces.cli.command_context import CommandContext, dry_run_command, make_group
from cortexfs.operations.setup import list_clients

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from cortexfs.interfaces.cli.console import OutputPrinter
    from cortexfs.operations.setup import ClientChoices, SetupPlan
    from cortexfs.session.session import Session

app = make_group("Connect clients and schedulers to the tree: claude-code, codex, and others.")

YES_ANSWERS = frozenset({"y", "yes"})
QUESTIONS = {
    "write": "Let agents write to this tree without asking you each time? [y/N]",
    "commands": "Let agents run cortexfs commands without asking you each time? [y/N]",
}
MAX_TRIES = 5
"""Maximum number of attempts to plan a change while the settings keep changing."""

RemoveOption = Annotated[bool, typer.Option("--remove", help="Remove what cortexfs has added.")]
YesOption = Annotated[bool, typer.Option("--yes", "-y", help="Write without asking.")]

CHOICES = {
    "write": ("--allow-write", "Let agents write to the tree without asking."),
    "commands": ("--allow-commands", "Let agents run cortexfs commands and tools without asking."),
    "plugin": ("--plugin", "Add a plugin: gives the bulletin, counts reads, guards writes."),
    "instructions": ("--instructions", "Add instructions for agents about saving memories."),
}
"""The options of the clients: names of permissions and parts, with their help."""

EDITOR_DETAIL = "Adds an MCP server to the user settings; everything else in them stays."
DETAILS = {
    "claude-code": """\
Adds hooks that give sessions what the tree knows, count reads and guard writes, the permission to
read the tree, and an MCP server to the user settings; everything else in them stays.""",
    "codex": """\
Adds hooks that give sessions what the tree knows, count reads and guard writes, and an MCP server
to the user settings; everything else in them stays. Codex runs new hooks only after you have
approved them in /hooks.""",
    "gemini": """\
Adds hooks that give sessions what the tree knows, count reads and guard writes, the folder of the
tree, and an MCP server to the user settings; everything else in them stays. Gemini CLI runs them
only in folders that you trust.""",
    "opencode": """\
Adds an MCP server and the permission to use the folder of the tree to the user settings; everything
else in them stays. With --plugin, sessions get what the tree knows, reads are counted and writes
guarded.""",
    **dict.fromkeys(("cursor", "vscode", "windsurf"), EDITOR_DETAIL),
}
HELP = """Connect {title} to the tree.

{details}

Shows the change and asks before it writes. Without a terminal, --yes is required.

Example: cortexfs setup {name} --dry-run
"""


def set_up_client(
    run: CommandContext, client: ClientChoices, chosen: set[str], *, remove: bool, yes: bool
) -> None:
    """Plan the setup of a client, ask for its permissions, show the change, and write it."""
    from cortexfs.operations.setup import plan_setup
    from cortexfs.operations.shared.extras import is_extra_installed

    output, session = run.output, run.open_session()

    def plan() -> SetupPlan:
        return plan_setup(session, os.environ, client.name, remove=remove, chosen=chosen)

    if not run.dry_run and _can_ask(output, yes=yes):
        chosen |= _ask_permissions(output, client, plan().missing_permissions)
    if not (remove or is_extra_installed("mcp")):
        output.print_message(f"`cortexfs mcp` cannot start: {format_extra_hint('mcp')}")
    if run.dry_run:
        output.print_settings_preview(f"set up {client.name}", _format_diffs(plan()))
        return
    change, done = _install_setup(output, session, plan, yes=yes)
    paths = [each.path for each in change.changes]
    document = {"client": client.name, "path": paths[0], "files": paths}
    written = done and change.is_change
    output.print_document(settings={**document, "changed": change.is_change, "written": written})
    for each in change.changes:
        result = _format_result(changed=each.before != each.after, done=done)
        output.print_message(f"{each.path}: {result}")
    if done and change.next_step:
        output.print_message(change.next_step)


def _ask_permissions(
    output: OutputPrinter, client: ClientChoices, missing: Collection[str]
) -> set[str]:
    """Ask for permissions that agents do not have; return those that were given."""
    if missing:
        output.print_message(f"{client.title}: the whole change is shown before it is written")
    return {
        each for each in missing if questions.ask_question(QUESTIONS[each]).lower() in YES_ANSWERS
    }


def _install_setup(
    output: OutputPrinter, session: Session, plan: Callable[[], SetupPlan], *, yes: bool
) -> tuple[SetupPlan, bool]:
    """Show the change, ask, and install it; retry if a file has changed meanwhile."""
    from cortexfs.errors import SettingsChanged
    from cortexfs.operations.setup import install_setup

    for last in (*[False] * (MAX_TRIES - 1), True):
        change = plan()
        if change.is_change and not _confirm_changes(output, _format_diffs(change), yes=yes):
            return change, False
        try:
            install_setup(session, os.environ, change)
        except SettingsChanged as error:
            if last:
                raise
            output.print_message(f"{error}; this is the new difference")
        else:
            break
    return change, True


def _format_diffs(plan: SetupPlan) -> dict[str, str]:
    return {
        change.path: format_diff(change.path, change.before, change.after)
        for change in plan.changes
        if change.before != change.after
    }


def _make_command(client: ClientChoices) -> Callable[..., None]:
    """Return the command of one client, with the options that the client has."""
    names = {each: CHOICES[each] for each in client.choices}

    def set_up(run: CommandContext, remove: bool, yes: bool, **given: bool) -> None:
        chosen = {each for each in names if given[f"choose_{each}"]}
        set_up_client(run, client, chosen, remove=remove, yes=yes)

    own = [
        _make_parameter(f"choose_{each}", Annotated[bool, typer.Option(flag, help=text)])
        for each, (flag, text) in names.items()
    ]
    own += [_make_parameter("remove", RemoveOption), _make_parameter("yes", YesOption)]
    run = Parameter("run", Parameter.POSITIONAL_OR_KEYWORD)
    set_up.__dict__["__signature__"] = Signature([run, *own])
    set_up.__doc__ = HELP.format(title=client.title, name=client.name, details=DETAILS[client.name])
    return set_up


def _make_parameter(name: str, annotation: object) -> Parameter:
    return Parameter(name, Parameter.POSITIONAL_OR_KEYWORD, default=False, annotation=annotation)


for _client in list_clients():
    app.command(_client.name)(dry_run_command(_make_command(_client)))


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
    from cortexfs.interfaces.cli.set_up_schedule import set_up_schedule

    confirm = partial(_confirm_changes, run.output, yes=yes)
    set_up_schedule(run, every, using, confirm, remove=remove)


@app.command()
@dry_run_command
def daemon(
    run: CommandContext,
    using: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="systemd or launchd (default: the one of the machine)."),
    ] = None,
    remove: RemoveOption = False,
    yes: YesOption = False,
) -> None:
    """Run the daemon from login on.

    Makes the service manager of the machine run `cortexfs daemon run`. Shows the change and asks
    before it writes. Without a terminal, --yes is required.

    Example: cortexfs setup daemon --using systemd --dry-run
    """
    from cortexfs.interfaces.cli.set_up_daemon import set_up_daemon

    set_up_daemon(run, using, partial(_confirm_changes, run.output, yes=yes), remove=remove)


def _confirm_changes(output: OutputPrinter, changes: dict[str, str], *, yes: bool) -> bool:
    """Show the changes, and ask for confirmation; raise `Refused` if nobody can answer."""
    for text in changes.values():
        output.print_text(text)
    if yes:
        return True
    if not _can_ask(output, yes=yes):
        hint = "add --yes to write without asking, or --dry-run to see the change"
        raise Refused("nothing was written, because nobody can confirm it", hint=hint)
    return questions.ask_question("Write this? [Y/n]").lower() in {"", *YES_ANSWERS}


def _can_ask(output: OutputPrinter, *, yes: bool) -> bool:
    """Return whether a person can be asked, and `--yes` is not given."""
    return not (yes or output.as_json) and console.is_interactive()


def _format_result(*, changed: bool, done: bool) -> str:
    result = "written" if done else "not written"
    return result if changed else "nothing to change"
