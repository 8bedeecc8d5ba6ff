"""Find the last commit made by cortexfs, and the content of its files before and after."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.errors import HistoryFailed
from cortexfs.history.commit_trailer import (
    CHANGE_TRAILER,
    UNDOES_TRAILER,
    checksum_change,
    read_trailer,
)
from cortexfs.history.git_log import read_git_log
from cortexfs.history.object_formats import FILE, PROGRAM, TreeEntry
from cortexfs.history.trees import open_object_reader

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cortexfs.history.git import GitTreeLocation
    from cortexfs.history.git_log import CommitRecord, CommitSummary
    from cortexfs.history.trees import ObjectReader

_MAX_EXAMINED = 1000
"""Maximum number of commits with a cortexfs trailer that are examined; amended ones are skipped."""

Sides = tuple[dict[str, TreeEntry | None], dict[str, TreeEntry | None]]


class ChangedFile(NamedTuple):
    """One file of a change: its content before and after; None if the file did not exist."""

    path: str
    before: bytes | None
    after: bytes | None


class UndoableChange(NamedTuple):
    """One change made by cortexfs; `undone_commit` is the id of the commit it undid."""

    commit: CommitSummary
    files: tuple[ChangedFile, ...]
    undone_commit: str = ""


def find_undoable_changes(history: GitTreeLocation, subject: str = "") -> Iterator[UndoableChange]:
    """Yield the commits of the branch that cortexfs made and nobody altered, newest first.

    `subject` is an extended regular expression that a line of the message matches.
    """
    trailed = ["--first-parent", f"--grep=^{CHANGE_TRAILER}: ", f"--max-count={_MAX_EXAMINED}"]
    if subject:
        trailed += ["--extended-regexp", "--all-match", f"--grep={subject}"]
    yield from _filter_own_changes(
        history, read_git_log(history, trailed, history.prefix.rstrip("/"))
    )


def find_change(history: GitTreeLocation, commit: str) -> UndoableChange | None:
    """Return one change by its commit; None if it is not ours or not on the branch."""
    steps = read_git_log(
        history, ("--first-parent", f"--grep=^{CHANGE_TRAILER}: "), history.prefix.rstrip("/")
    )
    return next(_filter_own_changes(history, (s for s in steps if s.commit.commit == commit)), None)


def _filter_own_changes(
    history: GitTreeLocation, steps: Iterator[CommitRecord]
) -> Iterator[UndoableChange]:
    for made, _, body in steps:
        old, new = _read_sides(history, made.commit)
        if read_trailer(body, CHANGE_TRAILER) == checksum_change(old, new):
            with open_object_reader(history.git) as reader:
                files = tuple(
                    ChangedFile(
                        path.removeprefix(history.prefix),
                        _read_side(reader, path, old[path]),
                        _read_side(reader, path, new[path]),
                    )
                    for path in old
                )
            yield UndoableChange(made, files, read_trailer(body, UNDOES_TRAILER))


def _read_sides(history: GitTreeLocation, commit: str) -> Sides:
    """Return the content before and after of each path that a commit changed."""
    words = ("-r", "-z", "--root", "--no-renames", "--no-commit-id", commit)
    fields = history.git.check_output("diff-tree", *words).split(b"\0")
    old: dict[str, TreeEntry | None] = {}
    new: dict[str, TreeEntry | None] = {}
    for line, name in zip(fields[::2], fields[1::2], strict=False):
        old_mode, new_mode, old_id, new_id, _ = line.decode("ascii").removeprefix(":").split(" ")
        path = os.fsdecode(name)
        old[path], new[path] = _make_entry(old_mode, old_id), _make_entry(new_mode, new_id)
    return old, new


def _make_entry(mode: str, ident: str) -> TreeEntry | None:
    return TreeEntry(mode.lstrip("0"), ident) if mode.strip("0") else None


def _read_side(reader: ObjectReader, path: str, entry: TreeEntry | None) -> bytes | None:
    if entry is None:
        return None
    found = reader.read_object(entry.id) if entry.mode in {FILE, PROGRAM} else None
    if found is None:
        raise HistoryFailed(
            f"the earlier content of `{path}` cannot be restored", hint="it was not a regular file"
        )
    return found.body
