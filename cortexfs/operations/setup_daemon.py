"""Let the machine's service manager run the daemon of a tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.clients import daemon_unit_installer
from cortexfs.operations.drain_command import find_interpreter

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cortexfs.clients.regen_scheduler import ScheduleTextChange
    from cortexfs.session.view import TreeFilesAndGit


def plan_daemon_setup(
    view: TreeFilesAndGit, environ: Mapping[str, str], using: str | None, *, remove: bool
) -> tuple[str, ScheduleTextChange]:
    """Return the service manager, and the change of its file."""
    chosen = using or daemon_unit_installer.choose_service_manager(environ)
    run = (find_interpreter(), view.tree.root)
    return chosen, daemon_unit_installer.plan_daemon_unit(chosen, run, environ, remove=remove)


def install_daemon_setup(using: str, change: ScheduleTextChange) -> str:
    """Make the change; return what the user may do next, or an empty text."""
    daemon_unit_installer.install_daemon_unit(using, change)
    is_new = change.after is not None and using == "systemd"
    return daemon_unit_installer.LINGER_HINT if is_new else ""
