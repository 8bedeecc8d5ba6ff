"""Show the change of the scheduler that `setup schedule` makes, and make it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from cortexfs.operations.schedule_regeneration import install_schedule, plan_schedule

if TYPE_CHECKING:
    from collections.abc import Callable

    from cortexfs.interfaces.cli.command_context import CommandContext


def set_up_schedule(
    run: CommandContext,
    every: str,
    using: str | None,
    confirm: Callable[[dict[str, str]], bool],
    *,
    remove: bool,
) -> None:
    """Plan the change, let it be confirmed, and write it; with --dry-run, show it."""
    from cortexfs.core.changes.plan_diff import format_diff

    output, session = run.output, run.open_session()
    chosen, changes = plan_schedule(session, os.environ, every, using, remove=remove)
    shown = {each.target: format_diff(each.target, each.before, each.after) for each in changes}
    if run.dry_run:
        output.print_settings_preview(f"schedule with {chosen}", shown)
        return
    changed = any(shown.values())
    is_written = changed and confirm(shown)
    if is_written:
        install_schedule(chosen, changes)
    document = {"using": chosen, "files": list(shown), "changed": changed, "written": is_written}
    output.print_document(schedule=document)
    result = ("written" if is_written else "not written") if changed else "nothing to change"
    output.print_message(f"{chosen}: {result}")
