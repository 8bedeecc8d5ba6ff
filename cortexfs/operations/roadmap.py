"""A project's roadmap.md: phases and milestones, each with a checklist."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.governance import checklist
from cortexfs.core.text.sanitize import to_one_line
from cortexfs.operations.shared.governance_file import change_governance_file, read_or_template

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.governance.checklist import ChecklistItem
    from cortexfs.operations.shared.governance_file import GovernanceChangeResult
    from cortexfs.session.session import Session
    from cortexfs.session.view import TreeFilesAndGit


def roadmap_path(project: str) -> str:
    """Return the path of a project's roadmap."""
    return f"projects/{project}/roadmap.md"


def show_roadmap(view: TreeFilesAndGit, project: str) -> tuple[str, list[ChecklistItem]]:
    """Return the text of roadmap.md, and the items of its checklists."""
    text = read_or_template(view, roadmap_path(project))
    return text, checklist.parse_checklist(text)


def tick_roadmap_item(
    session: Session, project: str, wanted: str, *, mode: ExecutionMode = ExecutionMode.COMMIT
) -> GovernanceChangeResult:
    """Tick the item with a number or words."""

    def ticked(text: str) -> tuple[str, str]:
        item, after = checklist.mark_item_done(text, wanted)
        return after, f"roadmap {project} done: {to_one_line(item.text)}"

    return change_governance_file(session, roadmap_path(project), ticked, mode=mode)


def add_roadmap_items(
    session: Session,
    project: str,
    phase: str,
    milestone: str,
    items: Sequence[str],
    *,
    mode: ExecutionMode = ExecutionMode.COMMIT,
) -> GovernanceChangeResult:
    """Add items to a milestone of a phase; missing ones are created."""

    def added(text: str) -> tuple[str, str]:
        where = to_one_line(milestone) or to_one_line(phase)
        after = checklist.add_items(text, phase, milestone, items)
        return after, f"roadmap {project}: {where}"

    return change_governance_file(session, roadmap_path(project), added, mode=mode)
