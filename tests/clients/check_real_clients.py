"""Set up each client that is on the PATH, and ask the client itself what it has understood.

    python tests/clients/check_real_clients.py [CLIENT...]

Each client runs in a home of its own in a temporary folder, without network. Exit code 1 if a
client does not accept what `cortexfs setup` or the plugin brings. Not a part of `make test`.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

REPOSITORY = Path(__file__).parent.parent.parent
MARKET = REPOSITORY / "plugins" / "claude-code"
TIMEOUT_S = 90
NOWHERE = "http://127.0.0.1:9"
CONNECTED = re.compile(r"(✔|✓) ?(cortexfs )?[Cc]onnected|cortexfs: .*(✔|✓)|✓ cortexfs")

Check = tuple[str, bool, str]


def make_environ(home: Path) -> dict[str, str]:
    """Return an environment with nothing of the user's but the PATH."""
    return {
        "HOME": str(home),
        "PATH": f"{os.path.dirname(sys.executable)}:{os.environ['PATH']}",
        "LANG": "C.UTF-8",
        "HTTP_PROXY": NOWHERE,
        "HTTPS_PROXY": NOWHERE,
        "NO_PROXY": "127.0.0.1,localhost",
        "DISABLE_AUTOUPDATER": "1",
        "GEMINI_CLI_TRUST_WORKSPACE": "true",
        "GEMINI_CLI_NO_RELAUNCH": "true",
        "GEMINI_API_KEY": "none",
        "OPENCODE_DISABLE_AUTOUPDATE": "1",
        "OPENCODE_DISABLE_MODELS_FETCH": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_AUTHOR_NAME": "check",
        "GIT_AUTHOR_EMAIL": "check@localhost",
        "GIT_COMMITTER_NAME": "check",
        "GIT_COMMITTER_EMAIL": "check@localhost",
    }


def run(home: Path, *words: str, feed: str | None = None) -> tuple[int, str]:
    """Run a program in the home's project folder; return its exit code and all that it printed."""
    done = subprocess.run(
        words,
        cwd=home / "app",
        env=make_environ(home),
        input=feed,
        stdin=subprocess.DEVNULL if feed is None else None,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=TIMEOUT_S,
        check=False,
    )
    return done.returncode, done.stdout


def cortexfs(home: Path, *words: str) -> str:
    code, printed = run(home, sys.executable, "-m", "cortexfs", *words)
    if code:
        raise SystemExit(printed)
    return printed


def check_claude(home: Path) -> Iterator[Check]:
    has_plugins = not run(home, "claude", "--version")[1].startswith("1.")
    is_strict = has_plugins and "--strict" in run(home, "claude", "plugin", "validate", "--help")[1]
    if has_plugins:
        yield from validate_plugin(home, is_strict=is_strict)
    printed = run(home, "claude", "doctor")[1] if is_strict else run_doctor_in_terminal(home)
    accepts = "Invalid settings" not in printed and (is_strict or "Diagnostics" in printed)
    yield "doctor accepts the settings", accepts, printed
    code, printed = run(home, "claude", "mcp", "get", "cortexfs")
    yield "mcp get", code == 0 and "User config" in printed, printed
    _, printed = run(home, "claude", "mcp", "list")
    yield "mcp list connects", bool(CONNECTED.search(printed)), printed
    if not has_plugins:
        return
    run(home, "claude", "plugin", "marketplace", "add", str(MARKET))
    code, printed = run(home, "claude", "plugin", "install", "cortexfs@cortexfs")
    yield "plugin install", code == 0, printed
    code, printed = run(home, "claude", "plugin", "list")
    if "unknown command" not in printed:  # 2.0
        yield "plugin list", "cortexfs@cortexfs" in printed, printed


def validate_plugin(home: Path, *, is_strict: bool) -> Iterator[Check]:
    """Validate the plugin and its marketplace, as strictly as the version can."""
    plugin = str(MARKET / "cortexfs")
    strict = (("--strict", str(MARKET)), ("--strict", plugin))
    directory = ("--strict", "--profile", "directory", plugin)
    for words in (*strict, directory) if is_strict else ((str(MARKET),), (plugin,)):
        code, printed = run(home, "claude", "plugin", "validate", *words)
        yield f"plugin validate {' '.join(words[:-1])}", code == 0, printed


def run_doctor_in_terminal(home: Path) -> str:
    """Return what an older version prints; it waits for a key. Moves to the right are spaces."""
    keys = '(sleep 6; printf "\\r"; sleep 1) | script -qec "claude doctor" /dev/null'
    _, printed = run(home, "sh", "-c", keys)
    return re.sub(r"\x1b\[\d*C", " ", printed)


def check_codex(home: Path) -> Iterator[Check]:
    code, printed = run(home, "codex", "mcp", "get", "cortexfs")
    yield "mcp get", code == 0 and "mcp" in printed, printed
    rules = str(home / ".codex/rules/cortexfs.rules")
    words = ("codex", "execpolicy", "check", "--rules", rules, "cortexfs", "find", "x")
    code, printed = run(home, *words)
    yield "the rule allows cortexfs", code == 0 and '"decision":"allow"' in printed, printed
    client = {"name": "check", "title": "check", "version": "1"}
    messages: Sequence[dict[str, object]] = (
        {"id": 1, "method": "initialize", "params": {"clientInfo": client}},
        {"method": "initialized"},
        {"id": 2, "method": "hooks/list", "params": {"cwds": [str(home / "app")]}},
    )
    answer = ask_app_server(home, messages)
    hooks = [hook for each in answer["data"] for hook in each["hooks"]]
    faults = [each[key] for each in answer["data"] for key in ("warnings", "errors") if each[key]]
    events = sorted(hook["eventName"] for hook in hooks)
    wanted = ["postToolUse", "postToolUse", "preCompact", "preToolUse", "sessionEnd"]
    wanted += ["sessionStart", "stop", "subagentStart", "subagentStop", "userPromptSubmit"]
    yield "hooks/list", events == wanted and not faults, json.dumps([events, faults])


def ask_app_server(home: Path, messages: Sequence[dict[str, object]]) -> dict[str, list[dict]]:
    """Send messages to Codex, one on a line, and return the result of the last one."""
    server = subprocess.Popen(
        ["codex", "app-server"],
        cwd=home / "app",
        env=make_environ(home),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert server.stdin
    assert server.stdout
    try:
        for message in messages:
            server.stdin.write(json.dumps(message) + "\n")
        server.stdin.flush()
        answers = (json.loads(line) for line in server.stdout)
        return next(each["result"] for each in answers if each.get("id") == messages[-1]["id"])
    finally:
        server.kill()
        server.wait()


def check_gemini(home: Path) -> Iterator[Check]:
    _, printed = run(home, "gemini", "mcp", "list")
    yield "mcp list connects", bool(CONNECTED.search(printed)), printed


def check_opencode(home: Path) -> Iterator[Check]:
    code, printed = run(home, "opencode", "debug", "config", "--pure")
    tree = str(home / ".cortex/context/**")
    understood = code == 0 and '"cortexfs"' in printed and tree in printed
    yield "debug config", understood, printed
    _, printed = run(home, "opencode", "mcp", "list", "--pure")
    yield "mcp list connects", bool(CONNECTED.search(printed)), printed
    plugin = home / ".config/opencode/plugins/cortexfs.js"
    code, printed = run(home, "node", "--input-type=module", "--check", feed=plugin.read_text())
    yield "the plugin is JavaScript", code == 0, printed


CLIENTS: dict[str, tuple[str, Callable[[Path], Iterator[Check]], list[str]]] = {
    "claude-code": ("claude", check_claude, []),
    "codex": ("codex", check_codex, []),
    "gemini": ("gemini", check_gemini, []),
    "opencode": ("opencode", check_opencode, ["--plugin"]),
}


def check_client(name: str) -> bool:
    """Set up one client in a new home, run its checks, and remove the setup; print each result."""
    program, checks, options = CLIENTS[name]
    if not shutil.which(program):
        print(f"{name}: not on the PATH")
        return True
    with tempfile.TemporaryDirectory(prefix="cortexfs-client-", ignore_cleanup_errors=True) as at:
        home = Path(at)
        (home / "app").mkdir()
        cortexfs(home, "init", str(home / ".cortex/context"))
        cortexfs(home, "setup", name, "--yes", "--allow-commands", *options)
        results = list(checks(home))
        cortexfs(home, "setup", name, "--remove", "--yes")
        results.append(("removed", not list((home / ".cortex/hooks").iterdir()), ""))
    for subject, passed, printed in results:
        print(f"{name}: {'ok' if passed else 'FAILED'}: {subject}")
        if not passed:
            print(printed)
    return all(passed for _, passed, _ in results)


if __name__ == "__main__":
    passed = [check_client(name) for name in sys.argv[1:] or CLIENTS]
    sys.exit(0 if all(passed) else 1)
