"""The files that a tool call has edited, as paths that mean the same in each session."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.access_events.payloads.tilde_paths import join_path
from cortexfs.core.access_events.tool_call import UNKNOWN_CWD, text_field
from cortexfs.core.guards.codex_patch import BEGIN, parse_entered_folder, parse_patch

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cortexfs.core.process_events.client_event import ClientEvent

MAX_PATHS = 50
"""Maximum edited files of one call that are recorded."""

_EDIT_TOOLS = {"Edit", "Write", "MultiEdit", "NotebookEdit", "write_file", "replace"}
_EDIT_TOOLS |= {"edit", "write", "multiedit"}
_PATCH_TOOLS = {"apply_patch", "patch"}


class WorkingFolder(NamedTuple):
    """The project that an agent in a folder works on, and the repository around the folder.

    Both are empty if there is none.
    """

    project: str = ""
    repository: str = ""


class Places(NamedTuple):
    """The paths of the tree and of the user's home, and a function that finds a working folder."""

    roots: tuple[str, ...]
    homes: tuple[str, ...]
    locate: Callable[[str], WorkingFolder]


def list_edited_paths(event: ClientEvent, places: Places) -> tuple[str, ...]:
    """Return the edited files: relative to the repository, else to the working folder or home.

    Files of the tree are left out: its history has them.
    """
    every = list(islice(_iter_edited_files(event, places), MAX_PATHS))
    if not every:
        return ()
    folder = places.locate(event.cwd).repository
    bases = [base for base in (folder, event.cwd) if base.startswith("/")]
    shown = (
        _shorten(path, bases, places.homes)
        for path in every
        if path != UNKNOWN_CWD and not any(_is_below(path, root) for root in places.roots)
    )
    return tuple(dict.fromkeys(shown))


def _iter_edited_files(event: ClientEvent, places: Places) -> Iterator[str]:
    """Yield the absolute path of each edited file, `UNKNOWN_CWD` for one without."""
    command = text_field(event.tool_input, "command") or text_field(event.tool_input, "input")
    if event.tool in _EDIT_TOOLS:
        path = text_field(event.tool_input, "file_path")
        path = path or text_field(event.tool_input, "notebook_path")
        if event.client == "claude-code" and path.startswith("~/") and places.homes:
            path = places.homes[0] + path[1:]
        if path:
            yield join_path(event.cwd, path)
    elif BEGIN in command and (event.tool in _PATCH_TOOLS or event.shell_command):
        cwd = join_path(event.cwd, parse_entered_folder(command) or ".")
        for file in parse_patch(command):
            yield from (join_path(cwd, path) for path in (file.path, file.new_path) if path)


def _shorten(path: str, bases: list[str], homes: tuple[str, ...]) -> str:
    for base in bases:
        if _is_below(path, base):
            return path[len(base.rstrip("/")) + 1 :]
    for home in homes:
        if _is_below(path, home):
            return f"~/{path[len(home.rstrip('/')) + 1 :]}"
    return path


def _is_below(path: str, folder: str) -> bool:
    return path.startswith(f"{folder.rstrip('/')}/") and folder.strip("/") != ""
