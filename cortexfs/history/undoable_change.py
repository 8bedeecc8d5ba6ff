"""Find the last commit made by cortexfs, and the content of its files before and after."""

from __future__ import annotations

import os
from itertools import islice
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
from cortexfs.history.object_reader import open_object_reader
from cortexfs.history.trees import missing_object_error

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from cortexfs.history.git import GitTreeLocation
    from cortexfs.history.git_log import CommitRecord, CommitSummary
    from cortexfs.history.object_reader import ObjectReader

_MAX_EXAMINED = 1000
"""Maximum number of commits with a cortexfs trailer that are examined; amended ones are skipped."""

_BATCH = 4
"""Number of commits that are compared with their parents first; each time it is doubled."""

Entries = dict[str, TreeEntry | None]


class ChangedFile(NamedTuple):
    """One file of a change: its content before and after; None if the file did not exist."""

    path: str
    before: bytes | None
    after: bytes | None


class UndoableChange(NamedTuple):
    """One change made by cortexfs; `undone_commit` is the id of the commit it undid.

    `old` and `new` have the same paths, below the root.
    """

    commit: CommitSummary
    old: Mapping[str, TreeEntry | None]
    new: Mapping[str, TreeEntry | None]
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


def read_changed_files(
    history: GitTreeLocation, change: UndoableChange, only: Collection[str] | None = None
) -> list[ChangedFile]:
    """Return the files of a change with their contents, or `only` some of them.

    Raises `HistoryFailed` if one is no regular file.
    """
    paths = [path for path in change.old if only is None or path in only]
    if not paths:
        return []
    with open_object_reader(history.git) as reader:
        return [
            ChangedFile(
                path,
                _read_side(reader, path, change.old[path]),
                _read_side(reader, path, change.new[path]),
            )
            for path in paths
        ]


def _filter_own_changes(
    history: GitTreeLocation, steps: Iterator[CommitRecord]
) -> Iterator[UndoableChange]:
    size = _BATCH
    while some := [*islice(steps, size)]:
        changes = _read_changes(history, [step.commit.commit for step in some])
        for made, _, body in some:
            sides = changes.get(made.commit, ({}, {}))
            if read_trailer(body, CHANGE_TRAILER) == checksum_change(*sides):
                old, new = (_strip_prefix(history, each) for each in sides)
                yield UndoableChange(made, old, new, read_trailer(body, UNDOES_TRAILER))
        size *= 2


def _strip_prefix(history: GitTreeLocation, entries: Entries) -> Entries:
    return {path.removeprefix(history.prefix): entry for path, entry in entries.items()}


def _read_changes(
    history: GitTreeLocation, commits: Sequence[str]
) -> dict[str, tuple[Entries, Entries]]:
    """Return for each commit what it changed: the entries before and after of each path."""
    words = ("--stdin", "-r", "-z", "--root", "--no-renames")
    feed = "".join(f"{commit}\n" for commit in commits).encode("ascii")
    changes: dict[str, tuple[Entries, Entries]] = {}
    fields = iter(history.git.check_output("diff-tree", *words, feed=feed).split(b"\0"))
    for line in map(bytes.decode, fields):
        if not line.startswith(":"):  # a commit, before its changes
            old, new = changes[line] = {}, {}
            continue
        old_mode, new_mode, old_id, new_id, _ = line.removeprefix(":").split(" ")
        path = os.fsdecode(next(fields))
        old[path], new[path] = _make_entry(old_mode, old_id), _make_entry(new_mode, new_id)
    return changes


def _make_entry(mode: str, ident: str) -> TreeEntry | None:
    return TreeEntry(mode.lstrip("0"), ident) if mode.strip("0") else None


def _read_side(reader: ObjectReader, path: str, entry: TreeEntry | None) -> bytes | None:
    if entry is None:
        return None
    if entry.mode not in {FILE, PROGRAM}:
        raise HistoryFailed(
            f"the earlier content of `{path}` cannot be restored", hint="it was not a regular file"
        )
    if found := reader.read_object(entry.id):
        return found.body
    raise missing_object_error(path, entry.id)
