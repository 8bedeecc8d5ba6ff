"""Create a tree, or add its missing parts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.atoms.create_atom import (
    GITATTRIBUTES_LINES,
    GITIGNORE_LINES,
    add_missing_lines,
    plan_missing_files,
)
from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.changes.plan import Plan, PlanOnlyResult, Write, attach_outcome
from cortexfs.operations.shared.cortex_md_and_overview import add_derived_writes
from cortexfs.session.session import Session
from cortexfs.session.view import render_no_indexes

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from cortexfs.core.changes.plan import Outcome
    from cortexfs.session.view import TreeFilesAndGit

COMMIT_MESSAGE = "init: cortexfs tree"


def init(
    root: str, clock: Callable[[], datetime], *, mode: ExecutionMode = ExecutionMode.COMMIT
) -> tuple[Plan, Outcome | None]:
    """Create the tree and its repository; existing files are kept."""
    if mode.is_dry_run:
        return plan_init(Session.open_unchecked(root, clock)), None
    session = Session.create(root, clock)
    return attach_outcome(
        session.execute(
            lambda view: PlanOnlyResult(plan_init(view)), mode, render=render_no_indexes
        )
    )


def plan_init(view: TreeFilesAndGit) -> Plan:
    """Return a plan of the missing starting texts, and the missing lines of git's settings."""
    texts = view.tree.read_templates("tree")
    present = {path: "" if view.tree.is_path_taken(path) else None for path in texts}
    writes = plan_missing_files(texts, present, {})
    user_changes = view.repository.find_user_changes([".gitignore", ".gitattributes"]).changed
    for path, lines in ((".gitignore", GITIGNORE_LINES), (".gitattributes", GITATTRIBUTES_LINES)):
        old = view.tree.read_text_or_flaw(path) if view.tree.is_path_taken(path) else None
        if path in user_changes or isinstance(old, Flaw):
            continue
        old_text = old.text if old else None
        if (text := add_missing_lines(old_text or "", lines)) != old_text:
            writes.append(Write(path, text, old_text))
    return Plan(COMMIT_MESSAGE, tuple(add_derived_writes(view, writes)))
