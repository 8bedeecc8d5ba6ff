"""Install a schedule in the machine's scheduler: cron, systemd's user timers, or launchd."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.clients import regen_schedule_text, settings_files
from cortexfs.errors import Refused, SettingsChanged

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


TIMEOUT_S = 60.0
"""Seconds for one command of a scheduler."""


class ScheduleTextChange(NamedTuple):
    """One change: its target, the text before and the text after (None: absent)."""

    target: str
    before: str | None
    after: str | None


def choose_scheduler(environ: Mapping[str, str]) -> str:
    """Return the scheduler of this machine: launchd, systemd or cron."""
    if sys.platform == "darwin":
        return "launchd"
    if shutil.which("systemctl") and environ.get("XDG_RUNTIME_DIR"):
        return "systemd"
    if shutil.which("crontab"):
        return "cron"
    raise Refused("no scheduler found", hint="install cron, or run `cortexfs watch` while you work")


def plan_schedule_changes(
    scheduler: str, run: tuple[str, str], minutes: int | None, environ: Mapping[str, str]
) -> list[ScheduleTextChange]:
    """Return the changes that schedule `run` (interpreter, root).

    With minutes None they remove the schedule.
    """
    python, root = run
    command = regen_schedule_text.build_regen_command(python, root)
    name = regen_schedule_text.format_unit_name(root)
    match scheduler:
        case "cron":
            return [_plan_crontab_change(root, minutes, command)]
        case "systemd":
            above = environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")
            texts = (
                (".service", regen_schedule_text.format_systemd_service(command)),
                (".timer", regen_schedule_text.format_systemd_timer(minutes or 1)),
            )
            units = [(f"{above}/systemd/user/{name}{end}", text) for end, text in texts]
        case "launchd":
            path = os.path.expanduser(f"~/Library/LaunchAgents/{name}.plist")
            units = [(path, regen_schedule_text.format_launchd_plist(minutes or 1, command, name))]
        case _:
            raise Refused(f"no scheduler `{scheduler}`", hint="use cron, systemd or launchd")
    is_kept = minutes is not None
    return [
        ScheduleTextChange(path, settings_files.read_settings_file(path), text if is_kept else None)
        for path, text in units
    ]


def _plan_crontab_change(
    root: str, minutes: int | None, command: Sequence[str]
) -> ScheduleTextChange:
    before, marker = _read_crontab(), regen_schedule_text.format_cron_marker(root)
    if minutes is None:
        after = regen_schedule_text.remove_crontab_line(before, marker)
    else:
        line = regen_schedule_text.format_crontab_line(minutes, command, marker)
        after = regen_schedule_text.add_crontab_line(before, line, marker)
    return ScheduleTextChange("crontab", before, after)


def apply_schedule_changes(scheduler: str, changes: Sequence[ScheduleTextChange]) -> None:
    """Make the changes, and notify the scheduler; raise `Refused` if it fails."""
    if scheduler == "cron":
        if _read_crontab() != changes[0].before:
            raise SettingsChanged("the crontab")
        _run_command(["crontab", "-"], changes[0].after or "")
        return
    is_removal = all(change.after is None for change in changes)
    unit = os.path.basename(changes[-1].target)
    if is_removal and scheduler == "systemd":
        _run_command(["systemctl", "--user", "disable", "--now", unit])
    if is_removal and scheduler == "launchd":
        _run_command(["launchctl", "unload", "-w", changes[0].target])
    for change in changes:
        settings_files.write_file(change.target, change.after, mode=0o644, expected=change.before)
    if scheduler == "systemd":
        _run_command(["systemctl", "--user", "daemon-reload"])
    if not is_removal and scheduler == "systemd":
        _run_command(["systemctl", "--user", "enable", "--now", unit])
    if not is_removal and scheduler == "launchd":
        _run_command(["launchctl", "load", "-w", changes[0].target])


def _read_crontab() -> str:
    if not shutil.which("crontab"):
        raise Refused(
            "crontab is not installed",
            hint="use --using systemd, or run `cortexfs watch` while you work",
        )
    ran = _run(["crontab", "-l"])
    if ran.returncode and b"no crontab for" not in ran.stderr:  # the user's lines must not be lost
        raise _command_error(["crontab", "-l"], ran)
    return os.fsdecode(ran.stdout) if ran.returncode == 0 else ""


def _run_command(command: Sequence[str], feed: str = "") -> None:
    """Run a command; raise `Refused` if it fails."""
    ran = _run(command, os.fsencode(feed))
    if ran.returncode:
        raise _command_error(command, ran)


def _run(command: Sequence[str], feed: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    environ = {**os.environ, "LC_ALL": "C"}
    try:
        return subprocess.run(
            command, input=feed, capture_output=True, env=environ, check=False, timeout=TIMEOUT_S
        )
    except subprocess.TimeoutExpired:
        raise Refused(f"`{' '.join(command)}` did not end within {TIMEOUT_S:.0f} s") from None


def _command_error(command: Sequence[str], ran: subprocess.CompletedProcess[bytes]) -> Refused:
    message = ran.stderr.decode(errors="replace").strip() or f"exit code {ran.returncode}"
    return Refused(f"`{' '.join(command)}` failed: {message}")
