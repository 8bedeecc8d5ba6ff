"""The files of a tree: listed, stamped and read. `tree.write_files` changes them."""

from __future__ import annotations

import errno
import os
import stat
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.tree_paths import LOCAL_FOLDER
from cortexfs.core.changes.compare_stamps import FileStamp
from cortexfs.errors import NoTree, OutsideTree
from cortexfs.tree import atomic_files, list_and_stamp_files, scan_folders
from cortexfs.tree.package_files import (
    package_path,
    read_template,
    read_template_lines,
    read_templates,
)
from cortexfs.tree.recognize_tree import cortex_home, is_tree
from cortexfs.tree.safe_open import (
    keep_folder_open,
    open_folder,
    open_private_folder,
    split_path,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from cortexfs.core.atoms.atom import FileText, Flaw
    from cortexfs.core.atoms.kinds import Kinds
    from cortexfs.core.settings.settings import Settings
    from cortexfs.tree.scan_folders import FolderDigest, TreeScan
    from cortexfs.tree.spool import Spool


class Tree(NamedTuple):
    """One tree, by the absolute path of its root."""

    root: str

    @classmethod
    def open(cls, root: str) -> Tree:
        """Return the tree at a root; raises `NoTree` if there is none."""
        if not is_tree(root):
            raise NoTree(root)
        return cls(root)

    @property
    def private_folder(self) -> str:
        """The path of the folder for lock, catalog and spool."""
        return os.path.join(self.root, LOCAL_FOLDER)

    @property
    def spool(self) -> Spool:
        """The spool with the notes of hooks."""
        from cortexfs.tree.spool import Spool  # noqa: PLC0415 - it imports what reads notes

        return Spool(self.root)

    def create_private_folder(self) -> str:
        """Create the folder for lock, catalog and spool if permitted; return its path."""
        try:
            with open_private_folder(self.root):
                pass
        except OSError as error:
            if error.errno not in {errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOENT}:
                raise
        return self.private_folder

    def is_writable(self) -> bool:
        """Return whether lock and catalog can be written here."""
        return os.access(self.private_folder, os.W_OK)

    def can_hard_link(self) -> bool:
        """Return whether the file system has hard links; true if nothing can be created."""
        try:
            with open_private_folder(self.root) as at:
                return atomic_files.can_hard_link(at)
        except OSError:
            return True

    def is_world_writable(self) -> bool:
        """Return whether every user of the machine may write to the root."""
        return bool(os.stat(self.root).st_mode & stat.S_IWOTH)

    def stamp_file(self, path: str) -> FileStamp:
        """Return the stamp of one file; raises `OSError` or `OutsideTree`."""
        above, _, name = path.rpartition("/")
        with open_folder(self.root, above) as at:
            return FileStamp.of(os.stat(name, dir_fd=at, follow_symlinks=False))

    def scan(self, kinds: Kinds, known: Mapping[str, FolderDigest]) -> TreeScan:
        """Scan all atoms, indexes, logs and settings; `known` are the digests of the folders."""
        return scan_folders.scan_tree(self.root, kinds, known)

    def stamp_files(self, kinds: Kinds, paths: Iterable[str] | None = None) -> dict[str, FileStamp]:
        """Return the stamps of all atoms, indexes and logs, or of some paths."""
        if paths is None:
            return self.scan(kinds, {}).make_stamps()
        return list_and_stamp_files.stamp_paths(self.root, kinds, paths)

    def fingerprint_folders(self) -> tuple[str, bool]:
        """Return the stamps of files in folders with a CORTEX.md, and whether they are reliable."""
        return list_and_stamp_files.fingerprint_folders(self.root)

    def list_projects(self) -> list[str]:
        """Return the names of the projects, sorted."""
        return list_and_stamp_files.list_projects(self.root)

    def list_page_paths(self, kinds: Kinds) -> list[str]:
        """Return the paths of Markdown files that are not atoms, sorted within each folder."""
        from cortexfs.tree.non_atoms import list_page_paths  # noqa: PLC0415 - few commands need it

        return list_page_paths(self.root, kinds)

    def list_names(self, path: str) -> list[str]:
        """Return the sorted names in a folder; empty if there is no such folder."""
        return list_and_stamp_files.list_names(self.root, path)

    def is_folder(self, path: str) -> bool:
        """Return whether a path is a folder and not a link."""
        try:
            with open_folder(self.root, path):
                return True
        except (OSError, OutsideTree):
            return False

    def package_path(self, path: str) -> str:
        """Return the path of a file of the package."""
        return package_path(*path.split("/"))

    def cortex_home(self, environ: Mapping[str, str]) -> str:
        """Return the folder of installed hooks: `$CORTEX_HOME`, or `~/.cortex`."""
        return cortex_home(environ)

    def read_template(self, name: str) -> str | None:
        """Return one of the templates of the package, or None."""
        return read_template(name)

    def read_template_lines(self, kind: str) -> frozenset[str]:
        """Return the lines that a new atom of a kind has: see `blank_template_lines`."""
        return read_template_lines(kind)

    def read_templates(self, group: str) -> dict[str, str]:
        """Return a group of templates by their paths."""
        return read_templates(group)

    @contextmanager
    def open_batch_reader(self) -> Iterator[Callable[[str], FileText | Flaw]]:
        """Yield a `read_text_or_flaw` for many files, which keeps the last folder open."""
        from cortexfs.tree.read_text_or_flaw import read_text_or_flaw  # noqa: PLC0415 - an idle run reads no file

        with keep_folder_open(self.root) as open_above:

            def content(path: str) -> bytes:
                return atomic_files.read_file_bytes(*open_above(path))

            yield lambda path: read_text_or_flaw(path, content)

    def read_text_or_flaw(self, path: str) -> FileText | Flaw:
        """Return one file as text; an error is returned as a flaw, never raised."""
        from cortexfs.tree.read_text_or_flaw import read_text_or_flaw  # noqa: PLC0415 - an idle run reads no file

        return read_text_or_flaw(path, self.read_bytes)

    def read_text_lossy(self, path: str) -> str | None:
        """Return a file as text, whatever its bytes; None if missing. Raises other `OSError`s."""
        try:
            return self.read_bytes(path).decode(errors="replace")
        except (FileNotFoundError, NotADirectoryError):
            return None

    def read_appendable_log(self, path: str) -> str | None:
        """Return a log to which lines will be added; None if it is not writable."""
        above, _, name = path.rpartition("/")
        try:
            with open_folder(self.root, above, create=True) as at:
                return atomic_files.read_appendable_log(at, name).decode(errors="surrogateescape")
        except (OSError, OutsideTree):
            return None

    def read_bytes(self, path: str) -> bytes:
        """Return a file's bytes; raises `OSError` or `OutsideTree`."""
        split_path(path)
        above, _, name = path.rpartition("/")
        with open_folder(self.root, above) as at:
            return atomic_files.read_file_bytes(at, name)

    def has_root_entry(self, name: str) -> bool:
        """Return whether the root has anything with this name."""
        return os.path.lexists(os.path.join(self.root, name))

    def is_file(self, path: str) -> bool:
        """Return whether a path is a regular file and not a link."""
        return stat.S_ISREG(self._read_mode(path))

    def is_path_taken(self, path: str) -> bool:
        """Return whether anything is at a path, including a dangling link."""
        return bool(self._read_mode(path))

    def is_folder_writable(self, path: str) -> bool:
        """Return whether files of a folder can be created and replaced."""
        from cortexfs.tree.write_files import is_folder_writable  # noqa: PLC0415 - few commands need it

        return is_folder_writable(self.root, path)

    def read_settings(self) -> Settings:
        """Return the settings in `cortexfs.yaml`; without a file no parser is imported."""
        from cortexfs.core.settings.settings import Settings  # noqa: PLC0415

        if not self.has_root_entry(list_and_stamp_files.SETTINGS_FILE):
            return Settings()
        from cortexfs.core.atoms.atom import Flaw  # noqa: PLC0415
        from cortexfs.core.settings.settings_file import parse_settings  # noqa: PLC0415

        read = self.read_text_or_flaw(list_and_stamp_files.SETTINGS_FILE)
        return Settings(flaws=(read,)) if isinstance(read, Flaw) else parse_settings(read.text)

    def stamp_settings(self) -> FileStamp | None:
        """Return the stamp of `cortexfs.yaml`; None if it cannot be read."""
        try:
            return self.stamp_file(list_and_stamp_files.SETTINGS_FILE)
        except OSError:
            return None

    def _read_mode(self, path: str) -> int:
        """Return the mode of what is at a path, 0 if there is nothing."""
        above, _, name = path.rpartition("/")
        try:
            with open_folder(self.root, above) as at:
                return os.stat(name, dir_fd=at, follow_symlinks=False).st_mode
        except (OSError, ValueError, OutsideTree):
            return 0
