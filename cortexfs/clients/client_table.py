"""The clients that `setup` knows, one row each; to add one, add its row and its facts."""

from __future__ import annotations

from cortexfs.clients import (
    claude_code_facts,
    codex_facts,
    editor_facts,
    gemini_facts,
    opencode_facts,
)
from cortexfs.clients.client_files import Client, ExtraPermission, SetupOption

_WRITE, _COMMANDS = ExtraPermission.WRITE, ExtraPermission.COMMANDS
_PLUGIN, _INSTRUCTIONS = SetupOption.PLUGIN, SetupOption.INSTRUCTIONS

_ROWS = (
    Client(
        "claude-code",
        "Claude Code",
        claude_code_facts.list_files,
        permissions=(_WRITE, _COMMANDS),
        options=(_INSTRUCTIONS,),
        program="claude",
        list_known_events=claude_code_facts.list_known_events,
    ),
    Client(
        "codex",
        "Codex",
        codex_facts.list_files,
        codex_facts.NEXT_STEP,
        (_COMMANDS,),
        (_INSTRUCTIONS,),
    ),
    Client(
        "gemini",
        "Gemini CLI",
        gemini_facts.list_files,
        gemini_facts.NEXT_STEP,
        (_COMMANDS,),
        (_INSTRUCTIONS,),
    ),
    Client(
        "opencode",
        "OpenCode",
        opencode_facts.list_files,
        opencode_facts.NEXT_STEP,
        (_COMMANDS,),
        (_PLUGIN, _INSTRUCTIONS),
    ),
    Client(
        "cursor",
        "Cursor",
        editor_facts.list_cursor_files,
        editor_facts.NEXT_STEPS["cursor"],
    ),
    Client(
        "vscode",
        "VS Code",
        editor_facts.list_vscode_files,
        editor_facts.NEXT_STEPS["vscode"],
    ),
    Client(
        "windsurf",
        "Windsurf",
        editor_facts.list_windsurf_files,
        editor_facts.NEXT_STEPS["windsurf"],
    ),
)

CLIENTS = {client.name: client for client in _ROWS}
"""Each client by the name that `setup` takes."""
