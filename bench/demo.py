"""Show what cortexfs does, on a copy of the sample tree: `make demo`."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
EVENTS = REPOSITORY / "tests" / "looks"
RECORDED_AT = "/home/dev/.cortex/context"
RENAMED = {RECORDED_AT: None, "flywheel": "driftwood", "tactile-reasoning": "lighthouse"}
TIMEOUT_S = 20


def main() -> None:
    """Run all steps in order; a failure ends the demo with its exit code."""
    home = Path(tempfile.mkdtemp(prefix="cortexfs-demo-"))
    tree = home / ".cortex" / "context"
    world = _make_environment(home)
    shutil.copytree(REPOSITORY / "sample-context", tree)

    print_heading("A copy of the sample tree, its indexes gone, becomes a repository")
    for index in tree.glob("projects/*/*/index.md"):
        index.unlink()
    run_program(["git", "init", "-q", "-b", "main"], tree, world)
    run_program(["git", "add", "."], tree, world)
    run_program(["git", "commit", "-qm", "start"], tree, world)

    print_heading("All indexes are rendered from the atoms and the access logs")
    run_cortexfs(tree, world, "index", "regen", "--all")
    run_cortexfs(tree, world, "list", "--project", "driftwood", "--hot")

    print_heading(
        "A new experiment gets the next id, a template, its line in the index, and a commit"
    )
    summary = "Delta of deltas on the noisy set"
    run_cortexfs(tree, world, "new", "experiment", "-p", "driftwood", "-s", summary, "-t", "codec")

    print_heading(
        "The hooks are added to the settings of Claude Code; the rest of the settings stays"
    )
    run_cortexfs(tree, world, "setup", "claude-code", "--yes")

    print_heading("Recorded payloads of the real client go through the installed hook")
    send_events(home, tree, world)
    wait_for_drain(tree)
    run_cortexfs(tree, world, "access", "log", "-n", "5")

    print_heading("The read counts rise")
    run_cortexfs(tree, world, "index", "regen", "--all")
    run_cortexfs(tree, world, "access", "top", "-n", "5")

    show_daily_work(tree, world)

    print_heading("The result in git")
    run_program(["git", "log", "--oneline", "--stat", "--format=%h %s", "-3"], tree, world)
    run_program(["git", "status", "--short"], tree, world)
    print(f"\nThe copy is in {tree}")


def show_daily_work(tree: Path, world: dict[str, str]) -> None:
    """Show daily work: a result is superseded, a task is claimed, a new session begins."""
    print_heading(
        "An experiment is superseded: what cites it is listed, and what depends on it is challenged"
    )
    run_cortexfs(
        tree, world, "mark", "driftwood/EXP-012", "superseded", "--by", "driftwood/EXP-014"
    )

    print_heading("The next task is claimed; nobody else can claim it")
    run_cortexfs(tree, world, "task", "claim", "--owner", "demo")

    print_heading("What does a new session learn about a project?")
    run_cortexfs(tree, world, "check", "--fresh")


def send_events(home: Path, tree: Path, world: dict[str, str]) -> None:
    """Run the hook command of the settings once for each payload, as the client would."""
    settings = json.loads((home / ".claude" / "settings.json").read_text())
    command = settings["hooks"]["PostToolUse"][0]["hooks"][0]["command"]
    payloads = sorted((EVENTS / "2.1.330").glob("away-*.json"))
    began, given = time.perf_counter(), list[str]()
    for payload in payloads:
        text = payload.read_text().replace(RECORDED_AT, str(tree))
        for old, new in list(RENAMED.items())[1:]:
            text = text.replace(old, str(new))
        done = subprocess.run(  # noqa: S602 - as the client does
            command, shell=True, input=text, text=True, env=world, check=True, capture_output=True
        )
        given += [done.stdout] if done.stdout else []
    each = (time.perf_counter() - began) / len(payloads) * 1000
    print(f"{len(payloads)} payloads, {each:.0f} ms each, shell included")
    print(f"{len(given)} reads gave the agent what the CORTEX.md files above the file say:")
    print(f"{given[0][:400]} …")


def wait_for_drain(tree: Path) -> None:
    """Wait for the drain that the hook has started in the background."""
    waiting = tree / ".cortexfs" / "spool" / "new"
    until = time.monotonic() + TIMEOUT_S
    while time.monotonic() < until and any(waiting.iterdir()):
        time.sleep(0.1)


def run_cortexfs(tree: Path, world: dict[str, str], *words: str) -> None:
    """Run one command on the copy, and show it."""
    shown = " ".join(word if " " not in word else repr(word) for word in words)
    print(f"$ cortexfs {shown}", flush=True)
    command = [sys.executable, "-m", "cortexfs", "--root", str(tree), *words]
    subprocess.run(command, env=world, check=True)


def run_program(command: list[str], tree: Path, world: dict[str, str]) -> None:
    """Run another program in the copy, and show it."""
    print(f"$ {' '.join(command)}", flush=True)
    subprocess.run(command, cwd=tree, env=world, check=True)


def print_heading(title: str) -> None:
    """Print the heading of a step."""
    print(f"\n── {title}", flush=True)


def _make_environment(home: Path) -> dict[str, str]:
    """Return an environment in which no file of the user is read or written."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "TERM") if name in os.environ}
    (home / ".gitconfig").write_text("[user]\n\tname = Demo\n\temail = demo@example.org\n")
    return {**kept, "HOME": str(home), "PYTHONUNBUFFERED": "1"}


if __name__ == "__main__":
    main()
