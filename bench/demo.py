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
LOOKS = REPOSITORY / "tests" / "looks"
RECORDED_AT = "/home/dev/.cortex/context"
RENAMED = {RECORDED_AT: None, "flywheel": "driftwood", "tactile-reasoning": "lighthouse"}
PATIENCE_S = 20


def main() -> None:
    """Play the scenes one after the other; any failure ends it with its exit code."""
    home = Path(tempfile.mkdtemp(prefix="cortexfs-demo-"))
    tree = home / ".cortex" / "context"
    world = _world(home)
    shutil.copytree(REPOSITORY / "sample-context", tree)

    scene("A copy of the sample tree, its indexes gone, becomes a repository")
    for index in tree.glob("projects/*/*/index.md"):
        index.unlink()
    run(["git", "init", "-q", "-b", "main"], tree, world)
    run(["git", "add", "."], tree, world)
    run(["git", "commit", "-qm", "start"], tree, world)

    scene("All indexes are rendered from the atoms and the access logs")
    cortexfs(tree, world, "index", "regen", "--all")
    cortexfs(tree, world, "list", "--project", "driftwood", "--hot")

    scene("A new experiment gets the next id, a template, its line in the index, and a commit")
    summary = "Delta of deltas on the noisy set"
    cortexfs(tree, world, "new", "experiment", "-p", "driftwood", "-s", summary, "-t", "codec")

    scene("Claude Code is told to run the hook; its settings keep all else")
    cortexfs(tree, world, "setup", "claude-code", "--yes")

    scene("Recorded payloads of the real client go through the installed hook")
    feed(home, tree, world)
    settle(tree)
    cortexfs(tree, world, "access", "log", "-n", "5")

    scene("The refs rise")
    cortexfs(tree, world, "index", "regen", "--all")
    cortexfs(tree, world, "access", "top", "-n", "5")

    work_goes_on(tree, world)

    scene("What came of it in git")
    run(["git", "log", "--oneline", "--stat", "--format=%h %s", "-3"], tree, world)
    run(["git", "status", "--short"], tree, world)
    print(f"\nThe copy lies in {tree}")


def work_goes_on(tree: Path, world: dict[str, str]) -> None:
    """Show what a day does to a project: a finding falls, a task is claimed, somebody new comes."""
    scene("An experiment falls: who cites it is listed, and what rests on it is challenged")
    cortexfs(tree, world, "mark", "driftwood/EXP-012", "superseded", "--by", "driftwood/EXP-014")

    scene("The next task is claimed, once, whoever asks")
    cortexfs(tree, world, "task", "claim", "--owner", "demo")

    scene("What would a session learn that has never seen a project?")
    cortexfs(tree, world, "check", "--fresh")


def feed(home: Path, tree: Path, world: dict[str, str]) -> None:
    """Run the hook command of the settings once for each payload, as the client would."""
    settings = json.loads((home / ".claude" / "settings.json").read_text())
    command = settings["hooks"]["PostToolUse"][0]["hooks"][0]["command"]
    payloads = sorted((LOOKS / "2.1.330").glob("away-*.json"))
    began = time.perf_counter()
    for payload in payloads:
        text = payload.read_text().replace(RECORDED_AT, str(tree))
        for old, new in list(RENAMED.items())[1:]:
            text = text.replace(old, str(new))
        subprocess.run(command, shell=True, input=text, text=True, env=world, check=True)  # noqa: S602 - as the client does
    each = (time.perf_counter() - began) / len(payloads) * 1000
    print(f"{len(payloads)} payloads, {each:.0f} ms each, shell included")


def settle(tree: Path) -> None:
    """Wait for the drain that the hook has started in the background."""
    waiting = tree / ".cortexfs" / "spool" / "new"
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until and any(waiting.iterdir()):
        time.sleep(0.1)


def cortexfs(tree: Path, world: dict[str, str], *words: str) -> None:
    """Run one command on the copy, and show it."""
    print(f"$ cortexfs {' '.join(word if ' ' not in word else repr(word) for word in words)}")
    command = [sys.executable, "-m", "cortexfs", "--root", str(tree), *words]
    subprocess.run(command, env=world, check=True)


def run(command: list[str], tree: Path, world: dict[str, str]) -> None:
    """Run another program in the copy, and show it."""
    print(f"$ {' '.join(command)}", flush=True)
    subprocess.run(command, cwd=tree, env=world, check=True)


def scene(title: str) -> None:
    """Head what follows."""
    print(f"\n── {title}", flush=True)


def _world(home: Path) -> dict[str, str]:
    """Give an environment in which nothing of the user's is read or written."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "TERM") if name in os.environ}
    (home / ".gitconfig").write_text("[user]\n\tname = Demo\n\temail = demo@example.org\n")
    return {**kept, "HOME": str(home), "PYTHONUNBUFFERED": "1"}


if __name__ == "__main__":
    main()
