"""Facts about Claude Code: its settings files, tool and event names, and their versions."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
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

READ_TOOLS = "Read|Grep|Glob|Bash"
"""The tools that show files; newer clients have no Grep and search through Bash."""

WRITE_TOOLS = "Edit|Write|MultiEdit"
"""The tools that write files; only older clients have MultiEdit."""

_UNIVERSAL_NAMES = """PreToolUse PostToolUse Notification UserPromptSubmit SessionStart SessionEnd
    Stop SubagentStop PreCompact"""

_NEWEST_NAMES = """PostToolBatch UserPromptExpansion StopFailure PreModelSwitch PostModelSwitch
    PermissionRequest PermissionDenied Setup TeammateIdle TaskCreated TaskCompleted Elicitation
    ElicitationResult ConfigChange WorktreeCreate WorktreeRemove InstructionsLoaded CwdChanged
    FileChanged DirectoryAdded MessageDisplay"""

UNIVERSAL_EVENTS = frozenset(_UNIVERSAL_NAMES.split())
"""Events known to every client.

One unknown event makes 1.x and 2.0.x ignore the whole settings file.
"""

EVENT_VERSIONS = dict.fromkeys(_NEWEST_NAMES.split(), (2, 1, 330)) | {
    "SubagentStart": (2, 0, 43),
    "PostToolUseFailure": (2, 1),
    "PostCompact": (2, 1, 76),
}
"""The first version in which each other event was seen; some may be older."""


TOOLS_RULE = f"mcp__{SERVER_NAME}"
"""The rule that lets agents call the tools of our MCP server."""


def list_files(
    commands: OwnCommands, texts: OwnTexts, environ: Mapping[str, str]
) -> tuple[ClientFile, ...]:
    """Return the files of the setup: hooks and rules, the MCP server, and instructions.

    The hooks are those for the newest version: see `list_known_events`.
    """
    root, home = commands.root, commands.home
    folder = environ.get("CLAUDE_CONFIG_DIR") or f"{home}/.claude"
    hooks = list_hooks(commands)
    program, *arguments = commands.server
    server = KeyedValue(
        ("mcpServers", SERVER_NAME),
        {"type": "stdio", "command": program, "args": [*arguments], "env": {}},
    )
    return (
        JsonFile(
            user_settings_path(home, environ),
            ClientEntries(hooks, (format_read_rule(root, home),)),
            {
                each: ClientEntries(rules=format_extra_permission_rules(each, root, home))
                for each in ExtraPermission
            },
        ),
        JsonFile(
            state_path(home, environ),
            ClientEntries(values=(server,)),
            form=JsonFormat(is_state=True),
        ),
        MarkedFile(f"{folder}/CLAUDE.md", texts.instructions, SetupOption.INSTRUCTIONS),
    )


def list_hooks(commands: OwnCommands) -> tuple[HookEntry, ...]:
    """Return the hooks for the newest version."""
    inject = commands.inject_for("claude-code")
    return (
        HookEntry("SessionStart", inject),
        HookEntry("UserPromptSubmit", inject),
        HookEntry("SubagentStart", inject),
        HookEntry("SubagentStop", inject),
        HookEntry("PreCompact", inject),
        HookEntry("PostToolUseFailure", inject),
        HookEntry("PreToolUse", commands.guard, WRITE_TOOLS),
        HookEntry("PostToolUse", commands.note, READ_TOOLS),
        HookEntry("PostToolUse", commands.guard, WRITE_TOOLS),
        HookEntry("Stop", commands.flush),
        HookEntry("SessionEnd", commands.flush),
    )


def format_read_rule(root: str, home: str) -> str:
    """Return the rule that lets agents read the tree: without it the client asks at every read."""
    return f"Read({_format_folder_pattern(root, home)})"


def format_extra_permission_rules(
    permission: ExtraPermission, root: str, home: str
) -> tuple[str, ...]:
    """Return the rules that let agents write to the tree, or run our commands and tools.

    `Edit` covers the tools Edit, Write and MultiEdit in every version.
    """
    if permission is ExtraPermission.WRITE:
        return (f"Edit({_format_folder_pattern(root, home)})",)
    return "Bash(cortexfs:*)", TOOLS_RULE


def _format_folder_pattern(root: str, home: str) -> str:
    """Return the pattern of everything below a folder: `~/…` in the home, else `//…`."""
    path = PurePosixPath(root)
    inside = path.is_relative_to(home) and path != PurePosixPath(home)
    place = f"~/{path.relative_to(home)}" if inside else f"/{path}"
    return re.sub(r"([\\*?\[\]])", r"\\\1", place) + "/**"


def user_settings_path(home: str, environ: Mapping[str, str]) -> str:
    """Return the path of the user's settings file, whose permissions apply in every project."""
    return (environ.get("CLAUDE_CONFIG_DIR") or f"{home}/.claude") + "/settings.json"


def state_path(home: str, environ: Mapping[str, str]) -> str:
    """Return the path of the file with the user's MCP servers, in which the client keeps much else.

    The newest client writes there on `claude mcp add --scope user`.
    """
    return (environ.get("CLAUDE_CONFIG_DIR") or home) + "/.claude.json"


def project_settings_path(folder: str) -> str:
    """Return the path of the settings file that is one person's own in one project.

    A team shares `settings.json`, but the command contains paths of this machine. The client
    ignores permissions from a project that it does not trust, so the rule goes into the user's
    settings.
    """
    return f"{folder}/.claude/settings.local.json"


def parse_version(text: str) -> tuple[int, ...] | None:
    """Parse the output of `claude --version`: `2.1.330 (Claude Code)` is (2, 1, 330)."""
    found = re.match(r"\s*v?(\d{1,9}(?:\.\d{1,9})+)", text, re.ASCII)
    return tuple(map(int, found[1].split("."))) if found else None


def list_known_events(version: tuple[int, ...] | None) -> frozenset[str]:
    """Return the events that a client of this version certainly knows; None: any client."""
    return UNIVERSAL_EVENTS | {
        event for event, since in EVENT_VERSIONS.items() if version and version >= since
    }
