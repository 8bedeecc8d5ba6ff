"""What is to stand in a client's settings, as values."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.clients.claude_code_versions import TIMEOUT

if TYPE_CHECKING:
    from cortexfs.clients.json_splice import Json


class Entry(NamedTuple):
    """One hook: the event and the tools (all, where none are named) at which a command runs."""

    event: str
    command: str
    matcher: str = ""

    @property
    def group(self) -> dict[str, Json]:
        """What stands for it in the settings."""
        hook: Json = {"type": "command", "command": self.command, "timeout": TIMEOUT}
        matcher: dict[str, Json] = {"matcher": self.matcher} if self.matcher else {}
        return {**matcher, "hooks": [hook]}


class Wiring(NamedTuple):
    """What is to stand in a settings file: hooks, and rules of what needs no question."""

    entries: tuple[Entry, ...]
    rules: tuple[str, ...] = ()

    @property
    def events(self) -> dict[str, list[dict[str, Json]]]:
        """Give what is to stand on each event, in order."""
        found: dict[str, list[dict[str, Json]]] = {}
        for entry in self.entries:
            found.setdefault(entry.event, []).append(entry.group)
        return found
