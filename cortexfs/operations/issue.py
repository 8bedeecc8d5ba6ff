"""A project's ISSUES.md: what hinders the work, until it is resolved."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.changes.plan import Mode
from cortexfs.core.governance import issues
from cortexfs.core.text.sanitize import one_line
from cortexfs.core.text.titles import split_title
from cortexfs.operations.shared.governance_file import govern, shown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cortexfs.core.governance.issues import Issue
    from cortexfs.operations.shared.governance_file import Governed
    from cortexfs.session.session import Session
    from cortexfs.session.view import FileView


TITLE = 100
"""Characters of a title."""


def issues_of(project: str) -> str:
    """Tell where a project's issues stand."""
    return f"projects/{project}/ISSUES.md"


def list_issues(view: FileView, project: str) -> list[tuple[Issue, str]]:
    """Give every issue in the order of the file, with its text as it stands."""
    text = shown(view, issues_of(project))
    return [(issue, text[issue.start : issue.end].strip()) for issue in issues.read_issues(text)]


def add_issue(
    session: Session,
    project: str,
    words: str,
    said: Mapping[str, str],
    *,
    mode: Mode = Mode.COMMIT,
) -> Governed:
    """Add an issue at the end, with today's date; `said` gives its bullets.

    The first sentence of `words` is the title; the rest is the problem, or comes before it.
    """
    today = session.clock().date().isoformat()
    title, rest = split_title(words, TITLE)
    said = {**said, "Problem": f"{rest} {said.get('Problem', '')}".strip()}

    def added(text: str) -> tuple[str, str]:
        return issues.add_issue(text, title, today, said), f"issue {project}: {one_line(title)}"

    return govern(session, issues_of(project), added, mode=mode)


def resolve_issue(
    session: Session, project: str, wanted: str, *, mode: Mode = Mode.COMMIT
) -> Governed:
    """Take out the issue that a number or words of its title name."""

    def resolved(text: str) -> tuple[str, str]:
        issue, rest = issues.resolve_issue(text, wanted)
        return rest, f"issue {project} resolved: {one_line(issue.title)}"

    return govern(session, issues_of(project), resolved, mode=mode)
