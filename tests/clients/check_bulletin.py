"""Let each agent on the PATH begin sessions in a tree with a bulletin, and read its requests.

    python tests/clients/check_bulletin.py [claude|codex|gemini|opencode ...]

Each agent has a home of its own, is set up by `cortexfs setup`, and talks to a scripted model.
Checked: the first request has the bulletin once and within the client's cap, a prompt gets the atom
that it is about, a read gets the CORTEX.md above it; Claude Code has the bulletin again after a
compaction, and in a sub-agent. Exit code 1 if anything is missing. Not a part of `make test`.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from check_agents import AGENTS, TIMEOUT_S
from check_real_clients import cortexfs, make_environ
from scripted_model import ToolCall, serve_model

if TYPE_CHECKING:
    from collections.abc import Iterator

    from check_agents import Agent
    from scripted_model import ScriptedModel

PROMPT = "Why are varint residuals slow to decode?"
FIRST, LAST = "- app/K-100: the first line of the bulletin", "lines left out: `cortexfs brief"
LONG = f"# app\n\n{FIRST}\n" + "".join(f"- app/K-{n}: é line {n}\n" for n in range(200, 2000))
CAPS = {"claude": 10_000, "codex": 10_000, "gemini": 30_000, "opencode": 30_000}
READS = {
    "claude": ("Read", "file_path"),
    "gemini": ("read_file", "file_path"),
    "opencode": ("read", "filePath"),
}
OPEN, CLOSE = '<cortex-memory source=\\"', "</cortex-memory>"


def check_agent(agent: Agent) -> bool:
    """Run the sessions of one agent, and print what was wrong."""
    with tempfile.TemporaryDirectory(prefix="cortexfs-brief-", ignore_cleanup_errors=True) as at:
        home = Path(at)
        prepare(agent, home)
        calls = [make_read_call(agent, home)]
        with serve_model(calls) as model:
            words = [PROMPT if word == "Remember what you learn." else word
                     for word in agent.command(home, model.url)]  # fmt: skip
            if agent.program == "codex":
                words.insert(2, "--dangerously-bypass-hook-trust")
            printed = run(agent, home, model.url, words)
            flaws = list(find_flaws(agent, model))
        if agent.program == "claude":
            flaws += find_flaws_of_claude(agent, home)
        flaws += [printed[-1500:]] if flaws else []
    print(f"{agent.program}: {'FAILED' if flaws else 'ok'}", *flaws, sep="\n  ")
    return not flaws


def prepare(agent: Agent, home: Path) -> None:
    """Make a tree with a bulletin and an atom, and set up the agent."""
    (home / "app").mkdir()
    tree = home / ".cortex/context"
    cortexfs(home, "init", str(tree))
    cortexfs(home, "project", "new", "app", "--goal", "Find out.")
    (tree / "projects/app/CORTEX.md").write_text("# app\n\nRules of the app.\n")
    summary = "Varint residuals decode at 410 MB/s"
    (tree / "projects/app/knowledge").mkdir(exist_ok=True)
    (tree / "projects/app/knowledge/K-001.md").write_text(
        f'---\nid: K-001\ndate: 2026-05-06\nproject: app\nsummary: "{summary}"\n---\n\n# x\n'
    )
    options = ["--plugin"] if agent.setup == "opencode" else []
    cortexfs(home, "setup", agent.setup, "--yes", "--allow-commands", *options)
    cortexfs(home, "hook", "drain")
    bulletins = tree / ".cortexfs/injection/bulletins"
    bulletins.mkdir(exist_ok=True)
    (bulletins / "app.md").write_text(LONG)
    plugin = os.environ.get("OPENCODE_PLUGIN_FOLDER")
    if agent.setup == "opencode" and plugin:
        shutil.copytree(plugin, home / ".config/opencode", dirs_exist_ok=True)


def make_read_call(agent: Agent, home: Path) -> ToolCall:
    path = str(home / ".cortex/context/projects/app/knowledge/K-001.md")
    if agent.program == "codex":
        return ToolCall("exec_command", {"cmd": f"cat {path}"})
    tool, key = READS[agent.program]
    return ToolCall(tool, {key: path})


def run(agent: Agent, home: Path, url: str, words: list[str]) -> str:
    """Run one headless session; return what it printed."""
    environ = make_environ(home) | agent.environ(url) | {"CORTEXFS_DRAIN_QUIET": "off"}
    done = subprocess.run(
        words, cwd=home / "app", env=environ, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, timeout=TIMEOUT_S, check=False,
    )  # fmt: skip
    return f"exit code {done.returncode}:\n{done.stdout}"


def list_blocks(request: dict[str, Any]) -> list[tuple[str, str]]:
    """Return source and text of each of our blocks in a request; Gemini CLI escapes the tags."""
    text = json.dumps(request, ensure_ascii=False).replace("&lt;", "<").replace("&gt;", ">")
    parts = [part.partition(CLOSE)[0] for part in text.split(OPEN)[1:]]
    return [(part.partition('\\"')[0], part.partition("\\n")[2]) for part in parts]


def find_flaws(agent: Agent, model: ScriptedModel) -> Iterator[str]:
    """Yield what is missing in the requests of the first session."""
    asked = [each for each in model.requests if each.get("tools") and PROMPT in json.dumps(each)]
    if not asked:
        yield "the model was not asked"
        return
    first, last = list_blocks(asked[0]), list_blocks(asked[-1])
    bulletins = [text for source, text in first if source == "bulletin/app"]
    if len(bulletins) != 1 or FIRST not in bulletins[0] or LAST not in bulletins[0]:
        yield f"the first request has {len(bulletins)} bulletins: {first!r:.300}"
    for text in bulletins:
        shown = text.replace("\\n", "\n").replace('\\"', '"')
        size = len(shown.encode()) if agent.program == "codex" else len(shown)
        if not CAPS[agent.program] * 0.9 < size <= CAPS[agent.program]:
            yield f"the bulletin has a length of {size}"
    if [source for source, _ in first].count("prompt") != 1:
        yield f"the prompt got: {[source for source, _ in first]}"
    if [source for source, _ in last].count("CORTEX.md") != 1:
        yield f"the read got: {[source for source, _ in last]}"
    if [source for source, _ in last].count("bulletin/app") != 1:
        yield f"the last request has: {[source for source, _ in last]}"


def find_flaws_of_claude(agent: Agent, home: Path) -> Iterator[str]:
    """Yield what is missing after a resume, after a compaction, and in a sub-agent."""
    base = ["claude", "-p", "--output-format", "json"]
    asked_version = ["claude", "--version"]
    version = subprocess.run(
        asked_version, capture_output=True, text=True, check=True, env=make_environ(home)
    )
    for name, words in (
        ("resumed", ["--continue", "and now?"]),
        ("compacted", ["--continue", "/compact"]),
        ("after the compaction", ["--continue", "what next?"]),
        ("resumed again", ["--continue", "and then?"]),
    ):
        with serve_model([]) as model:
            run(agent, home, model.url, [*base[:2], words[-1], *base[2:], *words[:-1]])
        asked = [each for each in model.requests if each.get("tools")]
        counts = [[source for source, _ in list_blocks(each)].count("bulletin/app")
                  for each in asked]  # fmt: skip
        is_first_version = "1.0" in version.stdout  # each resumed session has a new id there
        if name != "compacted" and counts[:1] != [1] and not is_first_version:
            yield f"{version.stdout.strip()}, {name}: bulletins in each request: {counts}"
        if name == "compacted" and "leave it out of the summary" not in json.dumps(model.requests):
            yield f"{name}: the summariser did not get our line"
    task = {"description": "look", "prompt": "Look around.", "subagent_type": "general-purpose"}
    for tool in ("Agent", "Task"):
        with serve_model([ToolCall(tool, task)]) as model:
            run(agent, home, model.url, [*base[:2], "Delegate.", *base[2:]])
        inner = [
            each
            for each in model.requests
            if each.get("tools") and "Look around." in json.dumps(each["messages"][:1])
        ]
        if inner:
            break
    sources = [source for source, _ in list_blocks(inner[0])] if inner else ["no sub-agent"]
    if sources != ["bulletin/app"] and "1.0" not in version.stdout:
        yield f"{version.stdout.strip()}: the sub-agent got {sources}"


if __name__ == "__main__":
    chosen = [agent for agent in AGENTS if agent.program in (sys.argv[1:] or agent.program)]
    passed = []
    for each in chosen:
        if shutil.which(each.program):
            passed.append(check_agent(each))
        else:
            print(f"{each.program}: not on the PATH")
    sys.exit(0 if all(passed) else 1)
