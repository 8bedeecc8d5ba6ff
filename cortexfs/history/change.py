"""Find our last change, and what each of its files held before and after."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.errors import HistoryFailed
from cortexfs.history.commit_trailer import CHANGE, UNDOES, change_id, trailer
from cortexfs.history.objects import FILE, PROGRAM, Entry
from cortexfs.history.past import log
from cortexfs.history.trees import reading

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cortexfs.history.git import TreeInGit
    from cortexfs.history.past import Commit, Step
    from cortexfs.history.trees import Reader

_EXAMINED = 1000
"""Commits with a trailer of ours that are examined: amended ones are passed over."""

Sides = tuple[dict[str, Entry | None], dict[str, Entry | None]]


class Changed(NamedTuple):
    """One file of a change: what it held before and after; None: it was not there."""

    path: str
    before: bytes | None
    after: bytes | None


class Change(NamedTuple):
    """One change of ours; `undoes` is the id of the commit that it has undone, if any."""

    made: Commit
    files: tuple[Changed, ...]
    undoes: str = ""


def last_change(history: TreeInGit) -> Change | None:
    """Give the newest commit of the branch that we made and nobody has amended since."""
    trailed = ("--first-parent", f"--grep=^{CHANGE}: ", f"--max-count={_EXAMINED}")
    steps = log(history, trailed, history.prefix.rstrip("/"))
    return next(_ours(history, steps), None)


def changes(history: TreeInGit) -> Iterator[Change]:
    """Give the commits of the branch that we have made and nobody has altered, newest first."""
    trailed = ("--first-parent", f"--grep=^{CHANGE}: ", f"--max-count={_EXAMINED}")
    yield from _ours(history, log(history, trailed, history.prefix.rstrip("/")))


def change(history: TreeInGit, commit: str) -> Change | None:
    """Give one change by its commit; None where that is not ours, or not on the branch."""
    steps = log(history, ("--first-parent", f"--grep=^{CHANGE}: "), history.prefix.rstrip("/"))
    return next(_ours(history, (s for s in steps if s.made.commit == commit)), None)


def _ours(history: TreeInGit, steps: Iterator[Step]) -> Iterator[Change]:
    for made, _, body in steps:
        old, new = _sides(history, made.commit)
        if trailer(body, CHANGE) == change_id(old, new):
            with reading(history.git) as reader:
                files = tuple(
                    Changed(
                        path.removeprefix(history.prefix),
                        _content(reader, path, old[path]),
                        _content(reader, path, new[path]),
                    )
                    for path in old
                )
            yield Change(made, files, trailer(body, UNDOES))


def _sides(history: TreeInGit, commit: str) -> Sides:
    """Give what each path that a commit changed held before and after."""
    words = ("-r", "-z", "--root", "--no-renames", "--no-commit-id", commit)
    fields = history.git.ask("diff-tree", *words).split(b"\0")
    old: dict[str, Entry | None] = {}
    new: dict[str, Entry | None] = {}
    for line, name in zip(fields[::2], fields[1::2], strict=False):
        old_mode, new_mode, old_id, new_id, _ = line.decode("ascii").removeprefix(":").split(" ")
        path = os.fsdecode(name)
        old[path], new[path] = _entry(old_mode, old_id), _entry(new_mode, new_id)
    return old, new


def _entry(mode: str, ident: str) -> Entry | None:
    return Entry(mode.lstrip("0"), ident) if mode.strip("0") else None


def _content(reader: Reader, path: str, entry: Entry | None) -> bytes | None:
    if entry is None:
        return None
    found = reader.get(entry.id) if entry.mode in {FILE, PROGRAM} else None
    if found is None:
        raise HistoryFailed(
            f"what `{path}` held cannot be restored", hint="it was not a regular file"
        )
    return found.body
