"""Describe one project for a page about it: its governance files, its work and its atoms."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.tree_paths import CORTEX_MD, OVERVIEW_MD
from cortexfs.core.governance.edit_overview import is_archived
from cortexfs.core.governance.project_status import parse_status_sections
from cortexfs.operations.roadmap import show_roadmap
from cortexfs.operations.shared.read_text_or_empty import read_text_or_empty
from cortexfs.operations.shared.resolve_names import require_project
from cortexfs.session.view import NeededContents

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cortexfs.core.governance.checklist import ChecklistItem
    from cortexfs.session.session import Session

_PAGES = (CORTEX_MD, "STATUS.md", "mission.md", "roadmap.md", "ISSUES.md", "TASKS.yaml")


class ProjectDescription(NamedTuple):
    """One project: the sections of its status, its mission, and its pages that exist."""

    name: str
    is_archived: bool
    status: Mapping[str, str]
    mission: str
    roadmap: Sequence[ChecklistItem]
    pages: Sequence[str]


class ListedProject(NamedTuple):
    """One project of a list: its figures, and the phase that its status names."""

    name: str
    atoms: int
    is_archived: bool
    phase: str
    updated: str


def list_described_projects(session: Session) -> list[ListedProject]:
    """Return every project with its figures, by name."""
    with session.read(NeededContents.TEXTS) as view:
        overview = read_text_or_empty(view, OVERVIEW_MD)
        counts = view.browse.count_by_project()
        projects = []
        for name in view.tree.list_projects():
            status = parse_status_sections(read_text_or_empty(view, f"projects/{name}/STATUS.md"))
            projects.append(
                ListedProject(
                    name,
                    counts.get(name, 0),
                    is_archived(overview, name),
                    status.get("phase", ""),
                    status.get("updated", ""),
                )
            )
        return projects


def describe_project(session: Session, name: str) -> ProjectDescription:
    """Return all about a project except its atoms; raises `NoSuchProject`."""
    with session.read(NeededContents.TEXTS) as view:
        require_project(view, name)
        folder = f"projects/{name}"
        return ProjectDescription(
            name,
            is_archived(read_text_or_empty(view, OVERVIEW_MD), name),
            parse_status_sections(read_text_or_empty(view, f"{folder}/STATUS.md")),
            read_text_or_empty(view, f"{folder}/mission.md"),
            show_roadmap(view, name)[1],
            [f"{folder}/{page}" for page in _PAGES if view.tree.is_file(f"{folder}/{page}")],
        )
