"""Add the daemon to the machine's service manager, or remove it: systemd for users, or launchd."""

from __future__ import annotations

import os
import shutil
import sys
from typing import TYPE_CHECKING

from cortexfs.clients import daemon_unit_text, settings_files
from cortexfs.clients.regen_scheduler import ScheduleTextChange, apply_schedule_changes
from cortexfs.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Mapping

LINGER_HINT = "`loginctl enable-linger` keeps it running after you log out"


def choose_service_manager(environ: Mapping[str, str]) -> str:
    """Return the service manager of this machine; raise `Refused` if there is none."""
    if sys.platform == "darwin":
        return "launchd"
    if shutil.which("systemctl") and environ.get("XDG_RUNTIME_DIR"):
        return "systemd"
    raise Refused(
        "no service manager found: neither systemd for users nor launchd",
        hint="use `cortexfs daemon start`",
    )


def plan_daemon_unit(
    manager: str, run: tuple[str, str], environ: Mapping[str, str], *, remove: bool
) -> ScheduleTextChange:
    """Return the change of the file that runs the daemon; `run` is interpreter and root."""
    python, root = run
    command = daemon_unit_text.build_daemon_command(python, root)
    name = daemon_unit_text.format_daemon_name(root)
    match manager:
        case "systemd":
            above = environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")
            path = f"{above}/systemd/user/{name}.service"
            text = daemon_unit_text.format_daemon_service(command)
        case "launchd":
            path = os.path.expanduser(f"~/Library/LaunchAgents/{name}.plist")
            text = daemon_unit_text.format_daemon_plist(command, name)
        case _:
            raise Refused(f"no service manager `{manager}`", hint="use systemd or launchd")
    before = settings_files.read_settings_file(path)
    return ScheduleTextChange(path, before, None if remove else text)


def install_daemon_unit(manager: str, change: ScheduleTextChange) -> None:
    """Write or remove the file, and enable or disable the service."""
    apply_schedule_changes(manager, [change])
