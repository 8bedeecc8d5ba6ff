"""Find and read the memory files of clients: regular files below the client's folder, no links."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.bridge.parse_client_memories import (
    CODEX_DERIVED_NAMES,
    INDEX_NAME,
    ClientMemoryFile,
    MemoryClient,
    encode_folder,
)
from cortexfs.core.stores.stored_values import BrokenEntry
from cortexfs.errors import OutsideTree, Refused
from cortexfs.tree import atomic_files
from cortexfs.tree.safe_open import open_folder

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

MAX_FILE_BYTES = 1024 * 1024
MAX_FILES = 10_000
_PROJECTS, _MEMORY, _MEMORIES = "projects", "memory", "memories"
_GEMINI_FILE = "GEMINI.md"


class ClientFiles(NamedTuple):
    """The memory files of a client, and those that could not be read."""

    files: tuple[ClientMemoryFile, ...] = ()
    broken: tuple[BrokenEntry, ...] = ()


class ClientTarget(NamedTuple):
    """The memory file of a client that may get a digest: its path, and its text (None: none)."""

    client: MemoryClient
    path: str
    text: str | None


def find_client_home(client: MemoryClient, environ: Mapping[str, str]) -> str:
    """Return the folder of a client, which need not exist."""
    home = os.path.expanduser("~")
    if client is MemoryClient.CLAUDE_CODE:
        return environ.get("CLAUDE_CONFIG_DIR") or f"{home}/.claude"
    if client is MemoryClient.CODEX:
        return environ.get("CODEX_HOME") or f"{home}/.codex"
    return f"{home}/.gemini"


def read_client_memories(client: MemoryClient, environ: Mapping[str, str]) -> ClientFiles:
    """Return the memory files of a client; empty if it has none."""
    home = find_client_home(client, environ)
    if not os.path.isdir(home):
        return ClientFiles()
    files, broken = list[ClientMemoryFile](), list[BrokenEntry]()
    for inner in _iter_paths(client, home):
        place = _shorten(f"{home}/{inner}")
        if len(files) == MAX_FILES:
            broken.append(BrokenEntry(place, f"only {MAX_FILES:,} files are read"))
            break
        text = _read_text(home, inner)
        if isinstance(text, BrokenEntry):
            broken.append(text._replace(place=place))
        elif text is not None:
            is_claude = client is MemoryClient.CLAUDE_CODE
            files.append(
                ClientMemoryFile(client, place, text, inner.split("/")[1] if is_claude else "")
            )
    return ClientFiles(tuple(files), tuple(broken))


def read_client_target(
    client: MemoryClient, environ: Mapping[str, str], folder: str
) -> ClientTarget | None:
    """Return the file that gets a client's digest; None if the client does not know the folder.

    `folder` is that of the user's project. Raises `Refused` if the file is a link, or not text.
    """
    home = find_client_home(client, environ)
    inner = {
        MemoryClient.CLAUDE_CODE: f"{_PROJECTS}/{encode_folder(folder)}/{_MEMORY}/{INDEX_NAME}",
        MemoryClient.CODEX: f"{_MEMORIES}/{INDEX_NAME}",
        MemoryClient.GEMINI: _GEMINI_FILE,
    }[client]
    is_claude = client is MemoryClient.CLAUDE_CODE
    known = f"{home}/{_PROJECTS}/{encode_folder(folder)}" if is_claude else home
    if not os.path.isdir(known):
        return None
    text = _read_text(home, inner)
    if isinstance(text, BrokenEntry):
        raise Refused(f"{home}/{inner}: {text.message}", hint="replace it with a file first")
    return ClientTarget(client, f"{home}/{inner}", text)


def find_project_folder(cwd: str) -> str:
    """Return the repository that contains the working directory, else the directory itself."""
    at = os.path.realpath(cwd)
    while not os.path.lexists(os.path.join(at, ".git")):
        if at == os.path.dirname(at):
            return os.path.realpath(cwd)
        at = os.path.dirname(at)
    return at


def _iter_paths(client: MemoryClient, home: str) -> Iterator[str]:
    """Yield the paths below a client's home of the files that may hold memories."""
    if client is MemoryClient.GEMINI:
        yield _GEMINI_FILE
    elif client is MemoryClient.CODEX:
        names = _list_markdown(home, _MEMORIES)
        yield from (f"{_MEMORIES}/{name}" for name in names if name not in CODEX_DERIVED_NAMES)
    else:
        for folder in _list_names(home, _PROJECTS):
            inner = f"{_PROJECTS}/{folder}/{_MEMORY}"
            yield from (f"{inner}/{name}" for name in _list_markdown(home, inner))


def _list_markdown(home: str, folder: str) -> list[str]:
    names = _list_names(home, folder)
    return [name for name in names if name.endswith(".md") and not name.startswith(".")]


def _list_names(home: str, folder: str) -> list[str]:
    """Return the names in a folder, without those that are not UTF-8; empty if there is none."""
    with suppress(OSError, OutsideTree), open_folder(home, folder) as at:
        return sorted(name for name in os.listdir(at) if name.isprintable() and "\\" not in name)
    return []


def _read_text(home: str, inner: str) -> str | BrokenEntry | None:
    """Return the text of a file with its line ends; None if there is none."""
    folder, _, name = inner.rpartition("/")
    try:
        with open_folder(home, folder) as at:
            content = atomic_files.read_file_bytes(at, name, MAX_FILE_BYTES)
        return content.decode()
    except FileNotFoundError:
        return None
    except UnicodeDecodeError:
        return BrokenEntry(inner, "it is not UTF-8")
    except atomic_files.FileTooLarge:
        return BrokenEntry(inner, "it is larger than 1 MiB")
    except (OSError, OutsideTree):
        return BrokenEntry(inner, "it is not a regular file, or not readable")


def _shorten(path: str) -> str:
    """Return a path with `~` for the home folder."""
    home = os.path.expanduser("~")
    return f"~{path.removeprefix(home)}" if path.startswith(f"{home}/") else path
