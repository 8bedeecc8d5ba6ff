"""The project of a call that names none."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from cortexfs.core.memory.memory_text import normalize_project
from cortexfs.operations.shared.resolve_names import find_current_project
from cortexfs.session.working_folders import find_repository_folder

if TYPE_CHECKING:
    from cortexfs.session.session import Session


def choose_default_project(session: Session, typed: str, cwd: str) -> str:
    """Return the named project, that of the working directory, or the name of its repository.

    Outside a repository it is `general`. The project need not exist.
    """
    if typed:
        return normalize_project(typed)
    if current := find_current_project(session, cwd):
        return current
    return normalize_project(os.path.basename(find_repository_folder(cwd)))
