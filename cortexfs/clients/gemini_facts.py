"""Facts about Gemini CLI: its settings file and hooks (seen in version 0.61.0)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.clients.client_entries import ClientEntries, HookEntry, KeyedValue
from cortexfs.clients.client_files import (
    SERVER_NAME,
    ExtraPermission,
    JsonFile,
    MarkedFile,
    SetupOption,
)
from cortexfs.clients.edit_json_settings import JsonFormat

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cortexfs.clients.client_files import ClientFile, OwnCommands, OwnTexts
    from cortexfs.clients.json_nodes import JsonValue

READ_TOOLS = "read_file|grep_search|run_shell_command"
WRITE_TOOLS = "write_file|replace"
TIMEOUT_MS = 10_000
"""Milliseconds, where the other clients count seconds."""

NEXT_STEP = (
    "Gemini CLI runs hooks and MCP servers only in folders that you trust: "
    "answer its question, or type /permissions"
)


def list_files(
    commands: OwnCommands, texts: OwnTexts, _environ: Mapping[str, str]
) -> tuple[ClientFile, ...]:
    """Return the files of the setup: hooks, the tree's folder, the MCP server, instructions.

    Without the folder its tools refuse to read the tree. It understands `~` there.
    """
    folder = f"{commands.home}/.gemini"
    program, *arguments = commands.server
    server: dict[str, JsonValue] = {"command": program, "args": [*arguments]}
    path = ("mcpServers", SERVER_NAME)
    return (
        JsonFile(
            f"{folder}/settings.json",
            ClientEntries(
                _list_hooks(commands),
                (commands.root,),
                (KeyedValue(path, server),),
                rules_path=("context", "includeDirectories"),
            ),
            {
                ExtraPermission.COMMANDS: ClientEntries(
                    values=(KeyedValue(path, {**server, "trust": True}),),
                )
            },
            JsonFormat(comments=True),
        ),
        MarkedFile(f"{folder}/GEMINI.md", texts.instructions, SetupOption.INSTRUCTIONS),
    )


def _list_hooks(commands: OwnCommands) -> tuple[HookEntry, ...]:
    inject = commands.inject_for("gemini")
    return (
        _make_hook("SessionStart", inject),
        _make_hook("BeforeAgent", inject),
        _make_hook("BeforeTool", commands.guard, WRITE_TOOLS),
        _make_hook("AfterTool", commands.note, READ_TOOLS),
        _make_hook("AfterTool", commands.guard, WRITE_TOOLS),
        _make_hook("AfterAgent", commands.flush),
        _make_hook("SessionEnd", commands.flush),
    )


def _make_hook(event: str, command: str, matcher: str = "") -> HookEntry:
    return HookEntry(event, command, matcher, TIMEOUT_MS)
