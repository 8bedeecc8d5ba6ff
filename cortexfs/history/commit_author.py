"""The author of our commits: the user that git knows, else a name of our own."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cortexfs.history.git import Git

FALLBACK_NAME, FALLBACK_EMAIL = "cortexfs", "cortexfs@localhost"
"""Author and committer of a commit if git knows no name of the user."""

FALLBACK_IDENTITY = {
    f"GIT_{role}_{key}": value
    for role in ("AUTHOR", "COMMITTER")
    for key, value in (("NAME", FALLBACK_NAME), ("EMAIL", FALLBACK_EMAIL))
}
"""The environment of git that gives it this author."""


def is_author_known(git: Git) -> bool:
    """Return whether the user's settings name an author and a committer."""
    idents = ("GIT_AUTHOR_IDENT", "GIT_COMMITTER_IDENT")
    return all(git.run_unchecked("var", ident).exit_code == 0 for ident in idents)
