"""What each client gets, in the places and shapes that it reads."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from cortexfs.clients.claude_code_facts import UNIVERSAL_EVENTS, list_known_events
from cortexfs.clients.client_files import (
    JsonFile,
    MarkedFile,
    OwnCommands,
    OwnTexts,
    keep_known_events,
)
from cortexfs.clients.client_table import CLIENTS
from cortexfs.clients.edit_client_file import install_into_file, remove_from_file
from cortexfs.errors import Refused

if TYPE_CHECKING:
    from cortexfs.clients.client_files import ClientFile

SERVER = ("/usr/bin/python3", "-I", "-m", "cortexfs", "mcp", "--tools", "agent")
WITH_BRIEF = [*SERVER[1:-1], "agent,cortex_brief"]
SCRIPTS = "/usr/bin/python3 -I -S /h/.cortex/hooks"
COMMANDS = OwnCommands(
    "/h/.cortex/context",
    "/h",
    note=f"{SCRIPTS}/note_event.py /h/spool .cortex/context -- drain || exit 0",
    flush=f"{SCRIPTS}/note_event.py --flush /h/spool -- drain || exit 0",
    guard=f"{SCRIPTS}/guard.py /h .cortex/context -- /p || exit 0",
    inject=f"{SCRIPTS}/inject_context.py --client= /h/spool /h -- drain || exit 0",
    server=SERVER,
)
TEXTS = OwnTexts("When to save.", 'const NOTE = "@NOTE@"\nconst GUARD = "@GUARD@" // "@FLUSH@"\n')
ALL = ["write", "commands", "plugin", "instructions"]


def list_files(name: str, **environ: str) -> dict[str, ClientFile]:
    return {file.path: file for file in CLIENTS[name].list_files(COMMANDS, TEXTS, environ)}


def install(file: ClientFile, text: str | None = None, *chosen: str) -> str | None:
    return install_into_file(file, text, None, chosen).text


def read_json(name: str, path: str, *chosen: str) -> Any:
    return json.loads(install(list_files(name)[path], None, *chosen) or "")


PLACES = {
    "claude-code": ["/h/.claude/settings.json", "/h/.claude.json", "/h/.claude/CLAUDE.md"],
    "codex": [
        "/h/.codex/hooks.json",
        "/h/.codex/config.toml",
        "/h/.codex/rules/cortexfs.rules",
        "/h/.codex/AGENTS.md",
    ],
    "gemini": ["/h/.gemini/settings.json", "/h/.gemini/GEMINI.md"],
    "opencode": [
        "/h/.config/opencode/opencode.json",
        "/h/.config/opencode/plugins/cortexfs.js",
        "/h/.config/opencode/AGENTS.md",
    ],
    "cursor": ["/h/.cursor/mcp.json"],
    "windsurf": ["/h/.codeium/windsurf/mcp_config.json"],
}
MOVED = [
    ("claude-code", "CLAUDE_CONFIG_DIR", ["/c/settings.json", "/c/.claude.json", "/c/CLAUDE.md"]),
    ("codex", "CODEX_HOME", ["/c/hooks.json", "/c/config.toml"]),
    ("opencode", "XDG_CONFIG_HOME", ["/c/opencode/opencode.json"]),
]


@pytest.mark.parametrize(("name", "places"), PLACES.items())
def test_each_client_has_its_files(name: str, places: list[str]) -> None:
    assert list(list_files(name)) == places


@pytest.mark.parametrize(("name", "variable", "places"), MOVED)
def test_a_variable_of_the_client_moves_its_files(
    name: str, variable: str, places: list[str]
) -> None:
    assert list(list_files(name, **{variable: "/c"}))[: len(places)] == places


@pytest.mark.parametrize(
    ("version", "more"),
    [
        (None, set()),
        ((2, 0, 42), set()),
        ((2, 0, 77), {"SubagentStart"}),
        ((2, 1, 330), {"SubagentStart", "PostToolUseFailure"}),
    ],
)
def test_claude_code_gets_only_events_that_its_version_knows(
    version: tuple[int, ...] | None, more: set[str]
) -> None:
    file = list_files("claude-code")["/h/.claude/settings.json"]
    kept = keep_known_events(file, list_known_events(version))
    assert isinstance(kept, JsonFile)
    assert kept.entries.groups_by_event.keys() - UNIVERSAL_EVENTS == more
    assert {"SessionStart", "UserPromptSubmit", "PreCompact", "Stop"} <= set(
        kept.entries.groups_by_event
    )


@pytest.mark.parametrize("name", ["claude-code", "codex", "gemini"])
def test_a_session_gets_context_in_the_form_of_its_client(name: str) -> None:
    (file,) = (
        each
        for each in list_files(name).values()
        if isinstance(each, JsonFile) and each.entries.entries
    )
    (start,) = file.entries.groups_by_event["SessionStart"]
    assert f"--client={name} " in json.dumps(start)


def test_claude_code_gets_the_server_as_it_writes_it_itself() -> None:
    server = {"type": "stdio", "command": SERVER[0], "args": [*SERVER[1:]], "env": {}}
    assert read_json("claude-code", "/h/.claude.json") == {"mcpServers": {"cortexfs": server}}


def test_claude_code_may_run_commands_and_tools_on_request() -> None:
    path = "/h/.claude/settings.json"
    read = ["Read(~/.cortex/context/**)"]
    assert read_json("claude-code", path)["permissions"]["allow"] == read
    more = ["Edit(~/.cortex/context/**)", "Bash(cortexfs:*)", "mcp__cortexfs"]
    assert read_json("claude-code", path, *ALL)["permissions"]["allow"] == read + more


def test_codex_gets_hooks_for_its_shell_and_seconds() -> None:
    hooks = read_json("codex", "/h/.codex/hooks.json")
    assert list(hooks) == ["hooks"]
    assert [group["matcher"] for group in hooks["hooks"]["PostToolUse"]] == [
        "Bash",
        "apply_patch",
    ]
    assert [group["matcher"] for group in hooks["hooks"]["PreToolUse"]] == ["Bash|apply_patch"]
    assert hooks["hooks"]["SessionEnd"][0]["hooks"][0]["timeout"] == 3


def test_a_hooks_file_that_codex_would_ignore_is_refused() -> None:
    file = list_files("codex")["/h/.codex/hooks.json"]
    with pytest.raises(Refused, match="ignores the whole file because of the key `model`"):
        install(file, '{"hooks": {}, "model": "x"}')
    assert install(file, '{"hooks": {}, "description": "x"}')


def test_gemini_gets_milliseconds_and_the_folder_of_the_tree() -> None:
    settings = read_json("gemini", "/h/.gemini/settings.json")
    groups = [group for event in settings["hooks"].values() for group in event]
    assert {hook["timeout"] for group in groups for hook in group["hooks"]} == {10_000}
    assert settings["context"] == {"includeDirectories": ["/h/.cortex/context"]}
    assert "trust" not in settings["mcpServers"]["cortexfs"]
    trusted = read_json("gemini", "/h/.gemini/settings.json", "commands")
    assert trusted["mcpServers"]["cortexfs"]["trust"] is True


def test_opencode_gets_the_permission_for_the_folder_of_the_tree() -> None:
    settings = read_json("opencode", "/h/.config/opencode/opencode.json", "commands")
    assert settings["mcp"]["cortexfs"] == {
        "type": "local",
        "command": [*SERVER[:-1], f"{SERVER[-1]},cortex_brief"],
        "enabled": True,
    }
    assert settings["permission"] == {
        "external_directory": {"/h/.cortex/context/**": "allow"},
        "bash": {"cortexfs *": "allow"},
    }


@pytest.mark.parametrize("value", ['"allow"', '{"external_directory": "allow"}'])
def test_a_wider_permission_of_the_user_is_enough(value: str) -> None:
    file = list_files("opencode")["/h/.config/opencode/opencode.json"]
    new = json.loads(install(file, f'{{"permission": {value}}}') or "")
    assert new["permission"] == json.loads(value)


def test_the_plugin_of_opencode_runs_our_commands() -> None:
    file = list_files("opencode")["/h/.config/opencode/plugins/cortexfs.js"]
    text = install(file, None, "plugin") or ""
    assert text.splitlines()[0] == f"const NOTE = {json.dumps(COMMANDS.note)}"
    assert install(file) is None
    with pytest.raises(Refused, match="is not from cortexfs"):
        install(file, "mine", "plugin")


@pytest.mark.parametrize(("name", "key"), [("cursor", "mcpServers"), ("windsurf", "mcpServers")])
def test_an_editor_gets_a_server(name: str, key: str) -> None:
    (path,) = PLACES[name]
    server = {"command": SERVER[0], "args": WITH_BRIEF}
    assert read_json(name, path) == {key: {"cortexfs": server}}


def test_vs_code_gets_a_server_with_its_transport() -> None:
    (file,) = list_files("vscode").values()
    assert file.path.endswith("/Code/User/mcp.json")
    server = json.loads(install(file) or "")["servers"]["cortexfs"]
    assert server == {"type": "stdio", "command": SERVER[0], "args": WITH_BRIEF}


EVERY = [(name, file) for name in CLIENTS for file in list_files(name).values()]
TEXTS_OF_USERS = {
    JsonFile: '{\n  "theme" : "dark",\r\n "list": [1,2]}',
    MarkedFile: "# Mine\n\n- rule",
}


@pytest.mark.parametrize(("name", "file"), EVERY)
@pytest.mark.parametrize("is_new", [True, False])
def test_every_file_is_restored_and_installing_twice_is_installing_once(
    name: str, file: ClientFile, *, is_new: bool
) -> None:
    before = None if is_new else TEXTS_OF_USERS.get(type(file), "a = 1 # mine\n")
    if name == "codex" and isinstance(file, JsonFile) and before:
        before = '{"description" : "mine"}'
    if "cortexfs" in file.path.rpartition("/")[2]:
        before = None
    once = install_into_file(file, before, None, ALL)
    assert once.text != before
    again = install_into_file(file, once.text, once.record, [])
    assert again == once
    assert remove_from_file(file, once.text, once.record) == before
    assert remove_from_file(file, before, once.record) == before


@pytest.mark.parametrize(("name", "file"), EVERY)
def test_a_later_edit_of_the_user_survives_the_removal(name: str, file: ClientFile) -> None:
    if "cortexfs" in file.path.rpartition("/")[2]:
        return
    once = install_into_file(file, None, None, ALL)
    assert once.text
    if isinstance(file, JsonFile):
        after = once.text.replace("{", '{\n  "description": "mine",', 1)
        left = remove_from_file(file, after, once.record)
        assert json.loads(left or "")["description"] == "mine", name
        assert "cortexfs" not in (left or "")
    else:
        left = remove_from_file(file, "# mine\n" + once.text, once.record)
        assert left == "# mine\n"


SERVERS = [
    ("claude-code", "/h/.claude.json", '{"mcpServers": {"cortexfs": {"command": "mine"}}}'),
    ("codex", "/h/.codex/config.toml", '[mcp_servers.cortexfs]\ncommand = "mine"\n'),
    ("opencode", "/h/.config/opencode/opencode.json", '{"mcp": {"cortexfs": {"command": []}}}'),
    ("cursor", "/h/.cursor/mcp.json", '{"mcpServers": {"cortexfs": {"url": "http://x"}}}'),
]


@pytest.mark.parametrize(("name", "path", "text"), SERVERS)
def test_a_server_of_somebody_else_is_neither_replaced_nor_removed(
    name: str, path: str, text: str
) -> None:
    file = list_files(name)[path]
    with pytest.raises(Refused, match="cortexfs` has another value"):
        install(file, text)
    assert remove_from_file(file, text, None) == text


@pytest.mark.parametrize(("name", "path", "text"), SERVERS)
def test_a_server_of_another_installation_is_replaced_and_removed_without_a_record(
    name: str, path: str, text: str
) -> None:
    file = list_files(name)[path]
    older = (install(file) or "").replace("/usr/bin/python3", "/opt/python3")
    assert install(file, older) == install(file)
    left = remove_from_file(file, older, None)
    assert "mcp" not in (left or "").lower().replace("mcpservers", ""), text


def test_the_state_of_claude_code_is_neither_copied_nor_parsed_as_a_whole() -> None:
    file = list_files("claude-code")["/h/.claude.json"]
    large = {f"/p/{n}": {"history": ["secret, {}"] * 9} for n in range(2000)}
    before = json.dumps({"oauthAccount": {"token": "secret"}, "projects": large}, indent=2)
    once = install_into_file(file, before, None, [])
    assert once.text
    assert once.record
    assert "secret" not in once.record.to_json()
    later = once.text.replace('"oauthAccount"', '"numStartups": 3, "oauthAccount"')
    assert remove_from_file(file, later, once.record) == before.replace(
        '"oauthAccount"', '"numStartups": 3, "oauthAccount"'
    )
    assert remove_from_file(file, once.text, once.record) == before
    empty = '{"mcpServers": {}, "x": 1}'
    once = install_into_file(file, empty, None, [])
    assert remove_from_file(file, once.text, once.record) == empty


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("codex", "/h/.codex/rules/cortexfs.rules"),
        ("codex", "/h/.codex/AGENTS.md"),
        ("opencode", "/h/.config/opencode/plugins/cortexfs.js"),
    ],
)
def test_what_the_user_removed_is_not_added_again(name: str, path: str) -> None:
    file = list_files(name)[path]
    once = install_into_file(file, None, None, ALL)
    left = None if name == "opencode" or path.endswith(".rules") else "# Mine\n"
    assert install_into_file(file, left, once.record, []).text == left
    assert install_into_file(file, left, once.record, ALL).text != left
    assert remove_from_file(file, left, once.record) == left


def test_a_rule_for_commands_is_asked_for() -> None:
    file = list_files("codex")["/h/.codex/rules/cortexfs.rules"]
    assert install_into_file(file, None, None, []).missing == ("commands",)
    once = install_into_file(file, None, None, ["commands"])
    assert once.missing == ()
    assert install_into_file(file, once.text, once.record, []).missing == ()
