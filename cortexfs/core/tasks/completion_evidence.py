"""What speaks for a task's being done: a commit of work that names it, a file that it promised."""

from __future__ import annotations

import re

_RUN = re.compile(r"[\w./-]+")
MAX_PATH_LENGTH = 1000
"""Characters of a path; in a longer run of them none is sought."""
_PATH = re.compile(r"[\w.-]+(?:/[\w.-]+)+/?|[\w-]+(?:\.[\w-]+)*\.[A-Za-z]\w{0,9}(?![\w/])")
_VERBS = "add|claim|unclaim|block|unblock|pause|resume|approve|done|split|archive|lock|unlock"
_BOOKS = re.compile(rf"task (?:{_VERBS}) |(?:[\w()-]+: ?)?(?:un)?claim(?:s|ed)?\b", re.IGNORECASE)


def is_work_commit(message: str, ident: str) -> bool:
    """Tell whether a commit's message names a task, and does more than keep books about it."""
    named = re.search(rf"(?<![0-9A-Za-z]){re.escape(ident)}(?![0-9A-Za-z])", message)
    return bool(named) and not _BOOKS.match(message.partition("\n")[0])


def extract_paths(done_when: str) -> list[str]:
    """Give the relative paths that a text names, none that leads upwards."""
    runs = (run for run in _RUN.findall(done_when) if len(run) <= MAX_PATH_LENGTH)
    found = (path.strip(".,;:").rstrip("/") for run in runs for path in _PATH.findall(run))
    return [path for path in dict.fromkeys(found) if path and ".." not in path.split("/")]
