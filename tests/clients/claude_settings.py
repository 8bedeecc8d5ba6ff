"""Settings with our entries in them, and what installing means in plain objects."""

from __future__ import annotations

import copy
import json
from typing import Any

from cortexfs.clients.claude_code_facts import READ_TOOLS, WRITE_TOOLS
from cortexfs.clients.client_entries import ClientEntries, HookEntry

COMMAND = (
    "/usr/bin/python3 -I -S /h/.cortex/hooks/note_event.py /h/spool .cortex/x -- true || exit 0"
)
GUARD = (
    "/usr/bin/python3 -I -S /h/.cortex/hooks/guard.py /h/.cortex/context .cortex/x -- /p || exit 0"
)
RULE = "Read(~/.cortex/context/**)"
NOTE_HOOK = HookEntry("PostToolUse", COMMAND, READ_TOOLS)
GUARD_HOOK = HookEntry("PostToolUse", GUARD, WRITE_TOOLS)
WIRING = ClientEntries(
    (HookEntry("PreToolUse", GUARD, WRITE_TOOLS), NOTE_HOOK, GUARD_HOOK), (RULE,)
)
OTHERS = {"matcher": "Bash", "hooks": [{"type": "command", "command": "audit"}]}


def parse_plain(text: str | None) -> Any:
    return json.loads((text or "").removeprefix("\ufeff"))


def merge_plain(settings: dict[str, Any]) -> dict[str, Any]:
    """Say with plain objects what installing does."""
    settings = copy.deepcopy(settings)
    for entry in WIRING.entries:
        settings.setdefault("hooks", {}).setdefault(entry.event, []).append(entry.settings_group)
    allow = settings.setdefault("permissions", {}).setdefault("allow", [])
    if RULE not in allow:
        allow.append(RULE)
    return settings
