"""Judge what an agent is about to write.

The agent waits for it: what only one sort of file needs is imported where that file is met.
"""
# ruff: noqa: PLC0415

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.atoms.tree_paths import project_of
from cortexfs.core.checks.size_limits import cap_of
from cortexfs.core.guards.special_files import SETTINGS, TASKS
from cortexfs.core.guards.verdict import FREE, Verdict, judge_secrets, judge_size
from cortexfs.core.guards.write_request import EditsTooLarge, text_after

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from cortexfs.core.guards.write_request import WriteRequest
    from cortexfs.session.types import Tree


def before(
    tree: Tree, path: str, request: WriteRequest, caller: Callable[[], str], now: datetime
) -> Verdict:
    """Judge a request to write a file; where no rule is against it, it is free."""
    present = text_of(tree, path)
    try:
        after = text_after(request, present)
    except EditsTooLarge:
        return Verdict(denial=f"the edits of {path} make too much text. Nothing was written.")
    verdict = judge_secrets(path, present, request.new_text if after is None else after)
    if verdict.denial:
        return verdict
    project = project_of(path)
    if project and path == f"projects/{project}/{TASKS}":
        return _tasks(tree, project, caller(), now)
    own = tree.settings().caps if tree.holds(SETTINGS) else {}
    cap = cap_of(path, own)
    return FREE if after is None or not cap else judge_size(path, present, after, cap)


def text_of(tree: Tree, path: str) -> str | None:
    """Read a file; None where it is missing, or cannot be read."""
    read = tree.read(path)
    return None if isinstance(read, Flaw) else read.text


def _tasks(tree: Tree, project: str, caller: str, now: datetime) -> Verdict:
    from cortexfs.core.guards.tasks_lock import judge_tasks
    from cortexfs.core.tasks.task import path_of, read_board

    return judge_tasks(read_board(project, text_of(tree, path_of(project))), caller, now)
