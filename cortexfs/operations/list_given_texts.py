"""List what hooks gave to agents."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.injection.given_text import parse_given_line
from cortexfs.session.injection_files import iter_given_days

if TYPE_CHECKING:
    from cortexfs.core.injection.given_text import GivenText
    from cortexfs.session.view import TreeFilesAndGit

MAX_TEXTS = 100
"""Maximum number of texts that are listed."""


class GivenTexts(NamedTuple):
    """The last texts, newest first, and the sessions in them, the latest first."""

    texts: tuple[GivenText, ...]
    sessions: tuple[str, ...]
    has_more: bool


def list_given_texts(view: TreeFilesAndGit, session_id: str = "") -> GivenTexts:
    """Return what sessions were given, or one session, among the texts that are still kept."""
    found: list[GivenText] = []
    sessions: dict[str, None] = {}
    for lines in iter_given_days(view.tree):
        for line in reversed(lines):
            text = parse_given_line(line)
            if text is None:
                continue
            sessions.setdefault(text.session)
            if session_id in {"", text.session}:
                found.append(text)
        if len(found) > MAX_TEXTS:
            break
    return GivenTexts(tuple(found[:MAX_TEXTS]), tuple(sessions)[:MAX_TEXTS], len(found) > MAX_TEXTS)
