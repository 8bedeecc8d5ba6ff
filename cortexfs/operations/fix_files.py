"""Fix the problems of some files that have one right answer."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING

from cortexfs.core.atoms.tree_paths import INDEX_MD, is_access_log, parse_atom_path
from cortexfs.core.changes.plan import ExecutionMode, Outcome, Plan, PlanOnlyResult
from cortexfs.core.checks.fixes import FIXABLE_CODES
from cortexfs.errors import Usage
from cortexfs.operations.check import plan_fixes
from cortexfs.session.view import NeededContents

if TYPE_CHECKING:
    from collections.abc import Collection

    from cortexfs.core.atoms.atom import Finding
    from cortexfs.core.atoms.kinds import Kinds
    from cortexfs.session.session import Session
    from cortexfs.session.view import View

RENDERED_CODES = frozenset({"index-stale", "listing-stale", "overview-stale"})
"""The codes of files that are derived: they are rendered again."""
_NAMED = re.compile(r"`([^`]+)`")
MAX_FILES = 500
"""Maximum number of files that are fixed at once."""


class Remedy(StrEnum):
    """What ends a finding."""

    FIX = "fix"
    RENUMBER = "renumber"
    REVIEW = "review"
    UNCLAIM = "unclaim"
    EDIT = "edit"
    TASKS = "tasks"
    BY_HAND = "by hand"


_REMEDIES = {"stale-evidence": Remedy.REVIEW, "stale-claim": Remedy.UNCLAIM}


def find_remedy(finding: Finding, kinds: Kinds) -> Remedy:
    """Return what ends a finding: a fix, another id, the editor, the board, or only a person."""
    is_log = finding.code == "conflict-marker" and is_access_log(finding.path)
    if finding.code in FIXABLE_CODES or finding.code in RENDERED_CODES or is_log:
        return Remedy.FIX
    if remedy := _REMEDIES.get(finding.code):
        return remedy
    if finding.path.endswith("/TASKS.yaml"):
        return Remedy.TASKS
    if parse_atom_path(finding.path, kinds) is None:
        return Remedy.BY_HAND
    return Remedy.RENUMBER if finding.code == "duplicate-id" else Remedy.EDIT


def find_named(finding: Finding) -> str:
    """Return the ref or id that the message of a finding names first; empty without one."""
    found = _NAMED.search(finding.message)
    return found[1] if found else ""


def list_indexes(paths: Collection[str]) -> list[str]:
    """Return the indexes among some files, which are rendered and not edited."""
    return [path for path in paths if path.endswith(f"/{INDEX_MD}")]


def fix_files(
    session: Session, paths: Collection[str], *, mode: ExecutionMode = ExecutionMode.COMMIT
) -> Outcome:
    """Fix what has one right answer in some files, and render the indexes among them.

    Raises `Usage` without files, or with too many.
    """
    if not paths or len(paths) > MAX_FILES:
        raise Usage(f"select 1 to {MAX_FILES} files")
    indexes = {path.rpartition("/")[0] for path in list_indexes(paths)}

    def decide(view: View) -> PlanOnlyResult:
        plan = plan_fixes(view, None)
        writes = tuple(write for write in plan.writes if write.path in paths)
        what = next(iter(paths)) if len(paths) == 1 else "selected files"
        return PlanOnlyResult(plan._replace(message=f"check: fix {what}", writes=writes))

    planned, outcome = session.execute(
        decide,
        mode,
        render=lambda view: [each for each in view.list_index_folders() if each in indexes],
        ingest=NeededContents.FINDINGS,
    )
    return outcome or Outcome(planned.plan, Plan(""))
