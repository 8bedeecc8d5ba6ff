"""A project's roadmap.md: phases and milestones, each with a checklist."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.changes.plan import Mode
from cortexfs.core.governance import checklist
from cortexfs.core.text.sanitize import one_line
from cortexfs.operations.shared.governance_file import govern, shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.governance.checklist import Item
    from cortexfs.operations.shared.governance_file import Governed
    from cortexfs.session.session import Session
    from cortexfs.session.view import FileView


def roadmap_of(project: str) -> str:
    """Tell where a project's roadmap stands."""
    return f"projects/{project}/roadmap.md"


def show_roadmap(view: FileView, project: str) -> tuple[str, list[Item]]:
    """Give roadmap.md as it stands, and the items of its checklists."""
    text = shown(view, roadmap_of(project))
    return text, checklist.items(text)


def tick(session: Session, project: str, wanted: str, *, mode: Mode = Mode.COMMIT) -> Governed:
    """Mark the item that a number or words name as done."""

    def ticked(text: str) -> tuple[str, str]:
        item, after = checklist.tick(text, wanted)
        return after, f"roadmap {project} done: {one_line(item.words)}"

    return govern(session, roadmap_of(project), ticked, mode=mode)


def add(
    session: Session,
    project: str,
    phase: str,
    milestone: str,
    items: Sequence[str],
    *,
    mode: Mode = Mode.COMMIT,
) -> Governed:
    """Add items to a milestone of a phase, making either where it is missing."""

    def added(text: str) -> tuple[str, str]:
        where = one_line(milestone) or one_line(phase)
        after = checklist.add_items(text, phase, milestone, items)
        return after, f"roadmap {project}: {where}"

    return govern(session, roadmap_of(project), added, mode=mode)
