"""The project of a call that names none."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from cortexfs.operations.shared.resolve_names import find_current_project

if TYPE_CHECKING:
    from cortexfs.session.session import Session

GENERAL = "general"
"""The project of what belongs to no other."""
MAX_NAME_CHARS = 64


def choose_default_project(session: Session, typed: str, cwd: str) -> str:
    """Return the named project, that of the working directory, or the name of its repository.

    Outside a repository it is `general`. The project need not exist.
    """
    if typed:
        return normalize_project_name(typed)
    if current := find_current_project(session, cwd):
        return current
    return normalize_project_name(os.path.basename(_find_repository(cwd)))


def normalize_project_name(name: str) -> str:
    """Return a text as the name of a project: `My App` becomes `my-app`."""
    slug = re.sub(r"[^a-z0-9._-]+", "-", name.lower()).strip("-._")
    return slug[:MAX_NAME_CHARS].rstrip("-._") or GENERAL


def _find_repository(path: str) -> str:
    """Return the nearest folder with a `.git`; empty without one."""
    while not os.path.lexists(os.path.join(path, ".git")):
        path, below = os.path.dirname(path), path
        if path == below:
            return ""
    return path
