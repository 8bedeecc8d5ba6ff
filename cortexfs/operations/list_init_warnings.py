"""What may surprise the user of a new tree: where commands find it, and what git does with it."""

from __future__ import annotations

import os
import shlex
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.session.find_root import find_ancestor_tree, find_root

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from cortexfs.session.view import TreeFilesAndGit

NAME_COMMANDS = (
    'git config --global user.name "Your Name"; git config --global user.email you@example.com'
)
"""The commands after which commits have the name of the user."""


class InitWarning(NamedTuple):
    """What may surprise a user, and what to do if it is not what was meant."""

    message: str
    hint: str


def list_init_warnings(
    view: TreeFilesAndGit, environ: Mapping[str, str], cwd: str
) -> list[InitWarning]:
    """Return each surprise of a new tree."""
    return [*_warn_of_other_trees(view.tree.root, environ, cwd), *_warn_of_repository(view)]


def _warn_of_other_trees(root: str, environ: Mapping[str, str], cwd: str) -> Iterator[InitWarning]:
    """Yield where commands use another tree than this one."""
    quoted = shlex.quote(root)
    if outer := find_ancestor_tree(os.path.dirname(root)):
        yield InitWarning(
            f"it is inside the tree {outer}, which lists none of its atoms",
            "for a part of that tree make a project there:"
            f" `cortexfs --root {shlex.quote(outer)} project new NAME --goal TEXT`",
        )
    is_set = bool(environ.get("CORTEXFS_ROOT") or environ.get("CORTEX_HOME"))
    used = find_root(None, environ, cwd)
    if not (_is_below(used, root) or (not is_set and _is_below(cwd, root))):
        change = "" if is_set else f"`cd {quoted}`, "
        yield InitWarning(
            f"commands here use {used}, not this tree",
            f"{change}`export CORTEXFS_ROOT={quoted}`, or `cortexfs --root {quoted} COMMAND`",
        )


def _is_below(path: str, folder: str) -> bool:
    """Return whether a path is a folder or below it, by whatever links they are reached."""
    path, folder = os.path.realpath(path), os.path.realpath(folder)
    return os.path.commonpath((path, folder)) == folder


def _warn_of_repository(view: TreeFilesAndGit) -> Iterator[InitWarning]:
    """Yield where the changes of the tree are committed, and as whose."""
    history, root = view.repository.history, view.tree.root
    if history is None:
        if not view.repository.has_git:
            yield InitWarning(
                "git is not installed: no change can be undone", "install it, then `cortexfs init`"
            )
        return
    create = f"`git init {shlex.quote(root)}`"
    if not view.repository.can_commit:
        yield InitWarning(
            f"nothing is committed: its repository begins higher up, at {history.top}",
            f"{create}, then `cortexfs commit`, give it one of its own;"
            f" `commit-in: [{history.top}]` in ~/.config/cortexfs/config.yaml commits there",
        )
        return
    if history.top != root:
        hint = f"for one of its own, {create} comes before `cortexfs init`"
        yield InitWarning(f"it is committed to the repository at {history.top}", hint)
    if author := view.repository.unnamed_author:
        yield InitWarning(
            f"git knows no name of yours: the author of commits is {author}", NAME_COMMANDS
        )
