"""Judge a write before an agent makes it.

The agent waits for the answer: imports for one type of file are made only for that type.
"""
# ruff: noqa: PLC0415

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.atoms.tree_paths import project_from_path
from cortexfs.core.checks.size_limits import find_cap
from cortexfs.core.guards.guarded_file_names import SETTINGS_FILE, TASKS_FILE
from cortexfs.core.guards.judge_size_and_secrets import ALLOWED, Verdict, judge_secrets, judge_size
from cortexfs.core.guards.write_request import EditsTooLarge, compute_text_after

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from cortexfs.core.guards.write_request import WriteRequest
    from cortexfs.session.annotation_types import Tree


def judge_write(
    tree: Tree, path: str, request: WriteRequest, caller: Callable[[], str], now: datetime
) -> Verdict:
    """Return the verdict on a request to write a file; it is allowed if no rule forbids it."""
    present = read_text_or_none(tree, path)
    try:
        after = compute_text_after(request, present)
    except EditsTooLarge:
        return Verdict(
            denial=f"the text of {path} after the edits is too large. Nothing was written."
        )
    verdict = judge_secrets(path, present, request.added_text if after is None else after)
    if verdict.denial:
        return verdict
    project = project_from_path(path)
    if project and path == f"projects/{project}/{TASKS_FILE}":
        return _judge_tasks(tree, project, caller(), now)
    own = tree.read_settings().caps if tree.has_root_entry(SETTINGS_FILE) else {}
    cap = find_cap(path, own)
    return ALLOWED if after is None or not cap else judge_size(path, present, after, cap)


def read_text_or_none(tree: Tree, path: str) -> str | None:
    """Return a file's text; None if it is missing, or cannot be read."""
    read = tree.read_text_or_flaw(path)
    return None if isinstance(read, Flaw) else read.text


def _judge_tasks(tree: Tree, project: str, caller: str, now: datetime) -> Verdict:
    from cortexfs.core.guards.require_tasks_lock import judge_tasks_edit
    from cortexfs.core.tasks.task_and_board import parse_board, tasks_path

    return judge_tasks_edit(
        parse_board(project, read_text_or_none(tree, tasks_path(project))), caller, now
    )
