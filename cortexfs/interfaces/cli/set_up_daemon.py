"""Show the change of the service manager that `setup daemon` makes, and make it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from cortexfs.operations.setup_daemon import install_daemon_setup, plan_daemon_setup

if TYPE_CHECKING:
    from collections.abc import Callable

    from cortexfs.interfaces.cli.command_context import CommandContext


def set_up_daemon(
    run: CommandContext,
    using: str | None,
    confirm: Callable[[dict[str, str]], bool],
    *,
    remove: bool,
) -> None:
    """Plan the change, let it be confirmed, and write it; with --dry-run, show it."""
    from cortexfs.core.changes.plan_diff import format_diff

    output = run.output
    chosen, change = plan_daemon_setup(run.open_session(), os.environ, using, remove=remove)
    diff = format_diff(change.target, change.before, change.after)
    if run.dry_run:
        output.print_settings_preview(f"run the daemon with {chosen}", {change.target: diff})
        return
    is_written = bool(diff) and confirm({change.target: diff})
    next_step = install_daemon_setup(chosen, change) if is_written else ""
    document = {"using": chosen, "files": [change.target], "changed": bool(diff)}
    output.print_document(service={**document, "written": is_written})
    result = ("written" if is_written else "not written") if diff else "nothing to change"
    output.print_message(f"{chosen}: {result}")
    if next_step:
        output.print_message(next_step)
