"""A project's mission.md: shown to everybody, changed only with the user's approval."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.governance.checklist import parse_checklist
from cortexfs.errors import Refused
from cortexfs.operations.shared.governance_file import (
    change_governance_file,
    make_replacement,
    read_or_template,
)

if TYPE_CHECKING:
    from cortexfs.core.governance.checklist import ChecklistItem
    from cortexfs.operations.shared.governance_file import GovernanceChangeResult
    from cortexfs.session.session import Session
    from cortexfs.session.view import TreeFilesAndGit


def mission_path(project: str) -> str:
    """Return the path of a project's mission."""
    return f"projects/{project}/mission.md"


def show_mission(view: TreeFilesAndGit, project: str) -> tuple[str, list[ChecklistItem]]:
    """Return the text of mission.md, and the items of its checklists."""
    text = read_or_template(view, mission_path(project))
    return text, parse_checklist(text)


def refuse_unapproved(*, approved: bool) -> None:
    """Refuse to change a mission without the user's approval."""
    if not approved:
        raise Refused(
            "a mission is changed only with the user's approval",
            hint="ask the user; then repeat the command with --approved",
        )


def edit_mission(
    session: Session,
    project: str,
    text: str,
    before: str | None = None,
    *,
    approved: bool,
    mode: ExecutionMode = ExecutionMode.COMMIT,
) -> GovernanceChangeResult:
    """Replace the whole file; `before` is the text that its author saw."""
    refuse_unapproved(approved=approved)
    change = make_replacement(
        mission_path(project), before, text, f"mission {project}: edited, approved"
    )
    return change_governance_file(session, mission_path(project), change, mode=mode)
