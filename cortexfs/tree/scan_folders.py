"""Scan the folders of a tree: one digest for each, and stamps only where it differs.

Names and stamps of a folder become one digest in a few operations, so that a file costs little more
than its `stat`. A folder with the known digest needs no further comparison.
"""

from __future__ import annotations

import os
import stat
import time
from _blake2 import blake2b  # `hashlib` would load OpenSSL at each start
from array import array
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.changes.compare_stamps import FileStamp
from cortexfs.tree.atomic_files import remove_drafts
from cortexfs.tree.list_and_stamp_files import (
    FOLDER_ERRORS,
    decode_name,
    iter_stamped_folders,
    list_projects,
)
from cortexfs.tree.safe_open import open_folder
from cortexfs.tree.scan_in_processes import find_true_in_processes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from cortexfs.core.atoms.kinds import Kinds

UNKNOWN_DIGEST = b""
"""The digest of a folder that must be compared file by file."""
DIGEST_BYTES = 16
MIN_SHARED_FILES = 30_000
"""Number of files from which several processes scan: a process takes some milliseconds."""


class FolderDigest(NamedTuple):
    """The digest of a folder, and how many files it covers."""

    digest: bytes
    files: int


class TreeScan(NamedTuple):
    """One scan: the digest of each folder with files, and stamps where it is not the known one.

    `at_ns` is the time at which the scan began. `differing` are the folders with another digest
    than the known one, and known ones without files. `linked` are files with more than one name.
    """

    at_ns: int
    folders: Mapping[str, FolderDigest]
    differing: frozenset[str]
    packed: Mapping[str, PackedFolder]
    linked: frozenset[str]

    def make_stamps(self) -> dict[str, FileStamp]:
        """Return the stamps of the differing folders by path."""
        each = (folder.make_stamps(place) for place, folder in self.packed.items())
        return {path: stamp for stamps in each for path, stamp in stamps.items()}

    def split(self, max_files: int) -> Iterator[TreeScan]:
        """Yield parts of about that many files of differing folders, in path order."""
        some, count = list[str](), 0
        for folder in sorted(self.differing):
            some.append(folder)
            count += 1 + (self.folders[folder].files if folder in self.folders else 0)
            if count >= max_files:
                yield self._select(some)
                some, count = [], 0
        if some:
            yield self._select(some)

    def count_differing(self) -> int:
        """Return the number of files in differing folders."""
        return sum(self.folders[folder].files for folder in self.differing & self.folders.keys())

    def _select(self, wanted: Iterable[str]) -> TreeScan:
        """Return the same scan, with some of the differing folders."""
        differing = frozenset(wanted)
        packed = {folder: self.packed[folder] for folder in differing if folder in self.packed}
        return self._replace(differing=differing, packed=packed)


class PackedFolder(NamedTuple):
    """Names and stamps of a folder in little memory: a large tree has a million of them."""

    names: bytes
    numbers: Sequence[int]

    def make_stamps(self, folder: str) -> dict[str, FileStamp]:
        """Return the stamps by path."""
        prefix, numbers = f"{folder}/" if folder else "", iter(self.numbers)
        names = os.fsdecode(self.names).split("\0")
        stamps = zip(numbers, numbers, numbers, strict=True)
        return {
            prefix + decode_name(name): FileStamp(*stamp)
            for name, stamp in zip(names, stamps, strict=True)
        }


class ScannedFolder(NamedTuple):
    """The names of a folder, size, mtime and ctime of each in one list, and the linked names."""

    names: list[str]
    numbers: list[int]
    linked: list[str]

    def compute_digest(self) -> FolderDigest:
        """Return the digest; unknown if a time is outside the range of a 64-bit integer."""
        names = os.fsencode("\0".join(self.names))
        try:
            content = array("q", self.numbers).tobytes()
        except OverflowError:
            return FolderDigest(UNKNOWN_DIGEST, len(self.names))
        digest = blake2b(content + names, digest_size=DIGEST_BYTES).digest()
        return FolderDigest(digest, len(self.names))

    def pack(self) -> PackedFolder:
        """Return names and stamps; a number outside the range of 64 bits leaves them in a list."""
        names = os.fsencode("\0".join(self.names))
        try:
            return PackedFolder(names, array("q", self.numbers))
        except OverflowError:
            return PackedFolder(names, self.numbers)


def scan_tree(root: str, kinds: Kinds, known: Mapping[str, FolderDigest]) -> TreeScan:
    """Scan atoms, indexes, logs and settings; `known` are the digests of an earlier scan."""
    at_ns = time.time_ns()
    wanted = dict(iter_stamped_folders(root, kinds, list_projects(root), existing=True))
    unchanged = _find_unchanged(root, wanted, known)
    folders = {folder: known[folder] for folder in unchanged}
    packed, linked, differing = dict[str, PackedFolder](), set[str](), set[str]()
    for folder in wanted.keys() - unchanged:
        scanned = _scan_folder(root, folder, wanted[folder])
        if not scanned.names:
            continue
        folders[folder] = found = scanned.compute_digest()
        linked.update(f"{folder}/{decode_name(name)}".lstrip("/") for name in scanned.linked)
        if found != known.get(folder) or found.digest == UNKNOWN_DIGEST:
            differing.add(folder)
            packed[folder] = scanned.pack()
    differing |= known.keys() - folders.keys()
    return TreeScan(at_ns, folders, frozenset(differing), packed, frozenset(linked))


def _find_unchanged(
    root: str, wanted: Mapping[str, Callable[[str], bool]], known: Mapping[str, FolderDigest]
) -> set[str]:
    """Return folders that several processes found unchanged, without linked files.

    It is empty for a small tree, and where processes cannot share the work.
    """
    sizes = {folder: known[folder].files for folder in wanted if folder in known}
    if sum(sizes.values()) < MIN_SHARED_FILES:
        return set()

    def is_unchanged(folder: str) -> bool:
        scanned = _scan_folder(root, folder, wanted[folder])
        found = scanned.compute_digest()
        is_same = found == known[folder] and found.digest != UNKNOWN_DIGEST
        return is_same and not scanned.linked

    return find_true_in_processes(sizes, is_unchanged)


def _scan_folder(root: str, place: str, wanted: Callable[[str], bool]) -> ScannedFolder:
    """Read the stamps of the wanted names in one folder, and delete abandoned drafts there."""
    scanned, drafts = ScannedFolder([], [], []), list[str]()
    names, numbers, linked = scanned
    with suppress(*FOLDER_ERRORS), open_folder(root, place) as at:
        with os.scandir(at) as entries:
            for entry in entries:
                name = entry.name
                if wanted(name if name.isascii() else decode_name(name)):
                    try:
                        status = entry.stat(follow_symlinks=False)
                    except FileNotFoundError:
                        continue
                    names.append(name)
                    numbers += (status.st_size, status.st_mtime_ns, status.st_ctime_ns)
                    if status.st_nlink != 1 and stat.S_ISREG(status.st_mode):
                        linked.append(name)
                elif name[0] == ".":
                    drafts.append(name)
        remove_drafts(at, drafts)
    return scanned
