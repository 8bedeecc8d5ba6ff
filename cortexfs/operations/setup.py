"""Set up other programs to work with a tree, and undo that again."""

from __future__ import annotations

import os
import subprocess
import zlib
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from cortexfs.clients import claude_code, claude_code_versions, scheduler, settings_files
from cortexfs.clients.claude_code_versions import Permission, permission_rule
from cortexfs.clients.hook_command import GUARD, NOTE, hook_command, needles
from cortexfs.clients.hook_settings import Entry, Wiring
from cortexfs.clients.schedule_text import parse_every
from cortexfs.clients.settings_record import read_record
from cortexfs.errors import SettingsChanged
from cortexfs.operations.drain_command import DRAIN_LATER, drain_command, interpreter, spool_path

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from cortexfs.clients.scheduler import Scheduled
    from cortexfs.session.view import FileView

SCRIPTS = (NOTE, GUARD, DRAIN_LATER)
RECORDS = "hooks"
RECORD = "claude-code."
"""What the names of our records begin with; one for each settings file."""
ASK_S = 10
"""How long the client may take to tell its version."""


@dataclass(frozen=True, slots=True)
class Change:
    """One settings file: how it reads, and how it is to read (None: not there).

    `missing` are the permissions that agents would not have.
    """

    path: str
    before: str | None
    after: str | None
    record: str | None
    missing: tuple[Permission, ...] = ()


def plan_claude_code(
    view: FileView,
    environ: Mapping[str, str],
    *,
    remove: bool,
    allow: Collection[str] = (),
) -> Change:
    """Decide what the client's user settings should read.

    `allow` names values of `Permission`; those of our rules that still stand there stay.
    """
    home = os.path.expanduser("~")
    path = claude_code_versions.settings_path(home, environ)
    before = settings_files.read(path)
    settings_files.refuse_hard_links(path)
    kept = settings_files.read(record_path(view, environ, path))
    record = read_record(kept) if kept else None
    if remove:
        return Change(path, before, claude_code.remove(before, record), None)
    allowed = claude_code.allowed_rules(before)
    rules = {each: permission_rule(each, view.tree.root, home) for each in Permission}
    ours = {rule for rule in record.rules if rule in allowed} if record else set()
    wanted = [rule for each, rule in rules.items() if each in allow or rule in ours]
    installed = claude_code.install(
        before, wiring(view, environ, wanted), record, version=_version()
    )
    missing = (each for each, rule in rules.items() if rule not in {*wanted, *map(str, allowed)})
    return Change(path, before, installed.text, installed.record.dump(), tuple(missing))


def install_claude_code(view: FileView, environ: Mapping[str, str], change: Change) -> None:
    """Copy the hooks, keep the record, write the settings; last what makes the others run.

    Raises `SettingsChanged` where the settings no longer read as when the change was planned.
    """
    settings_files.sweep(change.path)
    if settings_files.read(change.path) != change.before:
        raise SettingsChanged(change.path)
    if change.record is not None:
        for name in SCRIPTS:
            script = settings_files.read(view.tree.packaged(name))
            settings_files.write(_own(view, environ, name), script, mode=0o600)
        settings_files.write(record_path(view, environ, change.path), change.record, mode=0o600)
    if change.after != change.before:
        settings_files.write(change.path, change.after, expected=change.before)
    if change.record is None:
        settings_files.write(record_path(view, environ, change.path), None)
        if not settings_files.listed(_own(view, environ, RECORDS), RECORD):  # else others run it
            for name in SCRIPTS:
                settings_files.write(_own(view, environ, name), None)


def wiring(view: FileView, environ: Mapping[str, str], more: Sequence[str] = ()) -> Wiring:
    """Give what is to stand in the settings: hooks, the rule to read the tree, and more rules."""
    root, python = view.tree.root, interpreter()
    words = needles(root, os.path.realpath(root))
    later, spool = _own(view, environ, DRAIN_LATER), spool_path(view)
    script = _own(view, environ, NOTE)
    note = hook_command(python, script, (spool, *words), drain_command(view, later))
    flush = hook_command(python, script, ("--flush", spool), drain_command(view, later, "--now"))
    guard = hook_command(python, _own(view, environ, GUARD), (root, *words), packages())
    entries = (
        Entry("PreToolUse", guard, claude_code_versions.WRITES),
        Entry("PostToolUse", note, claude_code_versions.LOOKS),
        Entry("PostToolUse", guard, claude_code_versions.WRITES),
        Entry("Stop", flush),
        Entry("SessionEnd", flush),
    )
    return Wiring(entries, (claude_code_versions.read_rule(root, os.path.expanduser("~")), *more))


def packages() -> list[str]:
    """Name the folders of cortexfs and of the packages that a guard needs: it looks in no other."""
    from importlib.util import find_spec  # noqa: PLC0415 - only a wiring asks

    found = [find_spec(name) for name in ("cortexfs", "yaml", "detect_secrets")]
    origins = [os.path.abspath(spec.origin) for spec in found if spec and spec.origin]
    return list(dict.fromkeys(os.path.dirname(os.path.dirname(each)) for each in origins))


def record_path(view: FileView, environ: Mapping[str, str], settings: str) -> str:
    """Give the file that remembers what we have put into one settings file."""
    name = f"{RECORD}{zlib.crc32(settings.encode(errors='surrogateescape')):08x}.json"
    return _own(view, environ, f"{RECORDS}/{name}")


def plan_schedule(
    view: FileView, environ: Mapping[str, str], every: str, using: str | None, *, remove: bool
) -> tuple[str, list[Scheduled]]:
    """Decide which scheduler gets what."""
    chosen = using or scheduler.choose(environ)
    minutes = None if remove else parse_every(every)
    return chosen, scheduler.plan(chosen, (interpreter(), view.tree.root), minutes, environ)


def install_schedule(using: str, changes: list[Scheduled]) -> None:
    """Hand the schedule over."""
    scheduler.carry_out(using, changes)


def _own(view: FileView, environ: Mapping[str, str], name: str) -> str:
    return os.path.join(view.tree.home(environ), name)


@cache
def _version() -> tuple[int, ...] | None:
    """Ask the installed client for its version; None where there is none to ask."""
    try:
        done = subprocess.run(
            ["claude", "--version"],
            capture_output=True,
            text=True,
            timeout=ASK_S,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return claude_code_versions.parse_version(done.stdout)
