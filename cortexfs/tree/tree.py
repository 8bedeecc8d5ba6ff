"""The truth on disk: read it, lock it, and write it only where it still reads as expected."""

from __future__ import annotations

import errno
import os
import stat
from contextlib import ExitStack, contextmanager, suppress
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.tree_paths import OWN
from cortexfs.core.changes.changed_files import FileStamp
from cortexfs.errors import NoTree, OutsideTree
from cortexfs.tree import atomic_files, file_stamps
from cortexfs.tree.package_files import package_path, read_template, read_templates
from cortexfs.tree.safe_open import create_folders, open_folder, open_private_folder, split_path
from cortexfs.tree.tree_location import cortex_home, is_tree

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from cortexfs.core.atoms.atom import Finding, Flaw
    from cortexfs.core.atoms.kinds import Kinds
    from cortexfs.core.changes.plan import Append, FileText, Plan, Remove, Write
    from cortexfs.core.settings.settings import Settings
    from cortexfs.tree.spool import Spool


class Tree(NamedTuple):
    """One tree, by its root's absolute path."""

    root: str

    @classmethod
    def open(cls, root: str) -> Tree:
        """Open the tree at a root; raises `NoTree` where there is none."""
        if not is_tree(root):
            raise NoTree(root)
        return cls(root)

    @property
    def private_folder(self) -> str:
        """Name the folder for lock, catalog and spool."""
        return os.path.join(self.root, OWN)

    @property
    def spool(self) -> Spool:
        """Where hooks leave their notes."""
        from cortexfs.tree.spool import Spool  # noqa: PLC0415 - it imports what reads notes

        return Spool(self.root)

    def create_root(self) -> None:
        """Make the root's folder; below a home directory only its owner may enter what is made."""
        home = os.path.realpath(os.path.expanduser("~"))
        private = os.path.realpath(self.root).startswith(f"{home}{os.sep}")
        create_folders(self.root, 0o700 if private else 0o777)

    def create_private_folder(self) -> str:
        """Make the folder for lock, catalog and spool where the root allows it; give its path."""
        try:
            with open_private_folder(self.root):
                pass
        except OSError as error:
            if error.errno not in {errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOENT}:
                raise
        return self.private_folder

    def is_writable(self) -> bool:
        """Tell whether we may keep lock and catalog here."""
        return os.access(self.private_folder, os.W_OK)

    def can_hard_link(self) -> bool:
        """Tell whether the file system has hard links; so it seems where nothing can be made."""
        try:
            with open_private_folder(self.root) as at:
                return atomic_files.can_hard_link(at)
        except OSError:
            return True

    def is_world_writable(self) -> bool:
        """Tell whether everybody on the machine may write to the root."""
        return bool(os.stat(self.root).st_mode & stat.S_IWOTH)

    def stamp_file(self, path: str) -> FileStamp:
        """Stamp one file; raises `OSError` or `OutsideTree`."""
        above, _, name = path.rpartition("/")
        with open_folder(self.root, above) as at:
            status = os.stat(name, dir_fd=at, follow_symlinks=False)
            return FileStamp(status.st_size, status.st_mtime_ns, status.st_ctime_ns)

    def stamp_files(self, kinds: Kinds, among: Iterable[str] | None = None) -> dict[str, FileStamp]:
        """Stamp every atom, index and log, or those among some paths."""
        if among is None:
            return file_stamps.stamp_tree(self.root, kinds)
        return file_stamps.stamp_paths(self.root, kinds, among)

    def fingerprint_folders(self) -> tuple[str, bool]:
        """Say what lies in the folders that have a CORTEX.md, and whether to rely on it."""
        return file_stamps.fingerprint_folders(self.root)

    def list_projects(self) -> list[str]:
        """Name the projects, in order."""
        return file_stamps.list_projects(self.root)

    def list_page_paths(self, kinds: Kinds) -> list[str]:
        """Name the Markdown files that are no atoms, in order within each folder."""
        from cortexfs.tree.non_atoms import list_page_paths  # noqa: PLC0415 - few commands ask

        return list_page_paths(self.root, kinds)

    def stamp_pages(self, kinds: Kinds) -> dict[str, FileStamp]:
        """Stamp the Markdown files that are not atoms; not those that are large or generated."""
        from cortexfs.tree.non_atoms import stamp_pages  # noqa: PLC0415 - only `find` asks

        return stamp_pages(self.root, kinds)

    def list_names(self, path: str) -> list[str]:
        """Name what lies in a folder, in order; nothing where there is no such folder."""
        return file_stamps.list_names(self.root, path)

    def is_folder(self, path: str) -> bool:
        """Tell whether a folder stands there, and is no link."""
        try:
            with open_folder(self.root, path):
                return True
        except (OSError, OutsideTree):
            return False

    def package_path(self, path: str) -> str:
        """Give the path of a file that travels with the package."""
        return package_path(*path.split("/"))

    def cortex_home(self, environ: Mapping[str, str]) -> str:
        """Give the folder that installed hooks live in: `$CORTEX_HOME`, or `~/.cortex`."""
        return cortex_home(environ)

    def read_template(self, name: str) -> str | None:
        """Read one of the starting texts that travel with the package."""
        return read_template(name)

    def read_templates(self, group: str) -> dict[str, str]:
        """Read a group of starting texts by their paths."""
        return read_templates(group)

    @contextmanager
    def open_batch_reader(self) -> Iterator[Callable[[str], FileText | Flaw]]:
        """Give a `read` for many files, which keeps the folder of the last one open."""
        from cortexfs.tree.read_text import read_text  # noqa: PLC0415 - an idle run reads no file

        with ExitStack() as opened:
            last, at = None, -1

            def content(path: str) -> bytes:
                nonlocal last, at
                above, _, name = path.rpartition("/")
                split_path(name)
                if above != last:
                    last = None  # also where the next folder cannot be opened
                    opened.close()
                    at = opened.enter_context(open_folder(self.root, above))
                    last = above
                return atomic_files.read_file(at, name)

            yield lambda path: read_text(path, content)

    def read_text(self, path: str) -> FileText | Flaw:
        """Read one file as text; what keeps it from being read is a flaw, never raised."""
        from cortexfs.tree.read_text import read_text  # noqa: PLC0415 - as `reading`

        return read_text(path, self.read_bytes)

    def read_text_lossy(self, path: str) -> str | None:
        """Read a file whatever its bytes; None where it is missing. Raises `OSError` else."""
        try:
            return self.read_bytes(path).decode(errors="replace")
        except (FileNotFoundError, NotADirectoryError):
            return None

    def read_appendable_log(self, path: str) -> str | None:
        """Read a log that is to be added to; None where nothing can be added to it."""
        above, _, name = path.rpartition("/")
        try:
            with open_folder(self.root, above, create=True) as at:
                return atomic_files.read_appendable_log(at, name).decode(errors="surrogateescape")
        except (OSError, OutsideTree):
            return None

    def read_bytes(self, path: str) -> bytes:
        """Read a file's bytes; raises `OSError` or `OutsideTree`."""
        split_path(path)
        above, _, name = path.rpartition("/")
        with open_folder(self.root, above) as at:
            return atomic_files.read_file(at, name)

    def has_root_entry(self, name: str) -> bool:
        """Tell whether anything of that name stands at the root."""
        return os.path.lexists(os.path.join(self.root, name))

    def is_file(self, path: str) -> bool:
        """Tell whether a regular file stands there, and is no link."""
        return stat.S_ISREG(self._mode(path))

    def is_path_taken(self, path: str) -> bool:
        """Tell whether anything stands there, be it a link that leads nowhere."""
        return bool(self._mode(path))

    def is_folder_writable(self, path: str) -> bool:
        """Tell whether files of a folder may be made and replaced."""
        from cortexfs.tree.write_files import is_folder_writable  # noqa: PLC0415 - as `write`

        return is_folder_writable(self.root, path)

    def write_files(
        self, writes: Sequence[Write], removes: Sequence[Remove] = ()
    ) -> dict[str, Finding]:
        """Write and remove all of them, or raise `AtomChanged` and leave all as they were.

        Bookkeeping may be refused by the disk: its paths are given, with a finding about what
        refuses. For any other write that raises `OSError`.
        """
        if not (writes or removes):
            return {}
        from cortexfs.tree.write_files import write_files  # noqa: PLC0415 - an idle run writes nothing

        return write_files(self.root, writes, removes)

    def back_up_file(self, path: str) -> str:
        """Keep a copy of a file that is about to be replaced, once; give the path of the copy."""
        from cortexfs.tree.write_files import back_up_file  # noqa: PLC0415 - as `write`

        return back_up_file(self.root, path, self.read_bytes(path))

    def read_settings(self) -> Settings:
        """Read `cortexfs.yaml`; where there is none, nothing is imported to read it."""
        from cortexfs.core.settings.settings import Settings  # noqa: PLC0415

        if not self.has_root_entry(file_stamps.SETTINGS_FILE):
            return Settings()
        from cortexfs.core.atoms.atom import Flaw  # noqa: PLC0415
        from cortexfs.core.settings.settings_file import parse_settings  # noqa: PLC0415

        read = self.read_text(file_stamps.SETTINGS_FILE)
        return Settings(flaws=(read,)) if isinstance(read, Flaw) else parse_settings(read.text)

    def stamp_settings(self) -> FileStamp | None:
        """Stamp `cortexfs.yaml`; None where there is none."""
        try:
            return self.stamp_file(file_stamps.SETTINGS_FILE)
        except OSError:
            return None

    def require_writable(self, plan: Plan) -> None:
        """Raise the `OSError` that the disk would raise for a plan, as far as modes tell it."""
        from cortexfs.tree.write_files import require_writable  # noqa: PLC0415 - as `write`

        require_writable(self.root, plan)

    def append_lines(self, added: Append) -> None:
        """Add whole lines to a log, making it and its folder where they are missing."""
        from cortexfs.tree.write_files import append_lines  # noqa: PLC0415 - as `write`

        append_lines(self.root, added)

    def remove_drafts(self, folders: Iterable[str]) -> None:
        """Remove the drafts of these folders: only under the lock, where nobody else has one."""
        for path in folders:
            with suppress(OSError, OutsideTree), open_folder(self.root, path) as at:
                atomic_files.remove_drafts(at, os.listdir(at), min_age_s=float("-inf"))

    def _mode(self, path: str) -> int:
        """Give the mode of what stands there, 0 where nothing does."""
        above, _, name = path.rpartition("/")
        try:
            with open_folder(self.root, above) as at:
                return os.stat(name, dir_fd=at, follow_symlinks=False).st_mode
        except (OSError, ValueError, OutsideTree):
            return 0
