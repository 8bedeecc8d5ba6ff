"""The truth on disk: read it, lock it, and write it only where it still reads as expected."""

from __future__ import annotations

import errno
import os
import stat
from contextlib import ExitStack, contextmanager, suppress
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.tree_paths import OWN
from cortexfs.core.changes.changed_files import Stamp
from cortexfs.errors import NoTree, OutsideTree
from cortexfs.tree import atomic_files, scan
from cortexfs.tree.locate import home_of, is_tree
from cortexfs.tree.safe_open import folder, make_folders, own, steps_of
from cortexfs.tree.templates import packaged, template, templates

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from cortexfs.core.atoms.atom import Finding, Flaw
    from cortexfs.core.atoms.kinds import Kinds
    from cortexfs.core.changes.plan import Append, Plan, Remove, Source, Write
    from cortexfs.core.settings.settings import Settings
    from cortexfs.tree.spool import Spool


class Tree(NamedTuple):
    """One tree, by its root's absolute path."""

    root: str

    @classmethod
    def at(cls, root: str) -> Tree:
        """Open the tree at a root; raises `NoTree` where there is none."""
        if not is_tree(root):
            raise NoTree(root)
        return cls(root)

    @property
    def own(self) -> str:
        """Name the folder for lock, catalog and spool."""
        return os.path.join(self.root, OWN)

    @property
    def spool(self) -> Spool:
        """Where hooks leave their notes."""
        from cortexfs.tree.spool import Spool  # noqa: PLC0415 - it imports what reads notes

        return Spool(self.root)

    def make(self) -> None:
        """Make the root's folder; below a home directory only its owner may enter what is made."""
        home = os.path.realpath(os.path.expanduser("~"))
        private = os.path.realpath(self.root).startswith(f"{home}{os.sep}")
        make_folders(self.root, 0o700 if private else 0o777)

    def prepare(self) -> str:
        """Make the folder for lock, catalog and spool where the root allows it; give its path."""
        try:
            with own(self.root):
                pass
        except OSError as error:
            if error.errno not in {errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOENT}:
                raise
        return self.own

    def is_writable(self) -> bool:
        """Tell whether we may keep lock and catalog here."""
        return os.access(self.own, os.W_OK)

    def has_hard_links(self) -> bool:
        """Tell whether the file system has hard links; so it seems where nothing can be made."""
        try:
            with own(self.root) as at:
                return atomic_files.has_hard_links(at)
        except OSError:
            return True

    def is_open_to_all(self) -> bool:
        """Tell whether everybody on the machine may write to the root."""
        return bool(os.stat(self.root).st_mode & stat.S_IWOTH)

    def stamp(self, path: str) -> Stamp:
        """Stamp one file; raises `OSError` or `OutsideTree`."""
        above, _, name = path.rpartition("/")
        with folder(self.root, above) as at:
            status = os.stat(name, dir_fd=at, follow_symlinks=False)
            return Stamp(status.st_size, status.st_mtime_ns, status.st_ctime_ns)

    def stamps(self, kinds: Kinds, among: Iterable[str] | None = None) -> dict[str, Stamp]:
        """Stamp every atom, index and log, or those among some paths."""
        if among is None:
            return scan.stamps(self.root, kinds)
        return scan.stamps_of(self.root, kinds, among)

    def outline(self) -> tuple[str, bool]:
        """Say what lies in the folders that have a CORTEX.md, and whether to rely on it."""
        return scan.outline(self.root)

    def projects(self) -> list[str]:
        """Name the projects, in order."""
        return scan.projects(self.root)

    def page_paths(self, kinds: Kinds) -> list[str]:
        """Name the Markdown files that are no atoms, in order within each folder."""
        from cortexfs.tree.non_atoms import paths  # noqa: PLC0415 - few commands ask

        return paths(self.root, kinds)

    def page_stamps(self, kinds: Kinds) -> dict[str, Stamp]:
        """Stamp the Markdown files that are not atoms; not those that are large or generated."""
        from cortexfs.tree.non_atoms import stamps  # noqa: PLC0415 - only `find` asks

        return stamps(self.root, kinds)

    def names(self, path: str) -> list[str]:
        """Name what lies in a folder, in order; nothing where there is no such folder."""
        return scan.names(self.root, path)

    def is_folder(self, path: str) -> bool:
        """Tell whether a folder stands there, and is no link."""
        try:
            with folder(self.root, path):
                return True
        except (OSError, OutsideTree):
            return False

    def packaged(self, path: str) -> str:
        """Give the path of a file that travels with the package."""
        return packaged(*path.split("/"))

    def home(self, environ: Mapping[str, str]) -> str:
        """Give the folder that installed hooks live in: `$CORTEX_HOME`, or `~/.cortex`."""
        return home_of(environ)

    def template(self, name: str) -> str | None:
        """Read one of the starting texts that travel with the package."""
        return template(name)

    def templates(self, group: str) -> dict[str, str]:
        """Read a group of starting texts by their paths."""
        return templates(group)

    @contextmanager
    def reading(self) -> Iterator[Callable[[str], Source | Flaw]]:
        """Give a `read` for many files, which keeps the folder of the last one open."""
        from cortexfs.tree.read_text import source  # noqa: PLC0415 - an idle run reads no file

        with ExitStack() as opened:
            last, at = None, -1

            def content(path: str) -> bytes:
                nonlocal last, at
                above, _, name = path.rpartition("/")
                steps_of(name)
                if above != last:
                    last = None  # also where the next folder cannot be opened
                    opened.close()
                    at = opened.enter_context(folder(self.root, above))
                    last = above
                return atomic_files.read(at, name)

            yield lambda path: source(path, content)

    def read(self, path: str) -> Source | Flaw:
        """Read one file as text; what keeps it from being read is a flaw, never raised."""
        from cortexfs.tree.read_text import source  # noqa: PLC0415 - as `reading`

        return source(path, self.content)

    def text(self, path: str) -> str | None:
        """Read a file whatever its bytes; None where it is missing. Raises `OSError` else."""
        try:
            return self.content(path).decode(errors="replace")
        except (FileNotFoundError, NotADirectoryError):
            return None

    def log(self, path: str) -> str | None:
        """Read a log that is to be added to; None where nothing can be added to it."""
        above, _, name = path.rpartition("/")
        try:
            with folder(self.root, above, make=True) as at:
                return atomic_files.read_log(at, name).decode(errors="surrogateescape")
        except (OSError, OutsideTree):
            return None

    def content(self, path: str) -> bytes:
        """Read a file's bytes; raises `OSError` or `OutsideTree`."""
        steps_of(path)
        above, _, name = path.rpartition("/")
        with folder(self.root, above) as at:
            return atomic_files.read(at, name)

    def holds(self, name: str) -> bool:
        """Tell whether anything of that name stands at the root."""
        return os.path.lexists(os.path.join(self.root, name))

    def is_file(self, path: str) -> bool:
        """Tell whether a regular file stands there, and is no link."""
        return stat.S_ISREG(self._mode(path))

    def is_taken(self, path: str) -> bool:
        """Tell whether anything stands there, be it a link that leads nowhere."""
        return bool(self._mode(path))

    def is_open(self, path: str) -> bool:
        """Tell whether files of a folder may be made and replaced."""
        from cortexfs.tree.write_plan import is_open  # noqa: PLC0415 - as `write`

        return is_open(self.root, path)

    def write(self, writes: Sequence[Write], removes: Sequence[Remove] = ()) -> dict[str, Finding]:
        """Write and remove all of them, or raise `AtomChanged` and leave all as they were.

        Bookkeeping may be refused by the disk: its paths are given, with a finding about what
        refuses. For any other write that raises `OSError`.
        """
        if not (writes or removes):
            return {}
        from cortexfs.tree.write_plan import write_all  # noqa: PLC0415 - an idle run writes nothing

        return write_all(self.root, writes, removes)

    def keep(self, path: str) -> str:
        """Keep a copy of a file that is about to be replaced, once; give the path of the copy."""
        from cortexfs.tree.write_plan import keep  # noqa: PLC0415 - as `write`

        return keep(self.root, path, self.content(path))

    def settings(self) -> Settings:
        """Read `cortexfs.yaml`; where there is none, nothing is imported to read it."""
        from cortexfs.core.settings.settings import Settings  # noqa: PLC0415

        if not self.holds(scan.SETTINGS):
            return Settings()
        from cortexfs.core.atoms.atom import Flaw  # noqa: PLC0415
        from cortexfs.core.settings.settings_file import read_settings  # noqa: PLC0415

        read = self.read(scan.SETTINGS)
        return Settings(flaws=(read,)) if isinstance(read, Flaw) else read_settings(read.text)

    def settings_stamp(self) -> Stamp | None:
        """Stamp `cortexfs.yaml`; None where there is none."""
        try:
            return self.stamp(scan.SETTINGS)
        except OSError:
            return None

    def foresee(self, plan: Plan) -> None:
        """Raise the `OSError` that the disk would raise for a plan, as far as modes tell it."""
        from cortexfs.tree.write_plan import foresee  # noqa: PLC0415 - as `write`

        foresee(self.root, plan)

    def append(self, added: Append) -> None:
        """Add whole lines to a log, making it and its folder where they are missing."""
        from cortexfs.tree.write_plan import append  # noqa: PLC0415 - as `write`

        append(self.root, added)

    def sweep(self, folders: Iterable[str]) -> None:
        """Remove the drafts of these folders: only under the lock, where nobody else has one."""
        for path in folders:
            with suppress(OSError, OutsideTree), folder(self.root, path) as at:
                atomic_files.sweep(at, os.listdir(at), older_s=float("-inf"))

    def _mode(self, path: str) -> int:
        """Give the mode of what stands there, 0 where nothing does."""
        above, _, name = path.rpartition("/")
        try:
            with folder(self.root, above) as at:
                return os.stat(name, dir_fd=at, follow_symlinks=False).st_mode
        except (OSError, ValueError, OutsideTree):
            return 0
