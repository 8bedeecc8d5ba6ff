"""USER.md: the user's preferences, recorded one at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.governance.project_status import set_updated_day
from cortexfs.core.governance.user_preferences import parse_preferences
from cortexfs.core.governance.user_preferences import set_preference as replace_preference
from cortexfs.core.text.sanitize import to_one_line
from cortexfs.operations.shared.governance_file import change_governance_file, read_or_template

if TYPE_CHECKING:
    from cortexfs.core.governance.user_preferences import Preference
    from cortexfs.operations.shared.governance_file import GovernanceChangeResult
    from cortexfs.session.session import Session
    from cortexfs.session.view import TreeFilesAndGit

USER_PATH = "user/USER.md"


def show_user(view: TreeFilesAndGit) -> tuple[str, list[Preference]]:
    """Return the text of USER.md, and its preferences by key."""
    text = read_or_template(view, USER_PATH)
    return text, parse_preferences(text)


def learn_preference(
    session: Session,
    key: str,
    value: str,
    about: str,
    *,
    mode: ExecutionMode = ExecutionMode.COMMIT,
) -> GovernanceChangeResult:
    """Set a preference, replacing one with the same key; an equal one is not rewritten."""
    today = session.clock().date().isoformat()

    def learn(text: str) -> tuple[str, str]:
        after = replace_preference(text, key, value, about)
        dated = after if after == text else set_updated_day(after, today, add_if_missing=False)
        return dated, f"user: {to_one_line(key)}"

    return change_governance_file(session, USER_PATH, learn, mode=mode)
