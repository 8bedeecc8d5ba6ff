"""Read a path's past: who changed it when, and what it said."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.history.disk import checked
from cortexfs.history.git import failed
from cortexfs.history.trees import trees_of

if TYPE_CHECKING:
    from cortexfs.history import History

_FIELDS = ("%H", "%ad", "%an", "%s")


class Commit(NamedTuple):
    """One commit that changed a path. `when` is UTC; author and subject are not to be trusted."""

    commit: str
    when: str
    author: str
    subject: str


def past(history: History, path: str, limit: int) -> list[Commit]:
    """List the commits that changed a path, newest first, `limit` at most."""
    words = (
        "log",
        "-z",
        f"--max-count={limit}",
        f"--format=tformat:{'%x00'.join(_FIELDS)}",
        "--date=format-local:%Y-%m-%dT%H:%M:%SZ",
        "--encoding=UTF-8",
        "--no-color",
        "--no-decorate",
        "--no-notes",
        "--no-show-signature",
        "--no-mailmap",
        "--no-ext-diff",
        "--no-textconv",
        "--no-patch",
    )
    with trees_of(history.git) as head:
        if not head.commit:
            return []
    where = (head.commit, "--", f"{history.prefix}{checked(path)}")
    ran = history.git.run(*words, *where, env={"TZ": "UTC"})
    if ran.code:
        raise failed("log", ran.err)
    fields = ran.out.decode("utf-8", "replace").split("\0")
    return [Commit(*fields[at : at + 4]) for at in range(0, len(fields) - 4, 4)]


def show(history: History, commit: str, path: str) -> bytes | None:
    """Give what a path held in a commit (an id, whole or abridged, or a ref); None if nothing."""
    if not re.fullmatch(r"[0-9A-Za-z][\w./~^@-]{0,255}", commit):
        return None
    with trees_of(history.git, commit) as then:
        return then.content(f"{history.prefix}{checked(path)}")
