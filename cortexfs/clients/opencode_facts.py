"""Facts about OpenCode: its settings file and plugins (seen in version 1.18.33)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from cortexfs.clients.client_entries import ClientEntries, KeyedValue
from cortexfs.clients.client_files import (
    SERVER_NAME,
    ExtraPermission,
    JsonFile,
    MarkedFile,
    OwnFile,
    SetupOption,
)
from cortexfs.clients.edit_json_settings import JsonFormat

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cortexfs.clients.client_files import ClientFile, OwnCommands, OwnTexts

INITIAL = '{\n  "$schema": "https://opencode.ai/config.json"\n}\n'
"""A new settings file; the client would add the key itself."""

NEXT_STEP = (
    "reads in OpenCode are counted with --plugin alone; "
    "a plugin delays each start by a minute where npm cannot be reached"
)


def settings_folder(home: str, environ: Mapping[str, str]) -> str:
    """Return the folder of the user's settings."""
    return (environ.get("XDG_CONFIG_HOME") or f"{home}/.config") + "/opencode"


def list_files(
    commands: OwnCommands, texts: OwnTexts, environ: Mapping[str, str]
) -> tuple[ClientFile, ...]:
    """Return the files of the setup: the MCP server, permissions, a plugin, instructions.

    Without the permission all tools refuse the tree, and a run without a terminal ends.
    """
    folder = settings_folder(commands.home, environ)
    server = KeyedValue(
        ("mcp", SERVER_NAME),
        {"type": "local", "command": [*commands.server_with_brief], "enabled": True},
    )  # without the plugin there are no hooks
    read = KeyedValue(("permission", "external_directory", f"{commands.root}/**"), "allow")
    run = KeyedValue(("permission", "bash", "cortexfs *"), "allow")
    return (
        JsonFile(
            f"{folder}/opencode.json",
            ClientEntries(values=(server, read)),
            {ExtraPermission.COMMANDS: ClientEntries(values=(run,))},
            JsonFormat(comments=True, initial=INITIAL),
            f"{folder}/opencode.jsonc",
        ),
        OwnFile(
            f"{folder}/plugins/cortexfs.js",
            format_plugin(texts.plugin, commands),
            SetupOption.PLUGIN,
        ),
        MarkedFile(f"{folder}/AGENTS.md", texts.instructions, SetupOption.INSTRUCTIONS),
    )


def format_plugin(template: str, commands: OwnCommands) -> str:
    """Return the plugin's text with the commands that it runs."""
    for name, command in (
        ("NOTE", commands.note),
        ("FLUSH", commands.flush),
        ("GUARD", commands.guard),
        ("INJECT", commands.inject_for("opencode")),
    ):
        template = template.replace(f'"@{name}@"', json.dumps(command, ensure_ascii=False))
    return template
