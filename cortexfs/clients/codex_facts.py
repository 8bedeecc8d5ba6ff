"""Facts about Codex: its settings files, hooks and rules (seen in version 0.169.0)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.clients.client_entries import ClientEntries, HookEntry
from cortexfs.clients.client_files import (
    SERVER_NAME,
    ExtraPermission,
    JsonFile,
    MarkedFile,
    OwnFile,
    SetupOption,
    TomlFile,
)
from cortexfs.clients.edit_json_settings import JsonFormat

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cortexfs.clients.client_files import ClientFile, OwnCommands, OwnTexts

SHELL_TOOL = "Bash"
"""The hooks' name of the one tool that shows files."""

PATCH_TOOL = "apply_patch"
WRITE_TOOLS = f"{SHELL_TOOL}|{PATCH_TOOL}"
"""The tools that write: a patch is a command of the shell, or a tool of its own."""

KNOWN_KEYS = ("description", "hooks")
"""The keys that hooks.json may have: with any other, all of its hooks are ignored."""

COMMAND_RULE = """\
# Written by `cortexfs setup codex --allow-commands`; `--remove` removes it.
prefix_rule(pattern = ["cortexfs"], decision = "allow")
"""

NEXT_STEP = "Codex skips new hooks until you approve them: open it and type /hooks"


def list_files(
    commands: OwnCommands, texts: OwnTexts, environ: Mapping[str, str]
) -> tuple[ClientFile, ...]:
    """Return the files of the setup: hooks, the MCP server, a rule for commands, instructions."""
    folder = environ.get("CODEX_HOME") or f"{commands.home}/.codex"
    program, *arguments = commands.server
    return (
        JsonFile(
            f"{folder}/hooks.json",
            ClientEntries(_list_hooks(commands)),
            form=JsonFormat(known_keys=KNOWN_KEYS),
        ),
        TomlFile(
            f"{folder}/config.toml",
            ("mcp_servers", SERVER_NAME),
            {"command": program, "args": arguments},
        ),
        OwnFile(f"{folder}/rules/cortexfs.rules", COMMAND_RULE, ExtraPermission.COMMANDS),
        MarkedFile(f"{folder}/AGENTS.md", texts.instructions, SetupOption.INSTRUCTIONS),
    )


def _list_hooks(commands: OwnCommands) -> tuple[HookEntry, ...]:
    inject = commands.inject_for("codex")
    return (
        HookEntry("SessionStart", inject),
        HookEntry("UserPromptSubmit", inject),
        HookEntry("SubagentStart", inject),
        HookEntry("SubagentStop", inject),
        HookEntry("PreCompact", inject),
        HookEntry("PreToolUse", commands.guard, WRITE_TOOLS),
        HookEntry("PostToolUse", commands.note, SHELL_TOOL),
        HookEntry("PostToolUse", inject, PATCH_TOOL),
        HookEntry("Stop", commands.flush),
        HookEntry("SessionEnd", commands.flush, timeout=3),  # the most that Codex allows
    )
