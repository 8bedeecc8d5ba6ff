"""USER.md: how the user likes to work, learnt a preference at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.changes.plan import Mode
from cortexfs.core.governance.status import touch
from cortexfs.core.governance.user_preferences import learn as put
from cortexfs.core.governance.user_preferences import preferences
from cortexfs.core.text.sanitize import one_line
from cortexfs.operations.shared.governance_file import govern, shown

if TYPE_CHECKING:
    from cortexfs.core.governance.user_preferences import Preference
    from cortexfs.operations.shared.governance_file import Governed
    from cortexfs.session.session import Session
    from cortexfs.session.view import FileView

USER = "user/USER.md"


def show_user(view: FileView) -> tuple[str, list[Preference]]:
    """Give USER.md as it stands, and the preferences that it says by key."""
    text = shown(view, USER)
    return text, preferences(text)


def learn(
    session: Session,
    key: str,
    value: str,
    about: str,
    *,
    mode: Mode = Mode.COMMIT,
) -> Governed:
    """Say a preference, in place of what stood under the same key; what is known is not touched."""
    today = session.clock().date().isoformat()

    def learnt(text: str) -> tuple[str, str]:
        after = put(text, key, value, about)
        known = after if after == text else touch(after, today, add=False)
        return known, f"user: {one_line(key)}"

    return govern(session, USER, learnt, mode=mode)
