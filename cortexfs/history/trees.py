"""The tree of HEAD, read folder by folder through one `git cat-file`, and rewritten in memory."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.errors import HistoryFailed
from cortexfs.history.object_formats import (
    FOLDER,
    OTHER_REPOSITORY,
    GitObject,
    TreeEntry,
    detect_algorithm,
    make_tree,
)
from cortexfs.history.object_reader import open_object_reader

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from cortexfs.history.git import Git
    from cortexfs.history.object_reader import ObjectReader


_MAX_FILES = 1_000_000
"""Maximum number of files and folders of one commit that are listed."""

_MAX_PATH_LENGTH = 4096
"""Maximum characters of a folder's path, as in the operating system."""


class CommitTree:
    """The folders of one commit; each is read once, on first use.

    `commit` is empty, and there are no folders, if the branch has no commit yet.
    """

    def __init__(self, reader: ObjectReader, revision: str) -> None:
        self._reader = reader
        self._folders: dict[str, dict[bytes, TreeEntry]] = {}
        found = reader.read_object(f"{revision}^{{commit}}")
        if not found and revision == "HEAD" and reader.has_head_commit():
            raise HistoryFailed(
                "git could not read the commit that HEAD names",
                hint="`git fsck` lists what is missing",
            )
        self.commit = found.id if found else ""
        self.algorithm = detect_algorithm(self.commit) if found else reader.algorithm()
        if not found:
            self._folders[""] = {}
            return
        self._root = found.body[5:].partition(b"\n")[0].decode("ascii", "replace")  # `tree ID`

    def find_entry(self, path: str) -> TreeEntry | None:
        """Return the entry at a path; None if there is none."""
        folder, _, name = path.rpartition("/")
        return self.read_folder(folder).get(os.fsencode(name))

    def read_folder(self, path: str) -> dict[bytes, TreeEntry]:
        """Return a folder's entries; empty if there is no such folder."""
        if path not in self._folders:
            self._folders[path] = self._read_tree(path)
        return self._folders[path]

    def walk_files(self, path: str) -> Iterator[tuple[str, TreeEntry]]:
        """Yield the path and entry of each file at or below a path.

        Raises `HistoryFailed` if there are too many: a few objects may hold billions.
        """
        entry = self.find_entry(path) if path else None
        if entry and entry.mode != FOLDER:
            yield path, entry
        waiting, seen = [path], 0
        while waiting:
            folder = waiting.pop()
            for name, inner in self.read_folder(folder).items():
                below = f"{folder}/{os.fsdecode(name)}".lstrip("/")
                seen += 1
                if inner.mode == FOLDER:
                    waiting.append(below)
                else:
                    yield below, inner
            if seen > _MAX_FILES or len(folder) > _MAX_PATH_LENGTH:
                raise HistoryFailed(f"HEAD holds more than {_MAX_FILES} files, or too long paths")

    def read_file_bytes(self, path: str) -> bytes | None:
        """Return the bytes at a path; None if there is no file, or a folder or repository.

        Raises `HistoryFailed` if git cannot read them.
        """
        entry = self.find_entry(path)
        if entry is None or entry.mode in {FOLDER, OTHER_REPOSITORY}:
            return None
        found = self._reader.read_object(entry.id)
        if found and found.kind == "blob":
            return found.body
        raise missing_object_error(path, entry.id)

    def _read_tree(self, path: str) -> dict[bytes, TreeEntry]:
        entry = self.find_entry(path) if path else TreeEntry(FOLDER, self._root)
        if not entry or entry.mode != FOLDER:
            return {}
        return self._reader.read_tree(entry.id)


def missing_object_error(path: str, ident: str) -> HistoryFailed:
    """Return the error for the text of a file that the repository should have."""
    return HistoryFailed(
        f"git cannot read `{path}`: its object {ident} is damaged or missing",
        hint="`git fsck` lists what is damaged; a clone or backup may have the object",
    )


class RewrittenTree(NamedTuple):
    """The id of a new root tree, and its trees that HEAD lacks."""

    root_id: str
    new_objects: list[GitObject]


def rewrite_tree(trees: CommitTree, changes: Mapping[str, TreeEntry | None]) -> RewrittenTree:
    """Return the trees in which each changed path has the given entry (None: removed).

    Only the folders above the changes are read and written, however large the repository. Each
    entry in `changes` must differ from the one in HEAD.
    """
    folders: dict[str, dict[bytes, TreeEntry | None]] = {"": {}}
    for path, entry in changes.items():
        folder, _, name = path.rpartition("/")
        folders.setdefault(folder, {})[os.fsencode(name)] = entry
        while folder:
            folder = folder.rpartition("/")[0]
            folders.setdefault(folder, {})
    made = []
    for path in sorted(folders, key=lambda path: (path.count("/"), path), reverse=True):
        merged = trees.read_folder(path) | folders[path]
        entries = {name: entry for name, entry in merged.items() if entry}
        made.append(make_tree(entries, trees.algorithm))
        above, _, name = path.rpartition("/")
        inside = folders[above]
        if path and inside.get(os.fsencode(name)) is None:  # else a file has taken its place
            inside[os.fsencode(name)] = TreeEntry(FOLDER, made[-1].id) if entries else None
    return RewrittenTree(made[-1].id, made)


@contextmanager
def open_commit_tree(git: Git, revision: str = "HEAD") -> Iterator[CommitTree]:
    """Yield the folders of a commit."""
    with open_object_reader(git) as reader:
        yield CommitTree(reader, revision)
