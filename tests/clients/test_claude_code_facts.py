from __future__ import annotations

import pytest

from cortexfs.clients.claude_code_facts import (
    EVENT_VERSIONS,
    UNIVERSAL_EVENTS,
    format_extra_permission_rules,
    format_read_rule,
    list_known_events,
    parse_version,
    project_settings_path,
    user_settings_path,
)
from cortexfs.clients.client_files import ExtraPermission


@pytest.mark.parametrize(
    ("root", "rule"),
    [
        ("/h/u/.cortex/context", "Read(~/.cortex/context/**)"),
        ("/h/u/my notes", "Read(~/my notes/**)"),
        ("/h/user/context", "Read(//h/user/context/**)"),
        ("/h/u", "Read(//h/u/**)"),
        ("/srv/memory/", "Read(//srv/memory/**)"),
        ("/srv/a[b]*?", r"Read(//srv/a\[b\]\*\?/**)"),
    ],
)
def test_a_permission_rule_has_the_path_syntax_of_the_client(root: str, rule: str) -> None:
    assert format_read_rule(root, "/h/u") == rule
    assert format_extra_permission_rules(ExtraPermission.WRITE, root, "/h/u")[0] == rule.replace(
        "Read(", "Edit("
    )
    commands = format_extra_permission_rules(ExtraPermission.COMMANDS, root, "/h/u")
    assert commands == ("Bash(cortexfs:*)", "mcp__cortexfs")


def test_the_environment_decides_the_settings_path() -> None:
    assert user_settings_path("/h", {}) == "/h/.claude/settings.json"
    assert user_settings_path("/h", {"CLAUDE_CONFIG_DIR": ""}) == "/h/.claude/settings.json"
    assert user_settings_path("/h", {"CLAUDE_CONFIG_DIR": "/c"}) == "/c/settings.json"
    assert project_settings_path("/p") == "/p/.claude/settings.local.json"


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("2.1.330 (Claude Code)\n", (2, 1, 330)),
        ("1.0.128 (Claude Code)", (1, 0, 128)),
        ("v3.0", (3, 0)),
        ("", None),
        ("error: not found", None),
        ("²·1", None),
    ],
)
def test_a_version_is_parsed_or_unknown(text: str, version: tuple[int, ...] | None) -> None:
    assert parse_version(text) == version


@pytest.mark.parametrize("version", [None, (1, 0, 128), (2, 0), (2, 0, 42)])
def test_an_old_or_unknown_client_gets_the_universal_events(
    version: tuple[int, ...] | None,
) -> None:
    assert list_known_events(version) == UNIVERSAL_EVENTS


def test_newer_clients_know_more_events() -> None:
    assert list_known_events((2, 0, 43)) - UNIVERSAL_EVENTS == {"SubagentStart"}
    assert "PostCompact" in list_known_events((2, 1, 112))
    assert len(list_known_events((2, 1, 330))) == 33
    assert list_known_events((3, 0)) == UNIVERSAL_EVENTS | EVENT_VERSIONS.keys()
