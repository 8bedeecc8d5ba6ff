"""Show and overwrite a project's STATUS.md."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.changes.plan import Mode
from cortexfs.core.governance.status import Change, read_sections, touch
from cortexfs.core.governance.status import set_status as overwrite
from cortexfs.errors import Usage
from cortexfs.operations.shared.governance_file import govern, rewritten, shown

if TYPE_CHECKING:
    from cortexfs.operations.shared.governance_file import Governed
    from cortexfs.session.session import Session
    from cortexfs.session.view import FileView


def status_of(project: str) -> str:
    """Tell where a project's status stands."""
    return f"projects/{project}/STATUS.md"


def show_status(view: FileView, project: str) -> tuple[str, dict[str, str]]:
    """Give STATUS.md as it stands, and what each of its sections says."""
    text = shown(view, status_of(project))
    return text, read_sections(text)


def set_status(
    session: Session, project: str, change: Change, *, mode: Mode = Mode.COMMIT
) -> Governed:
    """Overwrite the sections that are named; the others, and all around them, stay."""
    named = [key for key, words in change._asdict().items() if words is not None]
    if not named:
        raise Usage("nothing to set", hint="--phase, --progress, --blocker, --next")
    if change.phase is not None and not change.phase.strip():
        raise Usage("a project is always in some phase", hint="say it in a sentence: --phase TEXT")
    today = session.clock().date().isoformat()

    def overwritten(text: str) -> tuple[str, str]:
        return overwrite(text, change, today), f"status {project}: {', '.join(named)}"

    return govern(session, status_of(project), overwritten, mode=mode)


def edit_status(
    session: Session,
    project: str,
    text: str,
    before: str | None = None,
    *,
    mode: Mode = Mode.COMMIT,
) -> Governed:
    """Put another text in place of the whole file; `before` is the one that its author saw."""
    if before != text:
        text = touch(text, session.clock().date().isoformat())
    change = rewritten(status_of(project), before, text, f"status {project}: edited")
    return govern(session, status_of(project), change, mode=mode)
