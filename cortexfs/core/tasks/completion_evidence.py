"""Evidence that a task is done: a commit of work with its id, or a file that it promised."""

from __future__ import annotations

import re

_PATH_CHARACTERS = re.compile(r"[\w./-]+")
MAX_PATH_LENGTH = 1000
"""Maximum length of a run of path characters; longer runs are not searched for paths."""
_PATH = re.compile(r"[\w.-]+(?:/[\w.-]+)+/?|[\w-]+(?:\.[\w-]+)*\.[A-Za-z]\w{0,9}(?![\w/])")
_OPERATIONS = "add|claim|unclaim|block|unblock|pause|resume|approve|done|split|archive|lock|unlock"
_TASK_COMMIT = re.compile(
    rf"task (?:{_OPERATIONS}) |(?:[\w()-]+: ?)?(?:un)?claim(?:s|ed)?\b", re.IGNORECASE
)


def is_work_commit(message: str, ident: str) -> bool:
    """Return whether a commit's message has a task's id and is not only about the task itself."""
    found = re.search(rf"(?<![0-9A-Za-z]){re.escape(ident)}(?![0-9A-Za-z])", message)
    return bool(found) and not _TASK_COMMIT.match(message.partition("\n")[0])


def extract_paths(done_when: str) -> list[str]:
    """Return the relative paths in a text, without those that lead upwards."""
    runs = (run for run in _PATH_CHARACTERS.findall(done_when) if len(run) <= MAX_PATH_LENGTH)
    found = (path.strip(".,;:").rstrip("/") for run in runs for path in _PATH.findall(run))
    return [path for path in dict.fromkeys(found) if path and ".." not in path.split("/")]
