"""Projects and their governance files as JSON, and changes that concern several files."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cortexfs.core.governance.issues import Issue
    from cortexfs.core.governance.user_preferences import Preference
    from cortexfs.interfaces.json.documents import atoms as atom_documents
    from cortexfs.interfaces.json.documents import changes
    from cortexfs.interfaces.json.documents import projects as documents
    from cortexfs.operations.list_and_rename_tags import TagCount
    from cortexfs.operations.project import ProjectSummary
    from cortexfs.operations.scan_reports import ScanReport
    from cortexfs.operations.shared.governance_file import GovernanceChangeResult
    from cortexfs.operations.shared.rename_plan import RenameResult
    from cortexfs.operations.undo import UndoResult


def to_project_json(project: ProjectSummary) -> documents.ProjectDocument:
    """Return a project with its numbers of atoms and reads."""
    document: documents.ProjectDocument = {
        "name": project.name,
        "atoms": dict(project.atoms),
        "refs": project.reads,
    }
    if project.latest_date:
        document["latest"] = project.latest_date
    if project.archived:
        document["archived"] = True
    return document


def to_issues_json(found: Iterable[tuple[Issue, str]]) -> list[documents.IssueDocument]:
    """Return issues with their numbers."""
    return [_to_issue_json(number, *each) for number, each in enumerate(found, start=1)]


def _to_issue_json(number: int, issue: Issue, text: str) -> documents.IssueDocument:
    document: documents.IssueDocument = {"number": number, "title": issue.title, "content": text}
    if issue.date:
        document["date"] = issue.date
    return document


def to_tag_json(found: TagCount) -> atom_documents.TagDocument:
    """Return a tag with its number of atoms."""
    return {"tag": found.tag, "atoms": found.atoms, "projects": list(found.projects)}


def to_preference_json(found: Preference) -> documents.PreferenceDocument:
    """Return a preference of the user."""
    return {"section": found.category, "key": found.key, "value": found.value}


def to_scan_report_json(found: ScanReport) -> documents.ScanReportDocument:
    """Return the day, path and subject of a scan report."""
    document: documents.ScanReportDocument = {"date": found.day, "path": found.path}
    return {**document, "scope": found.scope} if found.scope else document


def to_governance_change_json(done: GovernanceChangeResult) -> documents.GovernanceChangeFields:
    """Return the path of a governance file, and what changed."""
    return {"path": done.path, "changed": done.changed, "message": done.plan.message}


def to_renamed_json(done: RenameResult) -> changes.RenamedFields:
    """Return the old and new name, the changed files, and the places to check."""
    return {
        "renamed": {"from": done.old, "to": done.new, "path": done.path},
        "changed": list(done.changed_paths),
        "unsure": list(done.ambiguous_places),
        "left": list(done.prose_mentions),
    }


def to_undone_json(done: UndoResult) -> changes.UndoneFields:
    """Return the change that was undone, and its files."""
    commit = done.commit
    return {
        "commit": commit.commit,
        "subject": commit.subject,
        "paths": list(done.plan.commit_paths),
    }
