"""Find evidence that a task is done."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from cortexfs.core.tasks.completion_evidence import extract_paths, is_work_commit
from cortexfs.errors import HistoryFailed

if TYPE_CHECKING:
    from cortexfs.core.tasks.task_and_board import Task
    from cortexfs.session.view import TreeFilesAndGit


def find_completion_evidence(view: TreeFilesAndGit, task: Task, cwd: str) -> str:
    """Return a commit that names the task, else a path of its done-when; empty without either."""
    return _find_commit(view, task.id) or _find_path(view, task, cwd)


def _find_commit(view: TreeFilesAndGit, ident: str) -> str:
    history = view.repository.history
    try:
        messages = history.find_messages(ident) if history else []
    except HistoryFailed:  # an unreadable repository does not stop the task
        return ""
    subjects = (
        message.partition("\n")[0] for message in messages if is_work_commit(message, ident)
    )
    return next((f"commit “{subject}”" for subject in subjects), "")


def _find_path(view: TreeFilesAndGit, task: Task, cwd: str) -> str:
    """Search below the project, the root and the working directory, never above them."""
    for path in extract_paths(task.text_field("done-when")):
        tree_paths = (f"projects/{task.project}/{path}", path)
        if any(view.tree.is_file(p) or view.tree.is_folder(p) for p in tree_paths):
            return path
        if os.path.exists(os.path.join(cwd, path)):
            return path
    return ""
