"""The entries that cortexfs adds to a client's settings, as values."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.clients.claude_code_facts import HOOK_TIMEOUT_S

if TYPE_CHECKING:
    from cortexfs.clients.json_nodes import JsonValue


class HookEntry(NamedTuple):
    """One hook: the event and the tools (empty: all) for which a command runs."""

    event: str
    command: str
    matcher: str = ""

    @property
    def settings_group(self) -> dict[str, JsonValue]:
        """The group that represents it in the settings."""
        hook: JsonValue = {"type": "command", "command": self.command, "timeout": HOOK_TIMEOUT_S}
        matcher: dict[str, JsonValue] = {"matcher": self.matcher} if self.matcher else {}
        return {**matcher, "hooks": [hook]}


class HookSettings(NamedTuple):
    """The entries of a settings file: hooks, and permission rules."""

    entries: tuple[HookEntry, ...]
    rules: tuple[str, ...] = ()

    @property
    def groups_by_event(self) -> dict[str, list[dict[str, JsonValue]]]:
        """Return the groups of each event, in order."""
        found: dict[str, list[dict[str, JsonValue]]] = {}
        for entry in self.entries:
            found.setdefault(entry.event, []).append(entry.settings_group)
        return found
