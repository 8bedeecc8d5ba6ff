"""`setup` of each client: what it writes into the files of a user, and how it leaves them."""

from __future__ import annotations

import json
import tomllib
from typing import TYPE_CHECKING

import pytest
from soak_cases import leave_to_soak

from cortexfs.core.text.plural import format_count

if TYPE_CHECKING:
    from pathlib import Path

    from place import Place

FILES = {
    "codex": {
        ".codex/config.toml": '# mine\nmodel = "gpt-5"\r\n\n[mcp_servers.docs]\ncommand = "d" #\n',
        ".codex/hooks.json": '{"hooks": {"Stop": [{"hooks": [{"command": "x"}]}]}}',
    },
    "gemini": {
        ".gemini/settings.json": '{\n\t// my theme\n\t"ui": {"theme": "Dracula"},\n'
        '\t"context": {"includeDirectories": ["~/notes"] /* one */}\n}'
    },
    "opencode": {
        ".config/opencode/opencode.jsonc": '{\n  "$schema": "https://opencode.ai/config.json",\n'
        '  "model": "x/y", // the usual one\n  "permission": {"bash": {"*": "ask"}},\n}\n'
    },
    "cursor": {".cursor/mcp.json": '{"mcpServers": {"docs": {"url": "http://127.0.0.1:1"}}}\n'},
    "vscode": {".config/Code/User/mcp.json": '{\r\n\t"servers": {},\r\n\t"inputs": []\r\n}\r\n'},
    "windsurf": {".codeium/windsurf/mcp_config.json": "{}"},
}
"""Settings as people have them; the paths are below the home."""
SCRIPTS = ["drain_later.py", "guard.py", "note_event.py"]


def write_files(world: Path, name: str) -> dict[Path, bytes]:
    texts = {world / path: text.encode() for path, text in FILES[name].items()}
    for path, text in texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text)
    return texts


def read_all(texts: dict[Path, bytes]) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in texts}


def list_options(name: str) -> list[str]:
    more = ["--allow-commands", "--instructions"] if name in {"codex", "gemini", "opencode"} else []
    return more + ["--plugin"] * (name == "opencode")


@pytest.mark.parametrize("name", leave_to_soak(FILES, every=3))
def test_settings_are_restored_byte_for_byte(name: str, tree: Place, world: Path) -> None:
    texts = write_files(world, name)
    before = sorted(path for path in world.rglob("*") if ".cortex" not in path.parts)
    tree.ok("setup", name, "--yes", *list_options(name))
    assert read_all(texts) != texts
    installed = read_all(texts)
    tree.ok("setup", name, "--yes")
    assert read_all(texts) == installed
    tree.ok("setup", name, "--remove", "--yes")
    assert read_all(texts) == texts
    after = (path for path in world.rglob("*") if ".cortex" not in path.parts)
    assert sorted(path for path in after if path.is_file() or path in before) == before
    assert not list((world / ".cortex/hooks").iterdir())


@pytest.mark.parametrize("name", FILES)
def test_a_dry_run_shows_each_file_and_writes_none(name: str, tree: Place, world: Path) -> None:
    texts = write_files(world, name)
    shown = tree.run("setup", name, "--dry-run", *list_options(name))
    assert read_all(texts) == texts
    assert all(f"+++ {path}" in shown.out for path in texts)
    count = shown.out.count("\n+++ ") + shown.out.startswith("+++ ")
    assert shown.err.endswith(f"{format_count(count, 'file')} would change; nothing was written\n")
    assert not (world / ".cortex/hooks").exists()


@pytest.mark.parametrize("name", leave_to_soak(FILES, every=3))
def test_edits_after_the_setup_stay(name: str, tree: Place, world: Path) -> None:
    texts = write_files(world, name)
    tree.ok("setup", name, "--yes")
    for path in texts:
        text = path.read_bytes()
        is_json = text.startswith(b"{")
        path.write_bytes(
            text.replace(b"{", b'{"description": 1, ', 1) if is_json else b"#\n" + text
        )
    tree.ok("setup", name, "--yes")
    tree.ok("setup", name, "--remove", "--yes")
    for path, text in texts.items():
        if text == b"{}":
            assert json.loads(path.read_bytes()) == {"description": 1}
        elif text.startswith(b"{"):
            assert path.read_bytes() == text.replace(b"{", b'{"description": 1, ', 1)
        else:
            assert path.read_bytes() == b"#\n" + text


def test_the_server_runs_this_installation_on_this_tree(tree: Place, world: Path) -> None:
    tree.ok("setup", "codex", "--yes")
    config = tomllib.loads((world / ".codex/config.toml").read_text())
    server = config["mcp_servers"]["cortexfs"]
    assert server["command"].startswith("/")
    assert server["args"] == [
        *["-I", "-m", "cortexfs", "mcp", "--root", str(tree.root), "--tools", "agent,mem_timeline"]
    ]


def test_what_to_do_in_the_client_is_said_once_it_is_set_up(tree: Place) -> None:
    assert "type /hooks" in tree.run("setup", "codex", "--yes").err
    assert "folders that you trust" in tree.run("setup", "gemini", "--yes").err
    assert "type /hooks" not in tree.run("setup", "codex", "--remove", "--yes").err


def test_instructions_of_an_earlier_setup_are_updated_in_place(tree: Place, world: Path) -> None:
    path = world / ".codex/AGENTS.md"
    path.parent.mkdir()
    path.write_text("# Mine\n")
    tree.ok("setup", "codex", "--yes", "--instructions")
    text = path.read_text()
    assert text.startswith("# Mine\n\n<!-- cortexfs")
    assert "mem_search" in text
    path.write_text(text.replace("mem_search", "an older text") + "- more\n")
    tree.ok("setup", "codex", "--yes")
    assert path.read_text() == text + "- more\n"
    tree.ok("setup", "codex", "--remove", "--yes")
    assert path.read_text() == "# Mine\n- more\n"


def test_a_file_that_is_refused_keeps_the_others_unchanged(tree: Place, world: Path) -> None:
    texts = write_files(world, "codex")
    (world / ".codex/config.toml").write_text('[mcp_servers.cortexfs]\ncommand = "mine"\n')
    ran = tree.run("setup", "codex", "--yes")
    assert (ran.code, "`mcp_servers.cortexfs` has another value" in ran.err) == (3, True)
    assert str(world / ".codex/config.toml") in ran.err
    hooks = world / ".codex/hooks.json"
    assert hooks.read_bytes() == texts[hooks]
    assert not (world / ".cortex/hooks").exists()


@pytest.mark.parametrize("kind", ["folder", "second name"])
def test_what_is_no_file_of_one_name_is_refused(kind: str, tree: Place, world: Path) -> None:
    path = world / ".cursor/mcp.json"
    path.parent.mkdir()
    if kind == "folder":
        path.mkdir()
    else:
        path.write_text("{}")
        (world / "other").hardlink_to(path)
    ran = tree.run("setup", "cursor", "--yes")
    assert ran.code == 3
    assert str(path) in ran.err


def test_the_hooks_stay_until_no_client_needs_them(tree: Place, world: Path) -> None:
    hooks = world / ".cortex/hooks"
    tree.ok("setup", "cursor", "--yes")
    assert not [name for name in SCRIPTS if (hooks / name).exists()]
    tree.ok("setup", "codex", "--yes")
    tree.ok("setup", "gemini", "--yes")
    tree.ok("setup", "codex", "--remove", "--yes")
    assert [name for name in SCRIPTS if (hooks / name).exists()] == SCRIPTS
    tree.ok("setup", "gemini", "--remove", "--yes")
    tree.ok("setup", "cursor", "--remove", "--yes")
    assert not list(hooks.iterdir())


def test_commands_once_allowed_stay_allowed(tree: Place, world: Path) -> None:
    path = world / ".gemini/settings.json"
    tree.ok("setup", "gemini", "--yes", "--allow-commands")
    tree.ok("setup", "gemini", "--yes")
    assert json.loads(path.read_text())["mcpServers"]["cortexfs"]["trust"] is True
    path.write_text(path.read_text().replace('"trust": true', '"trust": false'))
    tree.ok("setup", "gemini", "--yes")
    assert "trust" not in json.loads(path.read_text())["mcpServers"]["cortexfs"]


def test_doctor_names_a_client_whose_settings_changed(tree: Place, world: Path) -> None:
    def find_check() -> list[dict[str, object]]:
        checks = json.loads(tree.run("doctor", "--json").out)["checks"]
        return [check for check in checks if check["name"] == "codex"]

    assert find_check() == []
    tree.ok("setup", "codex", "--yes")
    assert find_check() == [{"name": "codex", "ok": True, "message": "set up"}]
    config = world / ".codex/config.toml"
    config.write_text(config.read_text().replace("mcp_servers.cortexfs", "mcp_servers.x"))
    (check,) = find_check()
    assert (check["ok"], check["fix"]) == (False, "cortexfs setup codex")
    config.write_text("[")
    assert "not TOML" in str(find_check()[0]["message"])
