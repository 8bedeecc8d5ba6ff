"""Wire cortexfs into other programs, and out of them again."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cortexfs.clients import claude_code, claude_facts, files, scheduler
from cortexfs.clients.hook import hook_command, needles
from cortexfs.clients.schedule import parse_every

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cortexfs.clients.scheduler import Scheduled
    from cortexfs.cortex import Cortex

SCRIPT = "hooks/note_event.py"
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


def plan_claude_code(cortex: Cortex, environ: Mapping[str, str], *, remove: bool) -> Change:
    """Decide what the client's user settings should read."""
    home = os.path.expanduser("~")
    path = claude_facts.settings_path(home, environ)
    before = files.read(path)
    kept = files.read(record_path(cortex, environ, path))
    record = claude_code.read_record(kept) if kept else None
    if remove:
        return Change(path, before, claude_code.remove(before, record), None)
    installed = claude_code.install(before, wiring(cortex, environ), record, version=_version())
    return Change(path, before, installed.text, installed.record.dump())


def install_claude_code(cortex: Cortex, environ: Mapping[str, str], change: Change) -> None:
    """Copy the hook, keep the record, write the settings; last what makes the others run."""
    if change.record is not None:
        script = files.read(cortex.tree.packaged(SCRIPT))
        files.write(_own(cortex, environ, SCRIPT), script, mode=0o600)
        files.write(record_path(cortex, environ, change.path), change.record, mode=0o600)
    if change.after != change.before:
        files.write(change.path, change.after)
    if change.record is None:
        files.write(record_path(cortex, environ, change.path), None)
        if not files.listed(_own(cortex, environ, RECORDS), RECORD):  # else others run it
            files.write(_own(cortex, environ, SCRIPT), None)


def wiring(cortex: Cortex, environ: Mapping[str, str]) -> claude_code.Wiring:
    """Give what is to stand in the settings: the hook's command and leave to read the tree."""
    root = cortex.tree.root
    python = interpreter()
    nice = shutil.which("nice")
    gently = [nice, "-n", "19"] if nice else []  # the drain must not slow the next hook
    wake = [
        *gently,
        python,
        "-I",
        "-m",
        "cortexfs",
        "--root",
        root,
        "hook",
        "drain",
        "--after",
        "1",
    ]
    words = needles(root, os.path.realpath(root))
    spool = f"{cortex.tree.own}/spool"
    command = hook_command(python, _own(cortex, environ, SCRIPT), spool, words, wake)
    return claude_code.Wiring(command, claude_facts.allow_rule(root, os.path.expanduser("~")))


def interpreter() -> str:
    """Name this Python, always in the same way: equal commands are run once by the client."""
    named = os.path.join(os.path.dirname(sys.executable), "python3")
    same = os.path.exists(named) and os.path.samefile(named, sys.executable)
    return named if same else sys.executable


def record_path(cortex: Cortex, environ: Mapping[str, str], settings: str) -> str:
    """Give the file that remembers what we have put into one settings file."""
    name = f"{RECORD}{zlib.crc32(settings.encode(errors='surrogateescape')):08x}.json"
    return _own(cortex, environ, f"{RECORDS}/{name}")


def plan_schedule(
    cortex: Cortex, environ: Mapping[str, str], every: str, using: str | None, *, remove: bool
) -> tuple[str, list[Scheduled]]:
    """Decide which scheduler gets what."""
    chosen = using or scheduler.choose(environ)
    minutes = None if remove else parse_every(every)
    return chosen, scheduler.plan(chosen, (interpreter(), cortex.tree.root), minutes, environ)


def install_schedule(using: str, changes: list[Scheduled]) -> None:
    """Hand the schedule over."""
    scheduler.carry_out(using, changes)


def _own(cortex: Cortex, environ: Mapping[str, str], name: str) -> str:
    return os.path.join(cortex.tree.home(environ), name)


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
    return claude_facts.parse_version(done.stdout)
