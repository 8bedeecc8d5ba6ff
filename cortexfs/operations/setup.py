"""Set up other programs to work with a tree, and undo the setup."""

from __future__ import annotations

import os
import subprocess
import zlib
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from cortexfs.clients import (
    claude_code_facts,
    edit_claude_settings,
    regen_scheduler,
    settings_files,
)
from cortexfs.clients.claude_code_facts import AgentPermission, format_permission_rule
from cortexfs.clients.hook_command import GUARD, NOTE, format_hook_command, format_path_needles
from cortexfs.clients.hook_entry_types import HookEntry, HookSettings
from cortexfs.clients.regen_schedule_text import parse_interval
from cortexfs.clients.settings_record import parse_record
from cortexfs.errors import SettingsChanged
from cortexfs.operations.drain_command import (
    DRAIN_SCRIPT,
    drain_command,
    find_interpreter,
    spool_path,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from cortexfs.clients.regen_scheduler import ScheduleChange
    from cortexfs.session.view import TreeFilesAndGit

HOOK_SCRIPTS = (NOTE, GUARD, DRAIN_SCRIPT)
RECORDS_FOLDER = "hooks"
RECORD_PREFIX = "claude-code."
"""Prefix of the names of our records; there is one record for each settings file."""
VERSION_TIMEOUT_S = 10
"""Seconds that the client may take to print its version."""


@dataclass(frozen=True, slots=True)
class SettingsPlan:
    """One settings file: its present text, and its new text (None: no file).

    `missing_permissions` are those that agents would not have.
    """

    path: str
    before: str | None
    after: str | None
    record: str | None
    missing_permissions: tuple[AgentPermission, ...] = ()


def plan_claude_code(
    view: TreeFilesAndGit,
    environ: Mapping[str, str],
    *,
    remove: bool,
    allow: Collection[str] = (),
) -> SettingsPlan:
    """Return the planned change of the client's user settings.

    `allow` names values of `AgentPermission`; our other rules in the settings are kept.
    """
    home = os.path.expanduser("~")
    path = claude_code_facts.user_settings_path(home, environ)
    before = settings_files.read_settings_file(path)
    settings_files.refuse_hard_links(path)
    kept = settings_files.read_settings_file(record_path(view, environ, path))
    record = parse_record(kept) if kept else None
    if remove:
        return SettingsPlan(
            path, before, edit_claude_settings.remove_from_settings(before, record), None
        )
    allowed = edit_claude_settings.list_allowed_rules(before)
    rules = {each: format_permission_rule(each, view.tree.root, home) for each in AgentPermission}
    ours = {rule for rule in record.rules if rule in allowed} if record else set()
    wanted = [rule for each, rule in rules.items() if each in allow or rule in ours]
    installed = edit_claude_settings.install_into_settings(
        before, build_hook_settings(view, environ, wanted), record, version=_read_client_version()
    )
    missing = (each for each, rule in rules.items() if rule not in {*wanted, *map(str, allowed)})
    return SettingsPlan(path, before, installed.text, installed.record.to_json(), tuple(missing))


def install_claude_code(
    view: TreeFilesAndGit, environ: Mapping[str, str], change: SettingsPlan
) -> None:
    """Copy the hooks, save the record, and write the settings last, because they enable the hooks.

    Raises `SettingsChanged` if the settings have changed since the plan.
    """
    settings_files.remove_stale_drafts(change.path)
    if settings_files.read_settings_file(change.path) != change.before:
        raise SettingsChanged(change.path)
    if change.record is not None:
        for name in HOOK_SCRIPTS:
            script = settings_files.read_settings_file(view.tree.package_path(name))
            settings_files.write_file(_own_path(view, environ, name), script, mode=0o600)
        settings_files.write_file(
            record_path(view, environ, change.path), change.record, mode=0o600
        )
    if change.after != change.before:
        settings_files.write_file(change.path, change.after, expected=change.before)
    if change.record is None:
        settings_files.write_file(record_path(view, environ, change.path), None)
        if not settings_files.list_files(
            _own_path(view, environ, RECORDS_FOLDER), RECORD_PREFIX
        ):  # else others run it
            for name in HOOK_SCRIPTS:
                settings_files.write_file(_own_path(view, environ, name), None)


def build_hook_settings(
    view: TreeFilesAndGit, environ: Mapping[str, str], more_rules: Sequence[str] = ()
) -> HookSettings:
    """Return the entries for the settings: hooks, the rule to read the tree, and more rules."""
    root, python = view.tree.root, find_interpreter()
    words = format_path_needles(root, os.path.realpath(root))
    later, spool = _own_path(view, environ, DRAIN_SCRIPT), spool_path(view)
    script = _own_path(view, environ, NOTE)
    note = format_hook_command(python, script, (spool, *words), drain_command(view, later))
    flush = format_hook_command(
        python, script, ("--flush", spool), drain_command(view, later, "--now")
    )
    guard = format_hook_command(
        python, _own_path(view, environ, GUARD), (root, *words), list_package_folders()
    )
    entries = (
        HookEntry("PreToolUse", guard, claude_code_facts.WRITE_TOOLS),
        HookEntry("PostToolUse", note, claude_code_facts.READ_TOOLS),
        HookEntry("PostToolUse", guard, claude_code_facts.WRITE_TOOLS),
        HookEntry("Stop", flush),
        HookEntry("SessionEnd", flush),
    )
    return HookSettings(
        entries, (claude_code_facts.format_read_rule(root, os.path.expanduser("~")), *more_rules)
    )


def list_package_folders() -> list[str]:
    """Return the folders of cortexfs and its packages, from which alone a guard imports."""
    from importlib.util import find_spec  # noqa: PLC0415 - only a wiring asks

    found = [find_spec(name) for name in ("cortexfs", "yaml", "detect_secrets")]
    origins = [os.path.abspath(spec.origin) for spec in found if spec and spec.origin]
    return list(dict.fromkeys(os.path.dirname(os.path.dirname(each)) for each in origins))


def record_path(view: TreeFilesAndGit, environ: Mapping[str, str], settings: str) -> str:
    """Return the path of the record of our entries in one settings file."""
    name = f"{RECORD_PREFIX}{zlib.crc32(settings.encode(errors='surrogateescape')):08x}.json"
    return _own_path(view, environ, f"{RECORDS_FOLDER}/{name}")


def plan_schedule(
    view: TreeFilesAndGit,
    environ: Mapping[str, str],
    every: str,
    using: str | None,
    *,
    remove: bool,
) -> tuple[str, list[ScheduleChange]]:
    """Return the scheduler and its changes."""
    chosen = using or regen_scheduler.choose_scheduler(environ)
    minutes = None if remove else parse_interval(every)
    return chosen, regen_scheduler.plan_schedule_changes(
        chosen, (find_interpreter(), view.tree.root), minutes, environ
    )


def install_schedule(using: str, changes: list[ScheduleChange]) -> None:
    """Install the schedule."""
    regen_scheduler.apply_schedule_changes(using, changes)


def _own_path(view: TreeFilesAndGit, environ: Mapping[str, str], name: str) -> str:
    return os.path.join(view.tree.cortex_home(environ), name)


@cache
def _read_client_version() -> tuple[int, ...] | None:
    """Return the version of the installed client; None if it is not installed."""
    try:
        done = subprocess.run(
            ["claude", "--version"],
            capture_output=True,
            text=True,
            timeout=VERSION_TIMEOUT_S,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return claude_code_facts.parse_version(done.stdout)
