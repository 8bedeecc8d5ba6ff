"""Let Claude Code work for a day on a tree, and compare what was counted with what it did.

    python tests/clients/check_agent_day.py [setup|plugin|both ...]

Two sessions with reads, a failed command, edits, a sub-agent, a background task, a compaction and
a saved memory that quotes the bulletin, and one session of a model that cortexfs started itself.
Checked with the hooks of `setup`, of the plugin, and with both: each event is there once, reads are
those of the agent, and nothing that was injected is counted or saved. Exit code 1 if anything is
wrong. Not a part of `make test`.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from bulletin_tree import MATCH, PROMPT, make_tree, read_bulletin
from check_agents import AGENTS, TIMEOUT_S
from check_real_clients import MARKET, cortexfs, make_environ
from check_real_clients import run as run_program
from scripted_model import INNER_PROMPT, ToolCall, serve_model

CLAUDE = next(agent for agent in AGENTS if agent.program == "claude")
SERVERS = {"setup": "mcp__cortexfs", "plugin": "mcp__plugin_cortexfs_cortexfs"}
EVENTS = {
    "session-started": 5,
    "session-ended": 4,
    "prompt": 3,
    "turn-ended": 4,
    "compacted": 1,
    "agent-started": 1,
    "agent-ended": 1,
    "task-status": 1,
    "task-ended": 1,
    "tool-failed": 2,
    "file-edited": 2,
}
NOT_IN_PLUGIN = ("agent-started", "tool-failed")
"""Events that some versions do not know: one unknown name makes them ignore all hooks."""
READS = {"lab/K-001": 3, "app/K-001": 1, "app/EXP-003": 1}


def check_day(mode: str) -> bool:
    """Play the day with one kind of hooks, and print what was counted wrong."""
    with tempfile.TemporaryDirectory(prefix="cortexfs-day-", ignore_cleanup_errors=True) as at:
        home = Path(at)
        (home / "app").mkdir()
        tree = make_tree(home, 500)
        install(mode, home)
        play(home, tree, SERVERS["plugin" if mode == "plugin" else "setup"])
        cortexfs(home, "hook", "drain")
        flaws = find_flaws(tree, home, mode)
    print(f"{mode}: {'FAILED' if flaws else 'ok'}", *flaws, sep="\n  ")
    return not flaws


def install(mode: str, home: Path) -> None:
    if mode != "plugin":
        cortexfs(home, "setup", "claude-code", "--yes", "--allow-commands")
    if mode != "setup":
        run_program(home, "claude", "plugin", "marketplace", "add", str(MARKET))
        run_program(home, "claude", "plugin", "install", "cortexfs@cortexfs")
        path = home / ".claude/settings.json"
        settings = json.loads(path.read_text())
        rules = settings.setdefault("permissions", {}).setdefault("allow", [])
        rules.append("Read(~/.cortex/context/**)")
        path.write_text(json.dumps(settings))


def play(home: Path, tree: Path, server: str) -> None:
    """Run the sessions of the day."""
    read, fails = make_read(tree, MATCH), make_command("echo nope >&2; exit 3")
    code = {"file_path": str(home / "app/code.py")}
    task = {"description": "look", "prompt": INNER_PROMPT, "subagent_type": "general-purpose"}
    grep = f"grep -rn EXP-003 {tree}/projects/app/experiments/EXP-003.md"
    inner = [make_read(tree, "projects/app/knowledge/K-001.md"), make_command(grep)]
    first = [
        *(read, read, fails),
        ToolCall("Write", {**code, "content": "a = 1\n"}),
        ToolCall("Edit", {**code, "old_string": "a = 1", "new_string": "a = 2"}),
        ToolCall("Agent", {**task, "run_in_background": False}),
        make_command("sleep 0.3; echo over", run_in_background=True),
    ]
    quote = f'<cortex-memory source="bulletin/app">\n{read_bulletin(tree)}\n</cortex-memory>'
    memory = {"title": "Saved", "type": "bugfix", "content": f"**What**: x\n{quote}\nend"}
    work(home, server, [PROMPT], first, inner)
    work(home, server, ["/compact", "--continue"], [])
    work(home, server, ["and the varint residuals?", "--continue"], [read])
    work(home, server, ["Save it"], [ToolCall(f"{server}__mem_save", memory), fails])
    work(home, server, ["our own model"], [read], sidecar=True)


def make_read(tree: Path, path: str) -> ToolCall:
    return ToolCall("Read", {"file_path": str(tree / path)})


def make_command(command: str, **options: object) -> ToolCall:
    return ToolCall("Bash", {"command": command, "description": "run it", **options})


def work(
    home: Path,
    server: str,
    words: list[str],
    calls: list[ToolCall],
    inner: list[ToolCall] | None = None,
    *,
    sidecar: bool = False,
) -> None:
    """Run one process of the client."""
    with serve_model(calls, inner or []) as model:
        environ = make_environ(home) | CLAUDE.environ(model.url) | {"CORTEXFS_DRAIN_QUIET": "off"}
        environ |= {"CORTEXFS_SIDECAR": "1"} if sidecar else {}
        tools = f"Bash,Edit,Write,Read,Agent,{server}"
        subprocess.run(
            ["claude", "-p", *words, "--allowedTools", tools], cwd=home / "app", env=environ,
            stdin=subprocess.DEVNULL, capture_output=True, timeout=TIMEOUT_S, check=False,
        )  # fmt: skip


def find_flaws(tree: Path, home: Path, mode: str) -> list[str]:
    """Return what was counted wrong."""
    lines = [line for path in (tree / ".cortexfs/events").iterdir() for line in path.open()]
    events = [json.loads(line) for line in lines]
    started = {each["session"] for each in events if each["event"] == "session-started"}
    counts = Counter(each["event"] for each in events if each["session"] in started)
    wanted = {
        key: count for key, count in EVENTS.items() if mode != "plugin" or key not in NOT_IN_PLUGIN
    }
    flaws = [] if counts == wanted else [f"events: {dict(counts)}"]
    reads: Counter[str] = Counter()
    for path in tree.glob("projects/*/_meta/access-log.jsonl"):
        reads.update(f"{path.parts[-3]}/{json.loads(line)['file'][:-3]}" for line in path.open())
    flaws += [] if reads == READS else [f"reads: {dict(reads)}"]
    saved = [path.read_text() for path in tree.glob("projects/*/observations/OBS-*.md")]
    if len(saved) != 1 or "**What**: x" not in saved[0] or "Wish" in saved[0]:
        flaws.append(f"saved: {saved}")
    if "our own model" in "".join(lines) or "Evidence from" in "".join(lines):
        flaws.append("an event has what was injected, or of a session of our own model")
    running = [
        line for line in cortexfs(home, "ps", "--all").splitlines() if "\tended\t" not in line
    ]
    return flaws + [f"not ended: {line}" for line in running]


if __name__ == "__main__":
    passed = [check_day(mode) for mode in sys.argv[1:] or ("setup", "plugin", "both")]
    sys.exit(0 if all(passed) else 1)
