"""Let each agent that is on the PATH save, search and recall memories over MCP, without network.

    python tests/clients/check_agents.py [claude|codex|gemini|opencode ...]

Each agent has a home of its own, is set up by `cortexfs setup`, and talks to a model that calls
the tools of a script. What reached the model is compared. Exit code 1 if an agent did not list the
tools, or its model did not get the answers. Not a part of `make test`.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from check_real_clients import cortexfs, make_environ
from scripted_model import FAREWELL, ScriptedModel, ToolCall, serve_model

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

TIMEOUT_S = 150
PROMPT = "Remember what you learn."
CALLS: tuple[tuple[str, dict[str, object], str], ...] = (
    (
        "mem_save",
        {"title": "Nil token panics", "content": "**What**: guarded", "type": "bugfix"},
        r'Memory saved: "Nil token panics" (bugfix)',
    ),
    ("mem_search", {"query": "token"}, "Found 1 memories:"),
    ("mem_context", {}, "[bugfix]"),
    ("mem_get_observation", {"id": 1}, "Scope: project"),
)
EAGER = ("mem_save", "mem_search", "mem_context", "mem_session_summary", "mem_get_observation")


class Agent(NamedTuple):
    """How an agent is called, set up and run, and how it names the tools of the server."""

    program: str
    setup: str
    prefix: str
    command: Callable[[Path, str], list[str]]
    environ: Callable[[str], dict[str, str]]
    namespace: str = ""


def _command_claude(_: Path, __: str) -> list[str]:
    return ["claude", "-p", PROMPT, "--output-format", "json"]


def _command_codex(_: Path, url: str) -> list[str]:
    provider = f'{{name="scripted",base_url="{url}/v1",env_key="NO_KEY",wire_api="responses"}}'
    settings = ("model_provider=scripted", "model=gpt-5", f"model_providers.scripted={provider}")
    options = [word for setting in settings for word in ("-c", setting)]
    options += ["--skip-git-repo-check", "--disable", "enable_request_compression"]
    return ["codex", "exec", *options, "--dangerously-bypass-approvals-and-sandbox", PROMPT]


def _command_gemini(home: Path, _: str) -> list[str]:
    path = home / ".gemini/settings.json"
    settings = json.loads(path.read_text())
    settings.setdefault("security", {})["auth"] = {"selectedType": "gemini-api-key"}
    settings["privacy"] = {"usageStatisticsEnabled": False}
    path.write_text(json.dumps(settings))
    return ["gemini", "-m", "gemini-2.5-flash", "--yolo", "--skip-trust", "-p", PROMPT]


def _command_opencode(_: Path, __: str) -> list[str]:
    return ["opencode", "run", PROMPT]


def _environ_opencode(url: str) -> dict[str, str]:
    model = {"name": "m", "limit": {"context": 100_000, "output": 4000}}
    provider = {
        "npm": "@ai-sdk/openai-compatible",
        "name": "scripted",
        "models": {"m": model},
        "options": {"baseURL": f"{url}/v1", "apiKey": "none"},
    }
    names = {"model": "scripted/m", "small_model": "scripted/m"}
    return {"OPENCODE_CONFIG_CONTENT": json.dumps({"provider": {"scripted": provider}, **names})}


AGENTS = (
    Agent(
        "claude",
        "claude-code",
        "mcp__cortexfs__",
        _command_claude,
        lambda url: {
            "ANTHROPIC_BASE_URL": url,
            "ANTHROPIC_API_KEY": "none",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        },
    ),
    Agent("codex", "codex", "", _command_codex, lambda _: {"NO_KEY": "none"}, "mcp__cortexfs"),
    Agent(
        "gemini",
        "gemini",
        "mcp_cortexfs_",
        _command_gemini,
        lambda url: {"GOOGLE_GEMINI_BASE_URL": url},
    ),
    Agent("opencode", "opencode", "cortexfs_", _command_opencode, _environ_opencode),
)


def check_agent(agent: Agent) -> bool:
    """Run the script through one agent, and print what was wrong."""
    with tempfile.TemporaryDirectory(prefix="cortexfs-agent-", ignore_cleanup_errors=True) as at:
        home = Path(at)
        (home / "app").mkdir()
        tree = home / ".cortex/context"
        cortexfs(home, "init", str(tree))
        cortexfs(home, "setup", agent.setup, "--yes", "--allow-commands")
        calls = [ToolCall(agent.prefix + name, given, agent.namespace) for name, given, _ in CALLS]
        with serve_model(calls) as model:
            code, printed = run_agent(agent, home, model.url)
            flaws = list(find_flaws(agent, model, tree))
    flaws += [f"exit code {code}:\n{printed}"] if code or FAREWELL not in printed else []
    print(f"{agent.program}: {'FAILED' if flaws else 'ok'}", *flaws, sep="\n  ")
    return not flaws


def run_agent(agent: Agent, home: Path, url: str) -> tuple[int, str]:
    """Run one headless session; return its exit code and what it printed."""
    words = agent.command(home, url)
    done = subprocess.run(
        words,
        cwd=home / "app",
        env=make_environ(home) | agent.environ(url),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=TIMEOUT_S,
        check=False,
    )
    return done.returncode, done.stdout


def find_flaws(agent: Agent, model: ScriptedModel, tree: Path) -> Iterator[str]:
    """Give the tools that the model was not offered, and the answers that it did not get."""
    if not model.requests:
        yield "the model was not asked"
        return
    offered = json.dumps([each.get("tools") for each in model.requests])
    for name in EAGER:
        if not re.search(rf'"({agent.prefix})?{name}"', offered):
            yield f"not offered: {name}"
    told = model.longest_request()
    for name, _, answer in CALLS:
        if json.dumps(answer, ensure_ascii=False)[1:-1] not in told.replace("\\\\", "\\"):
            yield f"{name}: the model did not get: {answer}"
    if not list(tree.glob("projects/*/observations/OBS-001.md")):
        yield "no observation in the tree"


if __name__ == "__main__":
    chosen = [agent for agent in AGENTS if agent.program in (sys.argv[1:] or agent.program)]
    passed = []
    for each in chosen:
        if shutil.which(each.program):
            passed.append(check_agent(each))
        else:
            print(f"{each.program}: not on the PATH")
    sys.exit(0 if all(passed) else 1)
