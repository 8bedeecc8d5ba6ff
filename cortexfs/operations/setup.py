"""Wire cortexfs into other programs, and out of them again."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cortexfs.clients import claude_code, claude_code_versions, scheduler, settings_files
from cortexfs.clients.hook_command import GUARD, NOTE, hook_command, needles
from cortexfs.clients.hook_settings import Entry, Wiring
from cortexfs.clients.schedule_text import parse_every

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cortexfs.clients.scheduler import Scheduled
    from cortexfs.session.view import FileView

SCRIPTS = (NOTE, GUARD)
RECORDS = "hooks"
RECORD = "claude-code."
"""What the names of our records begin with; one for each settings file."""
ASK_S = 10
"""How long the client may take to tell its version."""


@dataclass(frozen=True, slots=True)
class Change:
    """One settings file: how it reads, and how it is to read (None: not there)."""

    path: str
    before: str | None
    after: str | None
    record: str | None


def plan_claude_code(view: FileView, environ: Mapping[str, str], *, remove: bool) -> Change:
    """Decide what the client's user settings should read."""
    home = os.path.expanduser("~")
    path = claude_code_versions.settings_path(home, environ)
    before = settings_files.read(path)
    kept = settings_files.read(record_path(view, environ, path))
    record = claude_code.read_record(kept) if kept else None
    if remove:
        return Change(path, before, claude_code.remove(before, record), None)
    installed = claude_code.install(before, wiring(view, environ), record, version=_version())
    return Change(path, before, installed.text, installed.record.dump())


def install_claude_code(view: FileView, environ: Mapping[str, str], change: Change) -> None:
    """Copy the hooks, keep the record, write the settings; last what makes the others run."""
    if change.record is not None:
        for name in SCRIPTS:
            script = settings_files.read(view.tree.packaged(name))
            settings_files.write(_own(view, environ, name), script, mode=0o600)
        settings_files.write(record_path(view, environ, change.path), change.record, mode=0o600)
    if change.after != change.before:
        settings_files.write(change.path, change.after)
    if change.record is None:
        settings_files.write(record_path(view, environ, change.path), None)
        if not settings_files.listed(_own(view, environ, RECORDS), RECORD):  # else others run it
            for name in SCRIPTS:
                settings_files.write(_own(view, environ, name), None)


def wiring(view: FileView, environ: Mapping[str, str]) -> Wiring:
    """Give what is to stand in the settings: the hooks' commands and leave to read the tree."""
    root, python = view.tree.root, interpreter()
    words = needles(root, os.path.realpath(root))
    note = hook_command(
        python, _own(view, environ, NOTE), f"{view.tree.own}/spool", words, _wake(python, root)
    )
    guard = hook_command(python, _own(view, environ, GUARD), root, words, packages())
    entries = (
        Entry("PreToolUse", guard, claude_code_versions.WRITES),
        Entry("PostToolUse", note, claude_code_versions.LOOKS),
        Entry("PostToolUse", guard, claude_code_versions.WRITES),
    )
    return Wiring(entries, claude_code_versions.allow_rule(root, os.path.expanduser("~")))


def packages() -> list[str]:
    """Name the folders that hold cortexfs and what it reads YAML with: a hook looks in no other."""
    from importlib.util import find_spec  # noqa: PLC0415 - only a wiring asks

    found = [find_spec(name) for name in ("cortexfs", "yaml")]
    origins = [os.path.abspath(spec.origin) for spec in found if spec and spec.origin]
    return list(dict.fromkeys(os.path.dirname(os.path.dirname(each)) for each in origins))


def _wake(python: str, root: str) -> list[str]:
    """Give the command that drains, gently: it must not slow the next hook."""
    nice = shutil.which("nice")
    gently = [nice, "-n", "19"] if nice else []
    drain = [python, "-I", "-m", "cortexfs", "--root", root, "hook", "drain", "--after", "1"]
    return [*gently, *drain]


def interpreter() -> str:
    """Name this Python, always in the same way: equal commands are run once by the client."""
    named = os.path.join(os.path.dirname(sys.executable), "python3")
    same = os.path.exists(named) and os.path.samefile(named, sys.executable)
    return named if same else sys.executable


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
