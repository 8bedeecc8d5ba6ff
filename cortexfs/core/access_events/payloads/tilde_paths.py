"""Paths in the tool calls of clients that do not expand `~`."""

from __future__ import annotations

from posixpath import join, normpath

from cortexfs.core.access_events.tool_call import UNKNOWN_CWD

_MAX_PATH_CHARS = 4096
"""Maximum characters of a path; no system opens a longer one."""


def keep_tilde(path: str) -> str:
    """Return a path in which `~` is the name of a file, as it is for these clients."""
    return f"./{path}" if path.startswith("~") else path


def join_path(folder: str, path: str) -> str:
    """Return the absolute form of a path in a folder; `UNKNOWN_CWD` if there is none."""
    full = join(folder, path) if len(folder) + len(path) < _MAX_PATH_CHARS else ""
    is_path = full.startswith("/") and "\0" not in full  # some Pythons cut a path off there
    return normpath(full) if is_path else UNKNOWN_CWD
