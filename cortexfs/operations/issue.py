"""A project's ISSUES.md: what hinders the work, until it is resolved."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.governance import issues
from cortexfs.core.text.sanitize import one_line
from cortexfs.operations.shared.governance_file import govern, shown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cortexfs.core.governance.issues import Issue
    from cortexfs.cortex import Cortex
    from cortexfs.operations.shared.governance_file import Governed


def issues_of(project: str) -> str:
    """Tell where a project's issues stand."""
    return f"projects/{project}/ISSUES.md"


def list_issues(cortex: Cortex, project: str) -> list[tuple[Issue, str]]:
    """Give every issue in the order of the file, with its text as it stands."""
    text = shown(cortex, issues_of(project))
    return [(issue, text[issue.start : issue.end].strip()) for issue in issues.read_issues(text)]


def add_issue(
    cortex: Cortex,
    project: str,
    title: str,
    said: Mapping[str, str],
    *,
    dry_run: bool = False,
    commit: bool = True,
) -> Governed:
    """Write an issue down at the end, with today's date; `said` gives its bullets."""
    today = cortex.clock().date().isoformat()

    def added(text: str) -> tuple[str, str]:
        return issues.add_issue(text, title, today, said), f"issue {project}: {one_line(title)}"

    return govern(cortex, issues_of(project), added, dry_run=dry_run, commit=commit)


def resolve_issue(
    cortex: Cortex, project: str, wanted: str, *, dry_run: bool = False, commit: bool = True
) -> Governed:
    """Take out the issue that a number or words of its title name."""

    def resolved(text: str) -> tuple[str, str]:
        issue, rest = issues.resolve_issue(text, wanted)
        return rest, f"issue {project} resolved: {one_line(issue.title)}"

    return govern(cortex, issues_of(project), resolved, dry_run=dry_run, commit=commit)
