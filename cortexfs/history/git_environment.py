"""The program, overriding settings and clean environment of every git run."""

from __future__ import annotations

import os

_SETTINGS = (
    "core.hooksPath=/dev/null",
    # hooks that the user's configuration defines, which hooksPath does not stop
    "hook.reference-transaction.enabled=false",
    "hook.post-index-change.enabled=false",
    "core.fsmonitor=false",
    "core.untrackedCache=keep",  # git drops it if the work tree seems to have moved
    "core.pager=cat",
    "core.attributesFile=/dev/null",
    "core.fsync=all",
    "core.fsyncMethod=fsync",  # `batch` loses commits on xfs
    "core.filesRefLockTimeout=1000",  # ms: as long as a git command of the user may take
    "gc.auto=0",
    "maintenance.auto=false",
    "commit.gpgSign=false",
    "log.showSignature=false",
    "log.follow=false",
    "log.mailmap=false",
    "diff.orderFile=/dev/null",
    "i18n.commitEncoding=UTF-8",
    "i18n.logOutputEncoding=UTF-8",
    "user.useConfigOnly=true",  # no name from login and host
    "safe.bareRepository=explicit",
    "protocol.allow=never",
    "protocol.ext.allow=never",
)

_PASSED_VARIABLES = (
    "HOME",
    "XDG_CONFIG_HOME",
    "TZ",
    "SUDO_UID",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_SYSTEM",
    "GIT_CONFIG_NOSYSTEM",
)
"""Variables that are passed to git: they locate the user's own settings. No others are passed."""

_FIXED_VARIABLES = {
    "LANG": "C",
    "LC_ALL": "C",
    "GIT_ALLOW_PROTOCOL": "",  # git must not fetch a missing object
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_DEFAULT_REF_FORMAT": "files",
    "GIT_LITERAL_PATHSPECS": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",  # a commit is built on HEAD itself, not on its replacement
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
}


def find_git() -> str | None:
    """Return the path of git; None if there is none.

    Relative entries of PATH are skipped, because they may lie in a tree.
    """
    for folder in os.get_exec_path():
        if os.path.isabs(folder) and os.access(found := os.path.join(folder, "git"), os.X_OK):
            return found
    return None


def build_git_arguments(program: str) -> list[str]:
    """Return the start of every command line: the program, and overriding settings."""
    return [program, *(word for setting in _SETTINGS for word in ("-c", setting))]


def build_git_environment() -> dict[str, str]:
    """Return a new environment for git, without GIT_DIR, GIT_INDEX_FILE or GIT_EDITOR."""
    kept = {name: os.environ[name] for name in _PASSED_VARIABLES if name in os.environ}
    path = os.pathsep.join(filter(os.path.isabs, os.get_exec_path()))
    return kept | _FIXED_VARIABLES | {"PATH": path}
