"""Projects and their governance files as JSON, and changes that concern several files."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cortexfs.core.governance.issues import Issue
    from cortexfs.core.governance.user_preferences import Preference
    from cortexfs.operations.list_and_rename_tags import TagCount
    from cortexfs.operations.project import ProjectSummary
    from cortexfs.operations.scan_reports import ScanReport
    from cortexfs.operations.shared.governance_file import GovernanceChangeResult
    from cortexfs.operations.shared.rename_plan import RenameResult
    from cortexfs.operations.undo import UndoResult

    Document = dict[str, object]


def to_project_json(project: ProjectSummary) -> Document:
    """Return a project with its numbers of atoms and reads."""
    document: Document = {"name": project.name, "atoms": project.atoms, "refs": project.reads}
    document |= {"latest": project.latest_date} if project.latest_date else {}
    return document | ({"archived": True} if project.archived else {})


def to_issues_json(found: Iterable[tuple[Issue, str]]) -> list[Document]:
    """Return issues with their numbers."""
    return [
        {"number": number, "title": one.title, **({"date": one.date} if one.date else {})}
        | {"content": text}
        for number, (one, text) in enumerate(found, start=1)
    ]


def to_tag_json(found: TagCount) -> Document:
    """Return a tag with its number of atoms."""
    return {"tag": found.tag, "atoms": found.atoms, "projects": found.projects}


def to_preference_json(found: Preference) -> Document:
    """Return a preference of the user."""
    return {"section": found.category, "key": found.key, "value": found.value}


def to_scan_report_json(found: ScanReport) -> Document:
    """Return the day, path and subject of a scan report."""
    scope = {"scope": found.scope} if found.scope else {}
    return {"date": found.day, "path": found.path, **scope}


def to_governance_change_json(done: GovernanceChangeResult) -> Document:
    """Return the path of a governance file, and what changed."""
    return {"path": done.path, "changed": done.changed, "message": done.plan.message}


def to_renamed_json(done: RenameResult) -> Document:
    """Return the old and new name, the changed files, and the places to check."""
    return {
        "renamed": {"from": done.old, "to": done.new, "path": done.path},
        "changed": done.changed_paths,
        "unsure": done.ambiguous_places,
        "left": done.prose_mentions,
    }


def to_undone_json(done: UndoResult) -> Document:
    """Return the change that was undone, and its files."""
    commit = done.commit
    return {"commit": commit.commit, "subject": commit.subject, "paths": done.plan.commit_paths}
