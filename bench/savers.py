"""Let several servers save at once on one tree: `python -m bench.savers`.

Eight servers save for a minute, each as fast as it is answered. Then what was acknowledged is
compared with the tree, and the commits, `cortexfs check` and the processes are looked at. Exit
code 1 if something was lost, saved twice, left uncommitted or left running.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from bench.mcp import Server, make_server_command
from bench.measure import make_environment

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

OBSERVATION = re.compile(r"(?ms)^id: (OBS-\d+)$.*?^summary: \"?(save \d+ of server \d+)")
SHOWN_COMMITS = 5


class Scene(NamedTuple):
    """A tree, and the environment of the programs that work on it."""

    tree: Path
    environ: Mapping[str, str]

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run a program in the tree."""
        return subprocess.run(
            words, cwd=self.tree, env=self.environ, text=True, capture_output=True, check=False
        )

    def run_cortexfs(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run a command of cortexfs on the tree."""
        return self.run(sys.executable, "-m", "cortexfs", "--root", str(self.tree), *words)


def main() -> int:
    """Let the servers save, and print what came of it."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--servers", type=int, default=8)
    asked.add_argument("--seconds", type=float, default=60)
    options = asked.parse_args()
    with tempfile.TemporaryDirectory(prefix="cortexfs-bench-") as folder:
        scene = Scene(Path(folder) / "tree", make_environment(Path(folder)))
        scene.tree.mkdir()
        scene.run_cortexfs("init")
        command = make_server_command(scene.tree)
        servers = [Server(command, scene.environ) for _ in range(options.servers)]
        saved = save_at_once(servers, options.seconds)
        flaws = list(find_flaws(scene, servers, saved, options.seconds))
    for flaw in flaws:
        print(f"FLAW: {flaw}")
    return 1 if flaws else 0


def save_at_once(servers: list[Server], seconds: float) -> list[str]:
    """Save with all servers until the time is over; return the titles that were acknowledged."""
    end = time.monotonic() + seconds
    with ThreadPoolExecutor(len(servers)) as threads:
        jobs = [
            threads.submit(lambda n=n, s=s: list(_save_until(s, n, end)))
            for n, s in enumerate(servers)
        ]
        return [title for job in jobs for title in job.result()]


def _save_until(server: Server, number: int, end: float) -> Iterator[str]:
    """Save one observation after another, in two projects in turn; give their titles."""
    count = 0
    while time.monotonic() < end:
        title = f"save {count} of server {number}"
        arguments = {"title": title, "content": f"**What**: {title}", "project": f"p{count % 2}"}
        result = server.ask("tools/call", {"name": "mem_save", "arguments": arguments})
        if result.get("isError"):
            print(f"refused: {title}: {result['content'][0]['text']}")
        else:
            yield title
        count += 1


def find_flaws(
    scene: Scene, servers: list[Server], saved: list[str], seconds: float
) -> Iterator[str]:
    """Stop the servers and give what is wrong afterwards; print the figures."""
    slowest = max(server.stop() for server in servers)
    print(f"{len(saved)} saves acknowledged; the slowest server ended after {slowest:.1f} s")
    yield from _find_lost(scene, saved)
    yield from _look_at_git(scene, seconds)
    check = scene.run_cortexfs("check")
    print(f"check: exit code {check.returncode}: {check.stdout.strip()}")
    if check.returncode:
        yield "check finds problems"
    running = [server.process.pid for server in servers if server.process.poll() is None]
    running += _list_processes(scene.tree)
    if running:
        yield f"processes still run: {running}"


def _find_lost(scene: Scene, saved: list[str]) -> Iterator[str]:
    """Give what was acknowledged but is not in the tree, and what is there twice."""
    texts = [path.read_text() for path in scene.tree.glob("projects/*/observations/OBS-*.md")]
    found = [match.groups() for text in texts if (match := OBSERVATION.search(text))]
    numbers, titles = Counter(ident for ident, _ in found), Counter(title for _, title in found)
    if lost := set(saved) - set(titles):
        yield f"{len(lost)} acknowledged saves are lost: {sorted(lost)[:SHOWN_COMMITS]}"
    for what, counted in (("numbers", numbers), ("titles", titles)):
        if twice := [each for each, count in counted.items() if count > 1]:
            yield f"{what} used twice: {twice[:SHOWN_COMMITS]}"


def _look_at_git(scene: Scene, seconds: float) -> Iterator[str]:
    """Print the newest commits; give more commits than one a second, and uncommitted files."""
    subjects = scene.run("git", "log", "--format=%h %s").stdout.splitlines()
    print(f"{len(subjects)} commits in {seconds:.0f} s", *subjects[:SHOWN_COMMITS], sep="\n  ")
    if len(subjects) > seconds * 1.1 + 5:
        yield f"{len(subjects)} commits in {seconds:.0f} s"
    if dirty := scene.run("git", "status", "--short").stdout.splitlines():
        yield f"{len(dirty)} files are not committed: {dirty[:SHOWN_COMMITS]}"
    if faults := scene.run("git", "fsck", "--no-dangling").stdout.strip():
        yield f"git fsck: {faults}"


def _list_processes(tree: Path) -> list[int]:
    """Return the processes whose command names the tree, or that work in it."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            named = str(tree).encode() in (folder / "cmdline").read_bytes()
            if named or (folder / "cwd").readlink().is_relative_to(tree):
                found.append(int(folder.name))
        except OSError:
            continue
    return found


if __name__ == "__main__":
    sys.exit(main())
