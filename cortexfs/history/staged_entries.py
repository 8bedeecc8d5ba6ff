"""Read the user's index: what is staged, and what git would add if it were told to."""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.history.ignored_paths import has_bad_ignore_file
from cortexfs.history.object_formats import TreeEntry, parse_index_lines

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from cortexfs.history.git import Git

MAX_PATHSPECS = 64
"""Maximum number of paths that are passed to git, which compares each file with each path."""

_MAX_FOLDER_BYTES = 1 << 18
"""Size of a folder, of some 10,000 names, from which on reading it takes longer than a process."""


class StagedEntries(NamedTuple):
    """The entries of the index, the paths that have a merge conflict, and addable files.

    An addable file is on disk, neither staged nor ignored. Not every one may be found.
    """

    entries: dict[str, TreeEntry]
    unmerged: frozenset[str]
    addable: frozenset[str] = frozenset()


class KnownEntries:
    """The entries of some paths, for as long as the index is the file from which they were read.

    The file is kept open: no other one can have its inode number.
    """

    def __init__(self) -> None:
        self.likely_paths: set[str] = set()
        """Paths that are read with others, because they were asked for, or are likely to be."""
        self._file: int | None = None
        self._paths: frozenset[str] = frozenset()
        self._found = StagedEntries({}, frozenset())

    def get(self, index: str, paths: Iterable[str]) -> StagedEntries | None:
        """Return what is known of the index, if it is known of all these paths."""
        return self._found if self._paths.issuperset(paths) and self._is_same(index) else None

    def begin_read(self, index: str) -> None:
        """Forget what is known, and open the index that is about to be read."""
        self.close()
        with suppress(OSError):  # git reports what is wrong with it
            self._file = os.open(index, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)

    def end_read(self, index: str, paths: Iterable[str], found: StagedEntries) -> None:
        """Keep what was read of some paths, unless the index was replaced meanwhile."""
        if self._is_same(index):
            self._paths, self._found = frozenset(paths), found._replace(addable=frozenset())

    def close(self) -> None:
        """Forget the entries, and close the index."""
        self._paths = frozenset()
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def _is_same(self, index: str) -> bool:
        if self._file is None:
            return False
        with suppress(FileNotFoundError):
            known, present = os.fstat(self._file), os.stat(index, follow_symlinks=False)
            written = (known.st_mtime_ns, known.st_size) == (present.st_mtime_ns, present.st_size)
            return written and os.path.samestat(known, present)
        return False


@contextmanager
def keep_known_entries() -> Iterator[KnownEntries]:
    """Yield an object that knows no entry yet, and close it."""
    known = KnownEntries()
    try:
        yield known
    finally:
        known.close()


def expect_paths(git: Git, paths: Iterable[str]) -> None:
    """Have the entries of these paths read with the next ones, if the runs of git share them."""
    if git.shared:
        git.shared.keep(KnownEntries, keep_known_entries).likely_paths.update(paths)


def read_staged_entries(
    git: Git, paths: Iterable[str], under: str = "", created: Collection[str] = ()
) -> StagedEntries:
    """Return the index entries of the paths; for many paths, of all entries below `under`.

    If files are `created`, git is asked in any case, and which of them are addable.
    """
    wanted = frozenset(paths)
    if not wanted:
        return StagedEntries({}, frozenset())
    if not git.shared:
        return _list_entries(git, _choose_specs(wanted, under), created)
    index, known = f"{git.git_dir}/index", git.shared.keep(KnownEntries, keep_known_entries)
    found = None if created else known.get(index, wanted)
    if found is None:
        known.likely_paths |= wanted
        read = known.likely_paths if len(known.likely_paths) <= MAX_PATHSPECS else wanted
        known.begin_read(index)
        found = _list_entries(git, _choose_specs(read, under), created)
        known.end_read(index, read, found)
    return found


def _choose_specs(paths: Collection[str], under: str) -> Sequence[str]:
    if len(paths) <= MAX_PATHSPECS:
        return sorted(paths)
    return [under.rstrip("/")] if under else []


def _list_entries(git: Git, specs: Sequence[str], created: Collection[str]) -> StagedEntries:
    """Return the entries at or below some paths; files that were created are among these."""
    asks_addable = _can_look_for_files(git, specs, created)
    words = ("-t", "--cached", "--others", "--exclude-standard") if asks_addable else ()
    listing = git.check_output("ls-files", "--stage", "-z", *words, "--", *specs)
    addable = set()
    if asks_addable:
        lines = listing.split(b"\0")
        addable = {os.fsdecode(line[2:]) for line in lines if line.startswith(b"? ")}
        listing = b"\0".join(line[2:] for line in lines if not line.startswith(b"? "))
    entries, unmerged = {}, set()
    for path, entry, stage in parse_index_lines(listing):
        if stage != "0":
            unmerged.add(path)
        entries[path] = entry
    return StagedEntries(entries, frozenset(unmerged), frozenset(addable))


def _can_look_for_files(git: Git, specs: Sequence[str], created: Collection[str]) -> bool:
    """Return whether git would look only for these files, soon, and could read the ignore files.

    It reads each folder above a file, and lists all that is in a folder with the name of one.
    """
    if not created or not frozenset(created).issubset(specs):
        return False
    above = {path[:at] for path in specs for at, step in enumerate(path) if step == "/"}
    return (
        all(_measure_folder(f"{git.top}/{path}") <= _MAX_FOLDER_BYTES for path in ("", *above))
        and not any(os.path.isdir(f"{git.top}/{path}") for path in specs)
        and not has_bad_ignore_file(git, specs)
    )


def _measure_folder(path: str) -> int:
    """Return the size of a folder itself, in bytes; 0 if there is none."""
    with suppress(FileNotFoundError, NotADirectoryError):
        return os.stat(path).st_size
    return 0
