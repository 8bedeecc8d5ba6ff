"""The plugin for Claude Code: its files agree with each other, and its hooks do their work."""

from __future__ import annotations

import json
import os
import re
import shlex
import struct
import subprocess
import sys
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from cortexfs import __version__
from cortexfs.clients.claude_code_facts import READ_TOOLS, UNIVERSAL_EVENTS, WRITE_TOOLS

if TYPE_CHECKING:
    from place import Place

REPOSITORY = Path(__file__).parent.parent.parent
MARKET = REPOSITORY / "plugins" / "claude-code"
PLUGIN = MARKET / "cortexfs"
SKILL = PLUGIN / "skills/cortex/SKILL.md"
SCRIPTS = [path.name for path in sorted((REPOSITORY / "hooks").glob("*.py"))]


def read_json(path: str) -> Any:
    return json.loads((PLUGIN / path).read_text())


def find_command(event: str, matcher: str | None = None) -> str:
    """Give the command of a hook as the client runs it."""
    groups = read_json("hooks/hooks.json")["hooks"][event]
    (group,) = (group for group in groups if group.get("matcher") == matcher)
    (hook,) = group["hooks"]
    return str(hook["command"]).replace("${CLAUDE_PLUGIN_ROOT}", str(PLUGIN))


def run_hook(command: str, event: dict[str, Any], **env: str) -> subprocess.CompletedProcess[str]:
    folder = os.path.dirname(sys.executable)
    environ = {
        "HOME": os.environ["HOME"],
        "PATH": f"{folder}:/usr/bin:/bin",
        "CORTEXFS_DRAIN_QUIET": "off",
        **env,
    }
    return subprocess.run(
        ["/bin/sh", "-c", command],
        input=json.dumps(event),
        env=environ,
        capture_output=True,
        text=True,
        check=False,
    )


def make_read(path: Path) -> dict[str, Any]:
    return {
        "hook_event_name": "PostToolUse",
        "session_id": "s",
        "cwd": "/",
        "tool_name": "Read",
        "tool_input": {"file_path": str(path)},
        "tool_response": {"type": "text", "file": {"filePath": str(path), "content": "x"}},
    }


def list_notes(root: Path) -> list[Path]:
    return sorted((root / ".cortexfs/spool/new").glob("*"))


def test_the_manifests_name_the_same_plugin_of_this_version() -> None:
    plugin = read_json(".claude-plugin/plugin.json")
    (listed,) = json.loads((MARKET / ".claude-plugin/marketplace.json").read_text())["plugins"]
    assert (MARKET / listed["source"]).samefile(PLUGIN)
    assert (plugin["name"], plugin["version"]) == (listed["name"], __version__)
    assert plugin["description"] == listed["description"]


def test_the_manifest_has_only_keys_that_older_clients_accept() -> None:
    known = {"name", "version", "description", "author", "license", "keywords"}
    assert read_json(".claude-plugin/plugin.json").keys() == known
    market = json.loads((MARKET / ".claude-plugin/marketplace.json").read_text())
    assert market.keys() == {"name", "owner", "metadata", "plugins"}


@pytest.mark.parametrize("name", SCRIPTS)
def test_the_scripts_are_copies_of_the_hooks(name: str) -> None:
    assert (PLUGIN / "bin" / name).read_bytes() == (REPOSITORY / "hooks" / name).read_bytes()


def test_the_hooks_are_those_of_the_setup() -> None:
    hooks = read_json("hooks/hooks.json")["hooks"]
    assert hooks.keys() <= UNIVERSAL_EVENTS
    matchers = {event: [group.get("matcher") for group in hooks[event]] for event in hooks}
    assert matchers == {
        "SessionStart": [None],
        "UserPromptSubmit": [None],
        "PreCompact": [None],
        "SubagentStop": [None],
        "PreToolUse": [WRITE_TOOLS],
        "PostToolUse": [READ_TOOLS, WRITE_TOOLS],
        "Stop": [None],
        "SessionEnd": [None],
    }


def test_the_server_is_the_command_of_cortexfs() -> None:
    server = read_json(".mcp.json")["mcpServers"]["cortexfs"]
    assert [server["command"], *server["args"]] == shlex.split(
        "cortexfs mcp --tools agent,mem_timeline"
    )


def test_the_skill_is_short_and_teaches_what_to_save_and_how_to_search() -> None:
    text = SKILL.read_text()
    assert len(text) <= 2048
    for part in ("decision", "bugfix", "discovery", "pattern", "config", "topic_key"):
        assert part in text
    for part in ("**What**", "**Why**", "**Where**", "**Learned**"):
        assert part in text
    order = ["mem_search", "mem_timeline", "mem_get_observation", "mem_save", "mem_session_summary"]
    places = [text.index(f"`{name}`") for name in order]
    assert places == sorted(places)


@pytest.mark.parametrize("path", sorted(PLUGIN.rglob("*.md")), ids=lambda path: path.name)
def test_every_text_has_a_description_and_fits(path: Path) -> None:
    text = path.read_text()
    if path.name != "README.md":
        assert re.match(r"---\n(?:name: [a-z]+\n)?description: \S.*\n", text)
    assert len(text.split()) >= 40


def test_the_icon_is_a_square_image_of_512_pixels() -> None:
    data = (PLUGIN / ".claude-plugin/icon.png").read_bytes()
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    assert struct.unpack(">II", data[16:24]) == (512, 512)
    body = data[data.index(b"IDAT") + 4 : data.index(b"IEND") - 8]
    assert len(zlib.decompress(body)) == 512 * (512 * 4 + 1)


def test_a_read_of_the_tree_is_noted_and_counted(sample: Place) -> None:
    atom = sample.root / "projects/driftwood/experiments/EXP-012.md"
    command = find_command("PostToolUse", READ_TOOLS)
    done = run_hook(command, make_read(atom), CORTEXFS_ROOT=str(sample.root))
    assert (done.returncode, done.stderr) == (0, "")
    assert (
        "## projects/driftwood/CORTEX.md"
        in json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"]
    )
    (note,) = list_notes(sample.root)
    assert json.loads(note.read_text()) == make_read(atom)
    assert "1 event" in sample.run("hook", "drain").out


def test_the_tree_of_the_home_is_found(world: Path) -> None:
    for root, env in (
        (world / ".cortex/context", {}),
        (world / "other/context", {"CORTEX_HOME": str(world / "other")}),
        (world / "link/context", {"CORTEX_HOME": str(world / "link")}),
    ):
        if root.parent.name == "link":
            (world / "link").symlink_to(world / "other")
        root.mkdir(parents=True, exist_ok=True)
        before = len(list_notes(root))
        run_hook(
            find_command("PostToolUse", READ_TOOLS),
            make_read(root.resolve() / "projects/p/x.md"),
            **env,
        )
        assert len(list_notes(root)) == before + 1


def test_other_events_and_trees_of_the_setup_are_left_alone(world: Path) -> None:
    root = world / ".cortex/context"
    root.mkdir(parents=True)
    command = find_command("PostToolUse", READ_TOOLS)
    assert run_hook(command, make_read(Path("/etc/passwd"))).returncode == 0
    records = world / ".cortex/hooks"
    records.mkdir()
    (records / "claude-code.0a.json").touch()
    assert run_hook(command, make_read(root / "x.md")).returncode == 0
    assert not (root / ".cortexfs").exists()


def test_a_session_of_the_plugin_gets_the_bulletin(sample: Place) -> None:
    sample.write(".cortexfs/injection/bulletins/_tree.md", "- driftwood/K-001: x\n")
    event = {"hook_event_name": "SessionStart", "session_id": "s", "cwd": "/", "source": "startup"}
    done = run_hook(find_command("SessionStart"), event, CORTEXFS_ROOT=str(sample.root))
    assert (done.returncode, done.stderr) == (0, "")
    assert "- driftwood/K-001: x" in done.stdout
    assert len(list_notes(sample.root)) == 1


def test_the_guard_of_the_plugin_denies_a_forbidden_write(sample: Place) -> None:
    event = {
        "hook_event_name": "PreToolUse",
        "cwd": "/",
        "tool_name": "Write",
        "tool_input": {
            "file_path": str(sample.root / "projects/driftwood/STATUS.md"),
            "content": "key = 'AKIA" + "Q3EGB7KLM2NPR4ST'\n",
        },
    }
    command = find_command("PreToolUse", WRITE_TOOLS)
    done = run_hook(command, event, CORTEXFS_ROOT=str(sample.root))
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["hookSpecificOutput"]["permissionDecision"] == "deny"
    event["tool_input"] = {"file_path": "/elsewhere/x.md", "content": "x"}
    assert run_hook(command, event, CORTEXFS_ROOT=str(sample.root)).stdout == ""
    event["hook_event_name"] = "PostToolUse"
    event["tool_input"] = {"file_path": str(sample.root / "projects/driftwood/STATUS.md")}
    assert run_hook(command, event, CORTEXFS_ROOT=str(sample.root)).returncode == 0
    assert len(list_notes(sample.root)) == 1, "noted once by the guard that the plugin starts"


@pytest.mark.parametrize(("event", "matcher"), [("PostToolUse", READ_TOOLS), ("Stop", None)])
def test_a_missing_plugin_folder_or_python_never_blocks_the_agent(
    event: str, matcher: str | None, tmp_path: Path
) -> None:
    command = find_command(event, matcher)
    gone = run_hook(command.replace(str(PLUGIN), str(tmp_path)), {})
    alone = run_hook(command, {}, PATH=str(tmp_path))
    assert (gone.returncode, alone.returncode) == (0, 0)


def test_the_skill_lets_no_command_run_unasked() -> None:
    _, front, _ = SKILL.read_text().split("---\n", 2)
    assert "allowed-tools: Read\n" in front
