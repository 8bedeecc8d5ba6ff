"""Show and overwrite a project's STATUS.md."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.governance.project_status import (
    StatusUpdate,
    parse_status_sections,
    set_updated_day,
)
from cortexfs.core.governance.project_status import update_status as apply_update
from cortexfs.errors import Usage
from cortexfs.operations.shared.governance_file import (
    change_governance_file,
    make_replacement,
    read_or_template,
)

if TYPE_CHECKING:
    from cortexfs.operations.shared.governance_file import GovernanceChangeResult
    from cortexfs.session.session import Session
    from cortexfs.session.view import TreeFilesAndGit


def status_path(project: str) -> str:
    """Return the path of a project's status."""
    return f"projects/{project}/STATUS.md"


def show_status(view: TreeFilesAndGit, project: str) -> tuple[str, dict[str, str]]:
    """Return the text of STATUS.md, and the content of each section."""
    text = read_or_template(view, status_path(project))
    return text, parse_status_sections(text)


def set_status(
    session: Session,
    project: str,
    change: StatusUpdate,
    *,
    mode: ExecutionMode = ExecutionMode.COMMIT,
) -> GovernanceChangeResult:
    """Overwrite the named sections; the rest of the file is kept."""
    changed_keys = [key for key, text in change._asdict().items() if text is not None]
    if not changed_keys:
        raise Usage("nothing to set", hint="give --phase, --progress, --blocker or --next")
    if change.phase is not None and not change.phase.strip():
        raise Usage("the phase is empty", hint="describe it: --phase TEXT")
    today = session.clock().date().isoformat()

    def overwritten(text: str) -> tuple[str, str]:
        return apply_update(text, change, today), f"status {project}: {', '.join(changed_keys)}"

    return change_governance_file(session, status_path(project), overwritten, mode=mode)


def edit_status(
    session: Session,
    project: str,
    text: str,
    before: str | None = None,
    *,
    mode: ExecutionMode = ExecutionMode.COMMIT,
) -> GovernanceChangeResult:
    """Replace the whole file; `before` is the text that its author saw."""
    if before != text:
        text = set_updated_day(text, session.clock().date().isoformat())
    change = make_replacement(status_path(project), before, text, f"status {project}: edited")
    return change_governance_file(session, status_path(project), change, mode=mode)
