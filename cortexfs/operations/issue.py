"""A project's ISSUES.md: problems that hinder the work, until they are resolved."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.governance import issues
from cortexfs.core.text.sanitize import to_one_line
from cortexfs.core.text.title_and_rest import split_title_and_rest
from cortexfs.operations.shared.governance_file import change_governance_file, read_or_template

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cortexfs.core.governance.issues import Issue
    from cortexfs.operations.shared.governance_file import GovernanceChangeResult
    from cortexfs.session.session import Session
    from cortexfs.session.view import TreeFilesAndGit


MAX_TITLE_LENGTH = 100
"""Maximum characters of a title."""


def issues_path(project: str) -> str:
    """Return the path of a project's issues."""
    return f"projects/{project}/ISSUES.md"


def list_issues(view: TreeFilesAndGit, project: str) -> list[tuple[Issue, str]]:
    """Return every issue in the order of the file, with its text."""
    text = read_or_template(view, issues_path(project))
    return [(issue, text[issue.start : issue.end].strip()) for issue in issues.parse_issues(text)]


def add_issue(
    session: Session,
    project: str,
    text: str,
    bullets: Mapping[str, str],
    *,
    mode: ExecutionMode = ExecutionMode.COMMIT,
) -> GovernanceChangeResult:
    """Add an issue at the end, with today's date; `bullets` gives its bullets.

    The first sentence of `words` is the title; the rest is the problem, or comes before it.
    """
    today = session.clock().date().isoformat()
    title, rest = split_title_and_rest(text, MAX_TITLE_LENGTH)
    bullets = {**bullets, "Problem": f"{rest} {bullets.get('Problem', '')}".strip()}

    def added(text: str) -> tuple[str, str]:
        return issues.add_issue(
            text, title, today, bullets
        ), f"issue {project}: {to_one_line(title)}"

    return change_governance_file(session, issues_path(project), added, mode=mode)


def resolve_issue(
    session: Session, project: str, wanted: str, *, mode: ExecutionMode = ExecutionMode.COMMIT
) -> GovernanceChangeResult:
    """Remove the issue with a number, or with words of its title."""

    def resolved(text: str) -> tuple[str, str]:
        issue, rest = issues.resolve_issue(text, wanted)
        return rest, f"issue {project} resolved: {to_one_line(issue.title)}"

    return change_governance_file(session, issues_path(project), resolved, mode=mode)
