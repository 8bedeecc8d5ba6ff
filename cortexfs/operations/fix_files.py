"""Fix the problems of some files that have one right answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.atoms.tree_paths import INDEX_MD
from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.changes.plan import Outcome, Plan, PlanOnlyResult
from cortexfs.errors import Usage
from cortexfs.operations.check import plan_fixes
from cortexfs.session.view import NeededContents

if TYPE_CHECKING:
    from collections.abc import Collection

    from cortexfs.session.session import Session
    from cortexfs.session.view import View

MAX_FILES = 500
"""Maximum number of files that are fixed at once."""


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
        render=lambda view: [each for each in view.indexes.list_folders() if each in indexes],
        ingest=NeededContents.FINDINGS,
    )
    return outcome or Outcome(planned.plan, Plan(""))
