"""The files that make up the setup of a client, as values: places, formats and our entries."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.clients.edit_json_settings import PLAIN, JsonFormat

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from cortexfs.clients.client_entries import ClientEntries

SERVER_NAME = "cortexfs"
"""The name of our MCP server in each client."""
BRIEF_TOOL = "cortex_brief"


class ExtraPermission(StrEnum):
    """A permission for agents beyond reading the tree."""

    WRITE = "write"
    COMMANDS = "commands"


class SetupOption(StrEnum):
    """A part of a setup that is installed only on request."""

    PLUGIN = "plugin"
    INSTRUCTIONS = "instructions"


class OwnCommands(NamedTuple):
    """What a client is to run, and for which tree.

    `note`, `flush` and `guard` are shell commands, `inject` is one with the client's name after
    `--client=`; `server` are the words of the MCP server.
    """

    root: str
    home: str
    note: str
    flush: str
    guard: str
    inject: str
    server: tuple[str, ...]

    @property
    def server_with_brief(self) -> tuple[str, ...]:
        """The words of a server that also offers the bulletin: for a client without hooks."""
        *words, tools = self.server
        return (*words, f"{tools},{BRIEF_TOOL}")

    def inject_for(self, client: str) -> str:
        """Return the command that gives a session what the tree has prepared for it."""
        return self.inject.replace("--client=", f"--client={client}", 1)


class OwnTexts(NamedTuple):
    """Texts of the package that a client may get: instructions, and the plugin of OpenCode."""

    instructions: str
    plugin: str


class JsonFile(NamedTuple):
    """A JSON settings file, its entries, and those that a permission adds.

    `preferred_path` is used instead of `path` if that file exists.
    """

    path: str
    entries: ClientEntries
    permitted: Mapping[ExtraPermission, ClientEntries] = {}
    form: JsonFormat = PLAIN
    preferred_path: str = ""


class TomlFile(NamedTuple):
    """A TOML settings file with one table of ours."""

    path: str
    table: tuple[str, ...]
    values: Mapping[str, str | list[str]]


class OwnFile(NamedTuple):
    """A file that is ours alone, installed with an option or a permission."""

    path: str
    text: str
    needs: SetupOption | ExtraPermission


class MarkedFile(NamedTuple):
    """A Markdown file with one block of ours between marks."""

    path: str
    text: str
    needs: SetupOption


ClientFile = JsonFile | TomlFile | OwnFile | MarkedFile


class Client(NamedTuple):
    """One client: its name and title, its files, what may be allowed, and what else to do.

    `list_known_events` returns the hook events that a version of the client certainly knows (None:
    an unknown version); `program` prints that version.
    """

    name: str
    title: str
    list_files: Callable[[OwnCommands, OwnTexts, Mapping[str, str]], tuple[ClientFile, ...]]
    next_step: str = ""
    permissions: tuple[ExtraPermission, ...] = ()
    options: tuple[SetupOption, ...] = ()
    program: str = ""
    list_known_events: Callable[[tuple[int, ...] | None], Collection[str]] | None = None


def keep_known_events(file: ClientFile, known: Collection[str]) -> ClientFile:
    """Return a file without the hooks for other events: one unknown name can break the file."""
    if not isinstance(file, JsonFile):
        return file
    hooks = tuple(entry for entry in file.entries.entries if entry.event in known)
    return file._replace(entries=file.entries._replace(entries=hooks))
