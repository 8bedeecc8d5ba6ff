"""The owner name of whoever runs a command or hook, for claims and locks of tasks."""

from __future__ import annotations

import os
from getpass import getuser

from cortexfs.core.tasks.tasks_lock import resolve_owner


def find_owner_name(requested: str | None = None) -> str:
    """Return the requested name, else that of the environment, else the login name."""
    try:
        login = getuser()
    except (OSError, KeyError):  # the system has no name for this user
        login = f"uid {os.getuid()}"
    return resolve_owner(requested, os.environ, login)
