"""Show long output on a terminal in the user's pager, as git does."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from contextlib import suppress

DEFAULT_PAGER = "less"
DEFAULT_ENVIRONMENT = {"LESS": "FRX", "LV": "-c"}
"""Default environment variables of the pager; the user's own values override them."""


def page_text(text: str) -> None:
    """Print a text that ends in a line break; through the pager if it is too long."""
    height = shutil.get_terminal_size().lines
    command = find_pager() if text.count("\n") >= height else ""
    if not command or not _run_pager(command, text):
        sys.stdout.write(text)
        sys.stdout.flush()


def find_pager() -> str:
    """Return `$CORTEXFS_PAGER`, `$PAGER`, or `less` if installed; empty for no pager."""
    for name in ("CORTEXFS_PAGER", "PAGER"):
        if (command := os.environ.get(name)) is not None:
            return "" if command.strip() in {"", "cat"} else command
    return DEFAULT_PAGER if shutil.which(DEFAULT_PAGER) else ""


def _run_pager(command: str, text: str) -> bool:
    """Show a text in the pager until the user leaves it; return whether the pager was found."""
    environ = DEFAULT_ENVIRONMENT | dict(os.environ)
    # the user's own setting, which may hold options and quotes: a shell reads it, as for git
    pager = subprocess.Popen(command, shell=True, stdin=subprocess.PIPE, env=environ)  # noqa: S602
    if pager.stdin:
        with suppress(BrokenPipeError, KeyboardInterrupt), pager.stdin as pipe:
            pipe.write(text.encode("utf-8", "backslashreplace"))
    return _wait_for_exit(pager) not in {126, 127}


def _wait_for_exit(pager: subprocess.Popen[bytes]) -> int:
    """Wait for the pager to end: after Ctrl-C it still owns the terminal."""
    while True:
        with suppress(KeyboardInterrupt):
            return pager.wait()
