"""The environment of a command: its clock, working directory, tree and global options."""

from __future__ import annotations

import os
import sys
from datetime import UTC, datetime
from math import isnan, nan
from typing import TYPE_CHECKING

from cortexfs.errors import Refused

if TYPE_CHECKING:
    from cortexfs.core.checks.citation_checksums import CitedFileSource
    from cortexfs.session.session import Session

MAX_LOCK_WAIT_S = 86_400.0
"""Maximum seconds that `CORTEXFS_LOCK_WAIT` may name."""


def read_clock() -> datetime:
    """Return the current time, or the fixed time in `CORTEXFS_NOW` (ISO 8601)."""
    if not (fixed := os.environ.get("CORTEXFS_NOW")):
        return datetime.now(UTC)
    try:
        return datetime.fromisoformat(fixed).astimezone(UTC)
    except ValueError:
        hint = "set it to a time such as 2026-05-06T20:31, or unset it"
        raise Refused("CORTEXFS_NOW is not a time", hint=hint) from None


def working_directory() -> str:
    """Return the working directory, or `/` if it has been removed."""
    try:
        return os.getcwd()
    except FileNotFoundError:
        return os.sep


def find_root(root: str | None) -> str:
    """Return the root of the tree of this command."""
    from cortexfs.session.find_root import find_root

    return find_root(root or GLOBAL_OPTIONS.root, os.environ, working_directory())


class _GlobalOptions:
    """The options before the name of the command, and that name."""

    root: str | None = None
    quiet: bool = False
    command: str = ""
    pager: bool = True
    session: Session | None = None
    """The tree that the command has opened."""


GLOBAL_OPTIONS = _GlobalOptions()


def set_global_options(root: str | None, *, quiet: bool, pager: bool, command: str) -> None:
    """Store the options before the command, and the command's name."""
    GLOBAL_OPTIONS.root, GLOBAL_OPTIONS.quiet, GLOBAL_OPTIONS.pager = root, quiet, pager
    GLOBAL_OPTIONS.command = command


def disable_pager() -> None:
    """Print long output without the pager."""
    GLOBAL_OPTIONS.pager = False


def open_session(root: str | None) -> Session:
    """Open the tree of this command."""
    from cortexfs.session.session import Session

    opened = Session.open(find_root(root), read_clock, f"cortexfs {GLOBAL_OPTIONS.command}".strip())
    opened.wait_s = _read_lock_wait(opened.wait_s)
    GLOBAL_OPTIONS.session = opened
    if sys.stderr.isatty():
        from cortexfs.interfaces.cli.progress import make_progress_bar

        opened.reader.progress = make_progress_bar()
    return opened


def refresh_bulletin_later() -> None:
    """If the command has changed the tree, let a background process render the bulletin."""
    opened = GLOBAL_OPTIONS.session
    if opened is not None and opened.reader.has_changed and GLOBAL_OPTIONS.command != "hook":
        from cortexfs.operations.refresh_later import refresh_later

        refresh_later(opened, os.environ)


def _read_lock_wait(default: float) -> float:
    """Return the seconds to wait for a locked tree: `CORTEXFS_LOCK_WAIT`, or `usual`."""
    if not (typed := os.environ.get("CORTEXFS_LOCK_WAIT")):
        return default
    try:
        seconds = float(typed)
    except ValueError:
        seconds = nan
    if isnan(seconds):
        hint = "set it to a number of seconds, or unset it"
        raise Refused("CORTEXFS_LOCK_WAIT is not a number", hint=hint)
    return min(max(seconds, 0.0), MAX_LOCK_WAIT_S)


def find_sources(session: Session) -> CitedFileSource:
    """Return the locations of the files that atoms cite."""
    from cortexfs.session.cited_files import find_cited_files

    return find_cited_files(os.environ, working_directory(), session.tree.root)


def write_crash_report(report: str) -> str:
    """Write a crash report to the tree's own folder, and return its path."""
    from cortexfs.session.crash_report import write_crash_report

    return write_crash_report(find_root(None), report, datetime.now(UTC))
