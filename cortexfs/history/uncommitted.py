"""Find what the user has changed and not committed: files and index compared with HEAD."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.history.git_index import staged
from cortexfs.history.git_lock import pending
from cortexfs.history.objects import LINK, OTHER_REPOSITORY, Entry
from cortexfs.history.trees import trees_of
from cortexfs.history.work_tree import checked, is_inside, read, refusing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.history.git import TreeInGit
    from cortexfs.history.work_tree import FileContent


class Changes(NamedTuple):
    """Paths that differ from HEAD, and paths on disk that git does not know."""

    changed: frozenset[str]
    untracked: frozenset[str]


def changed(history: TreeInGit, paths: Sequence[str]) -> Changes:
    """Tell which of these paths the user has edited, removed or staged since HEAD.

    Contents are compared byte for byte, without filters. An index entry that an earlier
    commit of ours could not bring up to date counts as no change.
    """
    wanted = {f"{history.prefix}{checked(path)}": path for path in paths}
    index = staged(history.git, wanted, history.prefix).entries
    different, unknown = set(), set()
    with refusing("nothing was compared"), trees_of(history.git) as head:
        outdated = pending(history.git)
        for above, path in wanted.items():
            old, held, found = head.entry(above), index.get(above), read(history.top, above)
            theirs = held != old and held not in outdated.get(above, ())
            if not old and not held:
                unknown |= {path} if found else set()
            elif theirs or not _same(found, old, head.algorithm):
                different.add(path)
    return Changes(frozenset(different), frozenset(unknown))


def all_changes(history: TreeInGit, under: str = "") -> list[str]:
    """List what differs from HEAD by content below the root, or below `under`, sorted.

    Edited, removed, and new; without what git ignores and what lies in other repositories.
    """
    below = f"{history.prefix}{checked(under) if under else ''}".rstrip("/")
    with refusing("nothing was compared"), trees_of(history.git) as head:
        known = {path: entry for path, entry in head.walk(below) if entry.mode != OTHER_REPOSITORY}
        absent, candidates = _listed(history, below)
        different = (
            path
            for path in sorted(known.keys() | candidates)
            if is_inside(path)
            and not _same(found := read(history.top, path), known.get(path), head.algorithm)
            and (found or path not in absent)
        )
        return [path[len(history.prefix) :] for path in different]


def is_tracked(history: TreeInGit, under: str) -> bool:
    """Tell whether git's index holds a file of that name, or one below it."""
    path = f"{history.prefix}{checked(under)}"
    return bool(history.git.ask("ls-files", "-z", "--cached", "--", path))


def _listed(history: TreeInGit, below: str) -> tuple[set[str], set[str]]:
    """List what a sparse checkout leaves out, and what git knows or would not ignore."""
    specs = ["--", below] if below else []
    options = ("-t", "-z", "--cached", "--others", "--exclude-standard")
    absent, candidates = set(), set()
    for line in history.git.ask("ls-files", *options, *specs).split(b"\0"):
        path = os.fsdecode(line[2:])
        if line.startswith(b"S "):
            absent.add(path)
        elif path and not path.endswith("/") and not os.path.isdir(f"{history.top}/{path}"):
            candidates.add(path)
    return absent, candidates


def _same(found: FileContent | None, entry: Entry | None, algorithm: str) -> bool:
    if not found or not entry:
        return not found and not entry
    return found.blob(algorithm).id == entry.id and found.link == (entry.mode == LINK)
