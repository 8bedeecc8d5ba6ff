"""Read a folder of external notes: regular files only, links never followed."""

from __future__ import annotations

import json
import os
import stat
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.importing.note_folder import NoteFile, NoteFolder, SkippedNote
from cortexfs.errors import Refused
from cortexfs.tree import atomic_files
from cortexfs.tree.read_text_or_flaw import read_text_or_flaw
from cortexfs.tree.safe_open import open_folder

if TYPE_CHECKING:
    from collections.abc import Callable

    Wanted = Callable[[str], bool]
    Progress = Callable[[int, int], None]

MARKDOWN_SUFFIXES = (".md", ".markdown")
MAX_FILES = 100_000
MAX_BYTES = 512 * 1024 * 1024
MAX_ENTRIES = 1_000_000
MAX_DEPTH = 32
_TOP_MARKERS = (".obsidian", ".zk", ".git")
"""Names at the top of a vault, a notebook, a repository: note paths are relative to that folder."""
_SKIPPED_FOLDERS = frozenset({"node_modules", "__pycache__", "venv"})
_TEMPLATE_FOLDERS = frozenset({"templates", "template", "_templates"})
_APP_SUFFIXES = {".canvas": "canvas", ".base": "base", ".excalidraw.md": "drawing"}
_MAX_SETTINGS_BYTES = 64 * 1024
_FOLDER_FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


@dataclass(slots=True)
class _FolderReader:
    """One walk through a folder, and its results so far."""

    is_wanted: Wanted
    root: tuple[int, int]
    templates: frozenset[str]
    progress: Progress | None = None
    files: list[NoteFile] = field(default_factory=list)
    skipped: list[SkippedNote] = field(default_factory=list)
    attachment_count: int = 0
    hidden_count: int = 0
    entry_count: int = 0
    byte_count: int = 0

    def walk(self, at: int, prefix: str, depth: int) -> None:
        """Read the notes of an open folder, and of the folders below it, in name order."""
        with os.scandir(at) as entries:
            names = sorted(entry.name for entry in entries)
        self.entry_count += len(names)
        _refuse_above(self.entry_count, MAX_ENTRIES, "files")
        for name in names:
            if reason := _find_bad_character(name):
                self.skip(prefix + repr(name)[1:-1], "bad-name", reason)
            elif name.startswith("."):
                self.hidden_count += 1
            else:
                self.visit_entry(at, name, prefix, depth)

    def visit_entry(self, at: int, name: str, prefix: str, depth: int) -> None:
        """Read one file, or walk through one folder."""
        path = prefix + name
        try:
            mode = os.stat(name, dir_fd=at, follow_symlinks=False).st_mode
        except OSError as error:
            self.skip(path, "read-failed", (error.strerror or "it cannot be read").lower())
            return
        if stat.S_ISDIR(mode):
            self.walk_folder(at, name, path, depth)
        elif app := next((app for end, app in _APP_SUFFIXES.items() if name.endswith(end)), None):
            self.skip(path, app, f"a {app} of another program is not Markdown")
        elif not name.lower().endswith(MARKDOWN_SUFFIXES):
            self.attachment_count += 1
        elif stat.S_ISLNK(mode):
            self.skip(path, "symlink", "links are not followed")
        elif self.is_wanted(path):
            self.read_note(at, name, path)

    def walk_folder(self, at: int, name: str, path: str, depth: int) -> None:
        """Walk through a folder that may contain notes."""
        if name in _SKIPPED_FOLDERS:
            return
        if path.lower() in self.templates:
            self.skip(path, "templates", "a folder of templates")
            return
        if depth == MAX_DEPTH:
            self.skip(path, "too-deep", f"folders are read {MAX_DEPTH} levels deep")
            return
        try:
            inner = os.open(name, _FOLDER_FLAGS, dir_fd=at)
        except OSError as error:
            self.skip(path, "no-permission", (error.strerror or "it cannot be read").lower())
            return
        try:
            status = os.fstat(inner)
            if (status.st_dev, status.st_ino) != self.root:
                self.walk(inner, f"{path}/", depth + 1)
        finally:
            os.close(inner)

    def read_note(self, at: int, name: str, path: str) -> None:
        """Read one Markdown file."""
        modified = ""

        def content(_: str) -> bytes:
            nonlocal modified
            status = os.stat(name, dir_fd=at, follow_symlinks=False)
            modified = _format_day(status.st_mtime)
            return atomic_files.read_file_bytes(at, name)

        # with a slash at the end, no name has rules of its own
        read = read_text_or_flaw(f"{path}/", content)
        if isinstance(read, Flaw):
            self.skip(path, read.code, read.message, read.line)
        elif "\0" in read.text:
            self.skip(path, "not-text", "it has NUL bytes")
        else:
            self.byte_count += len(read.text)
            _refuse_above(self.byte_count, MAX_BYTES, "bytes of Markdown")
            text = read.text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
            self.files.append(NoteFile(path, text, modified))
            _refuse_above(len(self.files), MAX_FILES, "Markdown files")
            if self.progress and len(self.files) % 100 == 0:
                self.progress(len(self.files), len(self.files) + 1)

    def skip(self, path: str, code: str, message: str, line: int = 0) -> None:
        """Record a skipped path, and the reason."""
        self.skipped.append(SkippedNote(path, code, message, line))


def read_note_folder(
    path: str,
    root: str | None,
    *,
    name: str = "",
    is_loose: Wanted,
    in_tree: str,
    progress: Progress | None = None,
) -> NoteFolder:
    """Return the notes below a folder, or of one file; nothing is changed.

    Within the tree at `root` (None: no tree) only notes that `is_loose` accepts are read, from the
    source `in_tree`. Raises `Refused` if there is nothing to read, or more than is allowed.
    """
    full = os.path.realpath(path)
    if not os.path.isdir(full) and not os.path.isfile(full):
        raise Refused(f"{path!a} is neither a folder nor a file", hint="name a folder of Markdown")
    real_root = os.path.realpath(root) if root else ""
    is_in_tree = bool(real_root) and _is_within(full, real_root)
    top = real_root if is_in_tree else _find_top(full)
    reader = _FolderReader(
        is_loose if is_in_tree else lambda _: True,
        _folder_identity(root) if root and not is_in_tree else (-1, -1),
        _list_template_folders(top),
        progress,
    )
    try:
        _read_source(reader, top, os.path.relpath(full, top).replace(os.sep, "/"))
    finally:
        if progress:
            progress(1, 1)
    return NoteFolder(
        in_tree if is_in_tree else name or os.path.basename(top) or "notes",
        tuple(reader.files),
        tuple(reader.skipped),
        reader.attachment_count,
        reader.hidden_count,
        is_single_file=os.path.isfile(full),
    )


def _read_source(reader: _FolderReader, top: str, inner: str) -> None:
    """Read the path `inner` below the top of a source."""
    above, _, last = inner.rpartition("/")
    is_file = os.path.isfile(os.path.join(top, inner))
    folder = (above if is_file else inner) if inner != "." else ""
    try:
        with open_folder(top, folder) as at:
            prefix = f"{folder}/" if folder else ""
            if is_file:
                reader.visit_entry(at, last, prefix, 0)
            else:
                reader.walk(at, prefix, 0)
    except OSError as error:
        reason = (error.strerror or "it cannot be read").lower()
        raise Refused(f"{os.path.join(top, inner)!a}: {reason}") from None


def _refuse_above(number: int, limit: int, what: str) -> None:
    if number > limit:
        raise Refused(
            f"the folder has more than {limit:,} {what}", hint="import its folders one by one"
        )


def _find_top(full: str) -> str:
    """Return the top of the vault, notebook or repository that contains a path; else the folder."""
    start = full if os.path.isdir(full) else os.path.dirname(full)
    home, at = os.path.realpath(os.path.expanduser("~")), start
    while at not in {home, os.path.dirname(at)}:
        if any(os.path.lexists(os.path.join(at, marker)) for marker in _TOP_MARKERS):
            return at
        at = os.path.dirname(at)
    return start


def _list_template_folders(top: str) -> frozenset[str]:
    """Return the folders of templates, in lower case, including the one set in Obsidian."""
    with suppress(OSError, ValueError, AttributeError), open_folder(top, ".obsidian") as at:
        content = atomic_files.read_file_bytes(at, "templates.json")
        settings = json.loads(content) if len(content) <= _MAX_SETTINGS_BYTES else {}
        if isinstance(name := settings.get("folder"), str) and name.strip("/ "):
            return _TEMPLATE_FOLDERS | {name.strip("/ ").lower()}
    return _TEMPLATE_FOLDERS


def _folder_identity(path: str) -> tuple[int, int]:
    status = os.stat(path)
    return status.st_dev, status.st_ino


def _is_within(full: str, root: str) -> bool:
    return full == root or full.startswith(f"{root}{os.sep}")


def _find_bad_character(name: str) -> str:
    """Return why a name cannot be used on every system, or an empty string."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return "the name is not UTF-8"
    if "\\" in name:
        return "the name contains a backslash"
    return "the name contains a line break" if "\n" in name else ""


def _format_day(seconds: float) -> str:
    with suppress(ValueError, OverflowError, OSError):
        return datetime.fromtimestamp(seconds, UTC).date().isoformat()
    return "1970-01-01"
