"""Measure how much later a turn of Claude Code ends because of our hooks.

    python tests/clients/check_turn_delay.py [TURNS]

Three sessions run at once, each with settings of its own: without hooks, with those of `setup`, and
with an empty interpreter (`python3 -c pass`) at the same two events of a turn. They take turns with
a scripted model, one after the other, so that a busy machine slows them alike. The drain of ours
waits for a quiet time, which the turns do not leave it. A turn lasts from the prompt until the
result. Exit code 1 if ours take longer than two empty interpreters. Not a part of `make test`.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from bulletin_tree import make_tree
from check_agents import AGENTS
from check_real_clients import cortexfs, make_environ
from scripted_model import serve_model

TURNS, WARM_UP = 60, 3
CLAUDE = next(agent for agent in AGENTS if agent.program == "claude")
COMMAND = ("claude", "-p", "--verbose", "--input-format", "stream-json")
TURN_EVENTS = ("UserPromptSubmit", "Stop")
PROMPTS = ("Why are varint residuals slow to decode?", "go on", "Show the cache block of a table.")


def main(turns: int) -> int:
    """Print the median of each session's turns, and the delays."""
    with tempfile.TemporaryDirectory(prefix="cortexfs-turn-", ignore_cleanup_errors=True) as at:
        home = Path(at)
        (home / "app").mkdir()
        make_tree(home, 500)
        cortexfs(home, "setup", "claude-code", "--yes")
        times = measure(home, write_settings(home), turns)
    base = times["no hooks"]
    medians = {}
    for name, taken in times.items():
        added = [each - none for each, none in zip(taken, base, strict=True)]
        medians[name] = statistics.median(added)
        print(f"{name}: {statistics.median(taken):.1f} ms, added {medians[name]:.1f} ms")
    ratio = medians["ours"] / medians["empty interpreters"]
    print(f"ours / empty interpreters: {ratio:.2f}")
    return 0 if ratio <= 1 else 1


def write_settings(home: Path) -> dict[str, Path]:
    """Return a settings file for each session; the user's settings are moved away."""
    own = home / ".claude/settings.json"
    hooks = json.loads(own.read_text())["hooks"]
    own.unlink()
    command = {"type": "command", "command": f"{sys.executable} -c pass", "timeout": 10}
    empty = {event: [{"hooks": [command]}] for event in TURN_EVENTS}
    paths = {}
    for name, each in {"no hooks": {}, "ours": hooks, "empty interpreters": empty}.items():
        paths[name] = home / f"{name.replace(' ', '-')}.json"
        paths[name].write_text(json.dumps({"hooks": each}))
    return paths


def measure(home: Path, settings: dict[str, Path], turns: int) -> dict[str, list[float]]:
    """Return the milliseconds of each turn, without the first ones."""
    times: dict[str, list[float]] = {name: [] for name in settings}
    with serve_model([]) as model, ExitStack() as stack:
        environ = make_environ(home) | CLAUDE.environ(model.url)
        sessions = {}
        for name, path in settings.items():
            words = [*COMMAND, "--output-format", "stream-json", "--settings", str(path)]
            sessions[name] = stack.enter_context(start_session(words, home, environ))
        for turn in range(turns + WARM_UP):
            for name, session in sessions.items():
                taken = take_turn(session, f"{PROMPTS[turn % len(PROMPTS)]} ({turn})")
                if turn >= WARM_UP:
                    times[name].append(taken)
        for session in sessions.values():
            session.communicate(timeout=60)
    given = sum('source=\\"bulletin/app' in json.dumps(each) for each in model.requests)
    if not turns <= given <= turns + 2 * WARM_UP:
        raise SystemExit(f"{given} requests have the bulletin: the hooks did not run")
    return times


def start_session(words: list[str], home: Path, environ: dict[str, str]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        words, cwd=home / "app", env=environ, text=True, bufsize=1,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    )  # fmt: skip


def take_turn(session: subprocess.Popen[str], prompt: str) -> float:
    """Send a prompt; return the milliseconds until the turn is over."""
    assert session.stdin
    assert session.stdout
    message: dict[str, Any] = {"role": "user", "content": prompt}
    start = time.perf_counter()
    session.stdin.write(json.dumps({"type": "user", "message": message}) + "\n")
    for line in session.stdout:
        if json.loads(line).get("type") == "result":
            return (time.perf_counter() - start) * 1000
    raise SystemExit("the session has ended")


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if sys.argv[1:] else TURNS))
