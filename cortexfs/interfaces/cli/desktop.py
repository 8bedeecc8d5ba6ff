"""Open files with the program of the desktop, if there is one."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

from cortexfs.errors import Refused

FAILURE_TIMEOUT_S = 3.0
"""Seconds to wait for an opener's failure; one that runs longer is the program itself."""


def find_opener() -> str:
    """Return the program that opens files on this desktop; empty if there is no desktop."""
    if sys.platform == "darwin":
        return "" if "SSH_CONNECTION" in os.environ else shutil.which("open") or ""
    has_display = os.environ.get("WAYLAND_DISPLAY") or os.environ.get("DISPLAY")
    return (shutil.which("xdg-open") or "") if has_display else ""


def open_file(program: str, path: str) -> None:
    """Open a file without waiting for the program to end; raise `Refused` if that fails."""
    quiet = subprocess.DEVNULL
    try:
        started = subprocess.Popen(
            [program, path], stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True
        )
        code = started.wait(FAILURE_TIMEOUT_S)
    except subprocess.TimeoutExpired:
        return
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise Refused(f"`{program}` does not start: {reason}", hint=f"the file is {path}") from None
    if code:
        raise Refused(f"`{program}` exited with {code}", hint=f"the file is {path}")
