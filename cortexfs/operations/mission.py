"""A project's mission.md: shown to everybody, changed only with the user's word."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.changes.plan import Mode
from cortexfs.core.governance.checklist import items
from cortexfs.errors import Refused
from cortexfs.operations.shared.governance_file import govern, rewritten, shown

if TYPE_CHECKING:
    from cortexfs.core.governance.checklist import Item
    from cortexfs.operations.shared.governance_file import Governed
    from cortexfs.session.session import Session
    from cortexfs.session.view import FileView


def mission_of(project: str) -> str:
    """Tell where a project's mission stands."""
    return f"projects/{project}/mission.md"


def show_mission(view: FileView, project: str) -> tuple[str, list[Item]]:
    """Give mission.md as it stands, and the items of its checklists."""
    text = shown(view, mission_of(project))
    return text, items(text)


def refuse_unapproved(*, approved: bool) -> None:
    """Refuse to change a mission of which the user has not said that it may be changed."""
    if not approved:
        raise Refused(
            "a mission is changed only with the user's word",
            hint="ask the user; then repeat the command with --approved",
        )


def edit_mission(
    session: Session,
    project: str,
    text: str,
    before: str | None = None,
    *,
    approved: bool,
    mode: Mode = Mode.COMMIT,
) -> Governed:
    """Put another text in place of the whole file; `before` is the one that its author saw."""
    refuse_unapproved(approved=approved)
    change = rewritten(mission_of(project), before, text, f"mission {project}: edited, approved")
    return govern(session, mission_of(project), change, mode=mode)
