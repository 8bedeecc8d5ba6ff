"""Record what a tool told an agent, so that a person can read it later."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.injection.given_text import GivenText, format_given_line
from cortexfs.session.injection_files import append_answer

if TYPE_CHECKING:
    from cortexfs.session.session import Session

_NS = 10**9
_DAY_NS = 86_400 * _NS


def record_answer(session: Session, tool: str, client: str, session_id: str, text: str) -> None:
    """Append the answer of a tool to the record of the day; never raises for a file."""
    now = int(session.clock().timestamp() * _NS)
    given = GivenText("", client, session_id, "", tool, text)
    append_answer(session.tree, now // _DAY_NS, format_given_line(now, given).encode())
