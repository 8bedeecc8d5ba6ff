"""Facts about editors that read MCP servers from a file, and have no hooks: from their manuals."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from cortexfs.clients.client_entries import ClientEntries, KeyedValue
from cortexfs.clients.client_files import SERVER_NAME, JsonFile
from cortexfs.clients.edit_json_settings import JsonFormat

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cortexfs.clients.client_files import ClientFile, OwnCommands, OwnTexts
    from cortexfs.clients.json_nodes import JsonValue

NEXT_STEPS = {
    "cursor": "Cursor asks before each call of a tool, unless you allow the server in its settings",
    "vscode": "VS Code asks whether you trust the server when it starts it for the first time",
    "windsurf": "Windsurf starts the server after you press the refresh button of its MCP panel",
}


def list_cursor_files(
    commands: OwnCommands, _texts: OwnTexts, _environ: Mapping[str, str]
) -> tuple[ClientFile, ...]:
    """Return the file of Cursor's MCP servers for all projects."""
    return (_make_file(f"{commands.home}/.cursor/mcp.json", "mcpServers", commands),)


def list_vscode_files(
    commands: OwnCommands, _texts: OwnTexts, environ: Mapping[str, str]
) -> tuple[ClientFile, ...]:
    """Return the file of VS Code's MCP servers in the user's default profile."""
    folder = f"{environ.get('XDG_CONFIG_HOME') or f'{commands.home}/.config'}/Code"
    if sys.platform == "darwin":
        folder = f"{commands.home}/Library/Application Support/Code"
    return (_make_file(f"{folder}/User/mcp.json", "servers", commands, type="stdio"),)


def list_windsurf_files(
    commands: OwnCommands, _texts: OwnTexts, _environ: Mapping[str, str]
) -> tuple[ClientFile, ...]:
    """Return the file of Windsurf's MCP servers."""
    path = f"{commands.home}/.codeium/windsurf/mcp_config.json"
    return (_make_file(path, "mcpServers", commands),)


def _make_file(path: str, key: str, commands: OwnCommands, **more: JsonValue) -> JsonFile:
    program, *arguments = commands.server_with_brief
    server: dict[str, JsonValue] = {**more, "command": program, "args": [*arguments]}
    entries = ClientEntries(values=(KeyedValue((key, SERVER_NAME), server),))
    return JsonFile(path, entries, form=JsonFormat(comments=True))
