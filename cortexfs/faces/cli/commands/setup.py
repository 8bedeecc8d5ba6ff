"""`cortexfs setup`."""

from __future__ import annotations

import difflib
import os
from typing import Annotated

import typer

from cortexfs.faces.cli import voice
from cortexfs.faces.cli.options import DryRun, Json, Quiet, Root
from cortexfs.faces.cli.voice import Voice

app = typer.Typer(rich_markup_mode=None, add_completion=False, no_args_is_help=True)

Remove = Annotated[bool, typer.Option("--remove", help="Take it out again.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]


@app.callback()
def setup() -> None:
    """Wire cortexfs into other programs."""


@app.command("claude-code")
def claude_code(
    remove: Remove = False,
    yes: Yes = False,
    root: Root = None,
    as_json: Json = False,
    quiet: Quiet = False,
    dry_run: DryRun = False,
) -> None:
    """Count what Claude Code reads of the tree, and let it read.

    Adds a hook on PostToolUse and one permission to the user settings, shows the difference
    first, and leaves everything else as it is. --remove gives the file back.

    Example: cortexfs setup claude-code --dry-run
    """
    from cortexfs.verbs.setup import install_claude_code, plan_claude_code

    say, cortex = Voice(as_json, quiet), voice.cortex(root)
    change = plan_claude_code(cortex, os.environ, remove=remove)
    _diff(say, change.path, change.before, change.after)
    changed = change.before != change.after
    done = not dry_run and (not changed or yes or _agreed(say))
    if done:
        install_claude_code(cortex, os.environ, change)
    say.document(settings={"path": change.path, "changed": changed, "written": done and changed})
    said = f"{change.path}: {_said(changed=changed, done=done)}"
    say.talk(said)


@app.command()
def schedule(
    every: Annotated[str, typer.Option(metavar="15m", help="How often: 15m, 1h, 1d.")] = "15m",
    using: Annotated[str | None, typer.Option(help="cron, systemd or launchd.")] = None,
    remove: Remove = False,
    yes: Yes = False,
    root: Root = None,
    as_json: Json = False,
    quiet: Quiet = False,
    dry_run: DryRun = False,
) -> None:
    """Have the machine's scheduler run `index regen --all`.

    Example: cortexfs setup schedule --every 15m --using systemd --dry-run
    """
    from cortexfs.verbs.setup import install_schedule, plan_schedule

    say, cortex = Voice(as_json, quiet), voice.cortex(root)
    chosen, changes = plan_schedule(cortex, os.environ, every, using, remove=remove)
    for change in changes:
        _diff(say, change.what, change.before, change.after)
    changed = any(change.before != change.after for change in changes)
    done = changed and not dry_run and (yes or _agreed(say))
    if done:
        install_schedule(chosen, changes)
    files = [change.what for change in changes]
    say.document(schedule={"using": chosen, "files": files, "changed": changed, "written": done})
    say.talk(f"{chosen}: {_said(changed=changed, done=done)}")


def _diff(say: Voice, path: str, before: str | None, after: str | None) -> None:
    """Show what is to change."""
    old = (before or "").splitlines(keepends=True)
    new = (after or "").splitlines(keepends=True)
    lines = difflib.unified_diff(old, new, path, path if after is not None else os.devnull)
    text = "".join(line if line.endswith("\n") else f"{line}\n" for line in lines)
    if text:
        say.data(text)


def _agreed(say: Voice) -> bool:
    """Ask, where there is somebody to ask."""
    if say.as_json or not voice.at_a_terminal():
        return True
    return voice.ask("Write this? [Y/n]").lower() in {"", "y", "yes"}


def _said(*, changed: bool, done: bool) -> str:
    if not changed:
        return "is as it should be"
    return "written" if done else "not written"
