"""The truth on disk: read it, lock it, and write it only where it still reads as expected."""

from __future__ import annotations

import errno
import fcntl
import os
import stat
import time
from contextlib import ExitStack, contextmanager, suppress
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atom import Flaw
from cortexfs.core.diff import Stamp
from cortexfs.core.places import INDEX, is_log_name
from cortexfs.core.plan import Source
from cortexfs.errors import AtomChanged, NoTree, OutsideTree
from cortexfs.tree import files, scan
from cortexfs.tree.beneath import OWN, folder, own, steps_of
from cortexfs.tree.locate import home_of, is_tree
from cortexfs.tree.templates import packaged, template, templates

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from cortexfs.core.kinds import Kinds
    from cortexfs.core.plan import Append, Write


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

    def make(self) -> None:
        """Make the root's folder; under a home directory only its owner may look in."""
        home = os.path.realpath(os.path.expanduser("~"))
        private = os.path.realpath(self.root).startswith(f"{home}{os.sep}")
        if not os.path.isdir(self.root):
            os.makedirs(os.path.dirname(self.root), exist_ok=True)
            os.mkdir(self.root, 0o700 if private else 0o777)

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

    def is_open_to_all(self) -> bool:
        """Tell whether everybody on the machine may write to the root."""
        return bool(os.stat(self.root).st_mode & stat.S_IWOTH)

    def stamp(self, path: str) -> Stamp:
        """Stamp one file; raises `OSError` or `OutsideTree`."""
        above, _, name = path.rpartition("/")
        with folder(self.root, above) as at:
            status = os.stat(name, dir_fd=at, follow_symlinks=False)
            return Stamp(status.st_size, status.st_mtime_ns, status.st_ctime_ns)

    def stamps(self, kinds: Kinds) -> dict[str, Stamp]:
        """Stamp every atom, index and log."""
        return scan.stamps(self.root, kinds)

    def projects(self) -> list[str]:
        """Name the projects, in order."""
        return scan.projects(self.root)

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
        with ExitStack() as opened:
            last, at = None, -1

            def content(path: str) -> bytes:
                nonlocal last, at
                above, _, name = path.rpartition("/")
                steps_of(name)
                if above != last:
                    opened.close()
                    last, at = None, opened.enter_context(folder(self.root, above))
                    last = above
                return files.read(at, name)

            yield lambda path: _source(path, content)

    def read(self, path: str) -> Source | Flaw:
        """Read one file as text; what keeps it from being read is a flaw, never raised."""
        return _source(path, self.content)

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
                return files.read_log(at, name).decode(errors="surrogateescape")
        except (OSError, OutsideTree):
            return None

    def content(self, path: str) -> bytes:
        """Read a file's bytes; raises `OSError` or `OutsideTree`."""
        steps_of(path)
        above, _, name = path.rpartition("/")
        with folder(self.root, above) as at:
            return files.read(at, name)

    def holds(self, name: str) -> bool:
        """Tell whether anything of that name stands at the root."""
        return os.path.lexists(os.path.join(self.root, name))

    def is_file(self, path: str) -> bool:
        """Tell whether a regular file stands there, and is no link."""
        above, _, name = path.rpartition("/")
        try:
            with folder(self.root, above) as at:
                status = os.stat(name, dir_fd=at, follow_symlinks=False)
                return stat.S_ISREG(status.st_mode)
        except (OSError, ValueError, OutsideTree):
            return False

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other writers out. Readers need no lock: no half of a file is ever seen."""
        with own(self.root) as at:
            flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
            lock = os.open("lock", flags, 0o600, dir_fd=at)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield
        finally:
            os.close(lock)

    def write(self, writes: Sequence[Write]) -> None:
        """Write all of them, or raise `AtomChanged` and write none."""
        for write in writes:
            if self.text(write.path) != write.replacing:
                raise AtomChanged(write.path)
        for write in writes:
            self._put(write)

    def keep(self, path: str) -> str:
        """Keep a copy of a file that is about to be replaced; give the path of the copy."""
        name = f"{path.replace('/', '.')}.{time.time_ns()}"
        with own(self.root, "replaced") as at:
            files.create(at, name, self.content(path))
        return f"{OWN}/replaced/{name}"

    def append(self, added: Append) -> None:
        """Add whole lines to a log, making it and its folder where they are missing."""
        above, name = _parted(added.path)
        with folder(self.root, above, make=True) as at:
            files.append(at, name, "".join(added.lines).encode())

    def sweep(self, folders: Iterable[str]) -> None:
        """Remove the drafts of these folders: only under the lock, where nobody else has one."""
        for path in folders:
            with suppress(OSError, OutsideTree), folder(self.root, path) as at:
                files.sweep(at, os.listdir(at), older_s=float("-inf"))

    def _put(self, write: Write) -> None:
        above, name = _parted(write.path)
        with folder(self.root, above, make=True) as at:
            if write.replacing is not None:
                files.replace(at, name, write.text.encode())
                return
            try:
                files.create(at, name, write.text.encode())
            except FileExistsError:
                raise AtomChanged(write.path) from None


def _source(path: str, content: Callable[[str], bytes]) -> Source | Flaw:
    try:
        return Source(path, content(path).decode(errors=_errors(path)))
    except UnicodeDecodeError as error:
        before = error.object[: error.start]
        return Flaw("not-utf8", f"byte {error.start} is no UTF-8", before.count(b"\n") + 1)
    except OutsideTree as error:
        if "\\" in path:
            return Flaw("bad-name", str(error))
        return Flaw("symlink", str(error))
    except OSError as error:
        return _flaw(error)


def _errors(path: str) -> str:
    """Say how bytes that are no UTF-8 are taken: in rows and lines they spoil only their own."""
    name = path.rpartition("/")[2]
    if is_log_name(name):
        return "surrogateescape"
    return "replace" if name == INDEX else "strict"


def _parted(path: str) -> tuple[str, str]:
    """Part a path that is to be written into folder and name, each step of it looked at."""
    *above, name = steps_of(path)
    return "/".join(above), name


def _flaw(error: OSError) -> Flaw:
    """Say in our words why a file could not be read."""
    match error:
        case files.TooLarge():
            return Flaw("file-too-large", "over 16 MiB")
        case files.NotAFile() | IsADirectoryError():
            return Flaw("not-a-file", "what stands there is no file")
        case PermissionError():
            return Flaw("no-permission", "the file may not be read")
        case OSError(errno=errno.ELOOP):
            return Flaw("symlink", "it is a symlink")
    return Flaw("read-failed", error.strerror or "the file could not be read")
