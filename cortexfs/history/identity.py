"""The names of author and committer in a new commit, as git finds them in its configuration.

Git writes the settings that it has read to a file while it reads objects for the same commit:
`GIT_TRACE2_CONFIG_PARAMS` names them. So no process is needed to ask for them.
"""

from __future__ import annotations

import json
import re
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cortexfs.history.git import Git

_TRACE_FILE = "settings-read"
_ALWAYS_SET = "user.useconfigonly"
"""A setting of every run of git (see `git_environment.py`), the last one that git reads."""

_PLAIN = re.compile(r"(?![ .,:;\"\\'])[^\x00-\x1f<>]+(?<![ .,:;\"\\'])")
"""A text that no version of git changes: it removes line ends, and some characters at both ends."""


class Identity(NamedTuple):
    """Author and committer, each as `NAME <EMAIL>`."""

    author: str
    committer: str


FALLBACK_NAME, FALLBACK_EMAIL = "cortexfs", "cortexfs@localhost"
"""Author and committer of a commit if git knows no name of the user."""
FALLBACK_IDENTITY = Identity(*[f"{FALLBACK_NAME} <{FALLBACK_EMAIL}>"] * 2)
FALLBACK_VARIABLES = {
    f"GIT_{role}_{key}": value
    for role in ("AUTHOR", "COMMITTER")
    for key, value in (("NAME", FALLBACK_NAME), ("EMAIL", FALLBACK_EMAIL))
}
"""The variables that give git this identity."""


def is_author_known(git: Git) -> bool:
    """Return whether the user's settings name an author and a committer."""
    names = ("GIT_AUTHOR_IDENT", "GIT_COMMITTER_IDENT")
    return all(git.run_unchecked("var", name).exit_code == 0 for name in names)


def build_identity_trace(git: Git) -> dict[str, str]:
    """Return the variables that let git write down which names are configured."""
    return {
        "GIT_TRACE2_EVENT": f"{git.settings_dir}/{_TRACE_FILE}",
        "GIT_TRACE2_CONFIG_PARAMS": "user.*,author.*,committer.*",
        "GIT_TRACE2_REDACT": "0",
    }


def read_identity(git: Git) -> Identity | None:
    """Return whom git would name in a commit, after it has answered a request for an object.

    None if only git can say: a name is set in part, or git would change it.
    """
    settings = dict(_read_traced_settings(git))
    if _ALWAYS_SET not in settings:
        return None
    names = [_choose_names(settings, role) for role in ("author", "committer")]
    if not any(map(any, names)):
        return FALLBACK_IDENTITY
    if not all(_PLAIN.fullmatch(text) for text in (*names[0], *names[1])):
        return None
    return Identity(*(f"{name} <{email}>" for name, email in names))


def _choose_names(settings: dict[str, str], role: str) -> tuple[str, str]:
    """Return name and address of a role: its own, else the user's."""
    name = settings.get(f"{role}.name") or settings.get("user.name", "")
    return name, settings.get(f"{role}.email") or settings.get("user.email", "")


def _read_traced_settings(git: Git) -> Iterator[tuple[str, str]]:
    """Yield the settings that git has read, in order: the last one of a name counts."""
    with suppress(OSError, ValueError), open(f"{git.settings_dir}/{_TRACE_FILE}", "rb") as file:
        for line in file:
            event = json.loads(line)
            if event["event"] == "def_param":
                yield event["param"], event["value"]
