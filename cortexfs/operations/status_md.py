"""Show and overwrite a project's STATUS.md."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.changes.plan import WriteMode
from cortexfs.core.governance.project_status import (
    StatusUpdate,
    parse_status_sections,
    set_updated_day,
)
from cortexfs.core.governance.project_status import update_status as overwrite
from cortexfs.errors import Usage
from cortexfs.operations.shared.governance_file import (
    change_governance_file,
    make_replacement,
    read_or_template,
)

if TYPE_CHECKING:
    from cortexfs.operations.shared.governance_file import GovernanceChangeResult
    from cortexfs.session.session import Session
    from cortexfs.session.view import TreeContext


def status_path(project: str) -> str:
    """Return the path of a project's status."""
    return f"projects/{project}/STATUS.md"


def show_status(view: TreeContext, project: str) -> tuple[str, dict[str, str]]:
    """Return the text of STATUS.md, and the content of each section."""
    text = read_or_template(view, status_path(project))
    return text, parse_status_sections(text)


def set_status(
    session: Session, project: str, change: StatusUpdate, *, mode: WriteMode = WriteMode.COMMIT
) -> GovernanceChangeResult:
    """Overwrite the named sections; the rest of the file is kept."""
    named = [key for key, words in change._asdict().items() if words is not None]
    if not named:
        raise Usage("nothing to set", hint="--phase, --progress, --blocker, --next")
    if change.phase is not None and not change.phase.strip():
        raise Usage("a project is always in some phase", hint="say it in a sentence: --phase TEXT")
    today = session.clock().date().isoformat()

    def overwritten(text: str) -> tuple[str, str]:
        return overwrite(text, change, today), f"status {project}: {', '.join(named)}"

    return change_governance_file(session, status_path(project), overwritten, mode=mode)


def edit_status(
    session: Session,
    project: str,
    text: str,
    before: str | None = None,
    *,
    mode: WriteMode = WriteMode.COMMIT,
) -> GovernanceChangeResult:
    """Replace the whole file; `before` is the text that its author saw."""
    if before != text:
        text = set_updated_day(text, session.clock().date().isoformat())
    change = make_replacement(status_path(project), before, text, f"status {project}: edited")
    return change_governance_file(session, status_path(project), change, mode=mode)
