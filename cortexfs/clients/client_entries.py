"""The entries that cortexfs adds to a client's settings, as values."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from cortexfs.clients.json_nodes import JsonPath, JsonValue

HOOK_TIMEOUT_S = 10
"""Seconds; a hook needs milliseconds, but the clients' defaults are minutes."""

ALLOW_PATH: JsonPath = ("permissions", "allow")
"""The list of Claude Code's permission rules."""


class HookEntry(NamedTuple):
    """One hook: the event and the tools (empty: all) for which a command runs.

    `timeout` is in the unit of the client.
    """

    event: str
    command: str
    matcher: str = ""
    timeout: int = HOOK_TIMEOUT_S

    @property
    def settings_group(self) -> dict[str, JsonValue]:
        """The group that represents it in the settings."""
        hook: JsonValue = {"type": "command", "command": self.command, "timeout": self.timeout}
        matcher: dict[str, JsonValue] = {"matcher": self.matcher} if self.matcher else {}
        return {**matcher, "hooks": [hook]}


class KeyedValue(NamedTuple):
    """One value at a path of keys, such as an MCP server at `("mcpServers", "cortexfs")`."""

    path: JsonPath
    value: JsonValue


class ClientEntries(NamedTuple):
    """The entries of a settings file: hooks, strings of one list, and values at paths."""

    entries: tuple[HookEntry, ...] = ()
    rules: tuple[str, ...] = ()
    values: tuple[KeyedValue, ...] = ()
    rules_path: JsonPath = ALLOW_PATH

    @property
    def groups_by_event(self) -> dict[str, list[dict[str, JsonValue]]]:
        """Return the groups of each event, in order."""
        found: dict[str, list[dict[str, JsonValue]]] = {}
        for entry in self.entries:
            found.setdefault(entry.event, []).append(entry.settings_group)
        return found

    @property
    def paths(self) -> list[JsonPath]:
        """Return the paths of the settings that these entries concern."""
        return [("hooks",), self.rules_path, *(each.path for each in self.values)]
