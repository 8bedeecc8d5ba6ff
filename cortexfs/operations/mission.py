"""A project's mission.md: shown to everybody, changed only with the user's word."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.governance.checklist import items
from cortexfs.errors import Refused
from cortexfs.operations.shared.governance_file import govern, rewritten, shown

if TYPE_CHECKING:
    from cortexfs.core.governance.checklist import Item
    from cortexfs.cortex import Cortex
    from cortexfs.operations.shared.governance_file import Governed


def mission_of(project: str) -> str:
    """Tell where a project's mission stands."""
    return f"projects/{project}/mission.md"


def show_mission(cortex: Cortex, project: str) -> tuple[str, list[Item]]:
    """Give mission.md as it stands, and the items of its checklists."""
    text = shown(cortex, mission_of(project))
    return text, items(text)


def refuse_unapproved(*, approved: bool) -> None:
    """Refuse to change a mission of which the user has not said that it may be changed."""
    if not approved:
        raise Refused(
            "a mission is changed only with the user's word",
            hint="ask the user; then repeat the command with --approved",
        )


def edit_mission(
    cortex: Cortex,
    project: str,
    text: str,
    before: str | None = None,
    *,
    approved: bool,
    dry_run: bool = False,
    commit: bool = True,
) -> Governed:
    """Put another text in place of the whole file; `before` is the one that its author saw."""
    refuse_unapproved(approved=approved)
    change = rewritten(mission_of(project), before, text, f"mission {project}: edited, approved")
    return govern(cortex, mission_of(project), change, dry_run=dry_run, commit=commit)
