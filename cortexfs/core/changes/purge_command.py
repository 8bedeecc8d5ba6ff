"""How to remove a file from a git history. It is explained, and never done."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def format_purge_command(paths: Iterable[str]) -> str:
    """Return the command that removes files from every commit of a repository."""
    options = [word for path in paths for word in ("--path", path)]
    return f"git filter-repo --invert-paths {shlex.join(options)}"


def explain_purge(command: str) -> list[str]:
    """Return lines that say what to do before and after the command."""
    return [
        "git still has it; to remove it from the history, run in a fresh clone:",
        command,
        "then push with `git push --force --all`, and clone the repository again everywhere:",
        "an old clone that is pushed or merged brings it back",
        "the summary was also in index.md and in commit messages: use --replace-text and",
        "--replace-message of git filter-repo for it",
        "a secret that was committed is known: replace it where it is used",
    ]
