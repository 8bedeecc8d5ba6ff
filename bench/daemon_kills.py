"""Kill the daemon again and again while people and agents work: `python -m bench.daemon_kills`.

In each round one or two daemons are started, atoms are edited and created, hooks write notes, a
server and a command save, and equal observations are left to maintenance. Meanwhile the daemon is
suspended, or it, its children or all of them are killed. After the last round the daemon runs until
nothing is left to do. Then nothing may be missing, logged twice, or in the way of a command. Exit
code 1 if something is wrong.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.corpus import write_corpus
from bench.daemon import is_prepared
from bench.mcp import Server, make_server_command
from bench.measure import make_environment
from bench.savers import Scene
from cortexfs.interfaces.cli.process_context import read_clock
from cortexfs.operations.refresh_bulletin import refresh_bulletin
from cortexfs.session.daemon_files import STATE_FILE, find_daemon, read_stored_state
from cortexfs.session.session import Session

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ATOMS = 60
ROUND_S = 1.0
"""Maximum seconds after which a round ends in a kill."""
DEADLINE_S = 60.0
NOTE_EVENT = Path(__file__).resolve().parent.parent / "hooks" / "note_event.py"
SETTINGS = "daemon:\n  bulletin: 10s\n  supervise: 5s\n  maintain: 60s\n  patterns: 60s\n"
ATOM = (
    "---\nid: {ident}\ndate: 2026-03-01\nproject: bench-000\nsummary: {summary}\ntags: [a]\n---\n\n"
    "## Background\n\nbody\n"
)
OBSERVATION = (
    "---\nid: {ident}\ndate: 2026-03-01\nproject: bench-000\nsummary: equal {number}\n"
    "tags: [manual]\ntype: manual\nscope: project\nsession: s\nrevision: 1\n"
    'created: "2026-03-01T06:00:0{turn}Z"\n---\n\nThe relay {number} has seven gates.\n'
)
FIRST_PAIR, FIRST_SAVE = 1000, 9000
"""Numbers of observations: equal pairs, and what is saved after the first."""
LOCKS = (".git/index.lock", ".git/HEAD.lock", ".git/refs/heads/main.lock")


@dataclass
class Work:
    """What was written to the tree so far, and what was acknowledged."""

    scene: Scene
    server: Server
    rng: random.Random
    summaries: dict[str, str] = field(default_factory=dict)
    """The last summary of each atom, by its path."""
    notes: list[str] = field(default_factory=list)
    saves: list[str] = field(default_factory=list)
    heads: list[str] = field(default_factory=list)
    flaws: list[str] = field(default_factory=list)

    def edit_and_create(self, number: int) -> None:
        """Save atoms as an editor does."""
        for ident in (f"EXP-{self.rng.randint(1, ATOMS):03d}", f"EXP-{1000 + number}"):
            path = f"projects/bench-000/experiments/{ident}.md"
            self.summaries[path] = f"walrus{number}x{self.rng.randint(0, 9999)}"
            text = ATOM.format(ident=ident, summary=self.summaries[path])
            draft = self.scene.tree / f"projects/bench-000/experiments/.{ident}.swp"
            draft.write_text(text)
            draft.rename(self.scene.tree / path)

    def note_read(self, number: int) -> None:
        """Let a hook note that an agent has read an atom."""
        call, file = f"call-{number}-{len(self.notes)}", f"EXP-{self.rng.randint(1, ATOMS):03d}.md"
        read = {"file_path": str(self.scene.tree / "projects/bench-000/experiments" / file)}
        event = {"hook_event_name": "PostToolUse", "tool_name": "Read", "tool_input": read}
        spool, tree = self.scene.tree / ".cortexfs/spool", str(self.scene.tree)
        words = [sys.executable, "-I", "-S", str(NOTE_EVENT), str(spool), tree]
        sent = json.dumps({**event, "tool_use_id": call, "session_id": "s", "cwd": tree})
        subprocess.run(
            words, input=sent, text=True, env=self.scene.environ, check=True, capture_output=True
        )
        self.notes.append(call)

    def save(self, number: int) -> None:
        """Save with a server, and with a command; both acknowledge."""
        title = f"save {number}"
        arguments = {"title": title, "content": f"**What**: {title}", "project": "bench-000"}
        answer = self.server.ask("tools/call", {"name": "mem_save", "arguments": arguments})
        self._expect(not answer.get("isError"), f"{title}: {answer['content']}")
        self.saves.append(title)
        if number % 3 == 0:
            ran = self.scene.run_cortexfs("new", "idea", "-s", f"idea {number}", "-t", "a")
            self._expect(ran.returncode == 0, f"new: {ran.stderr}")
            self.saves.append(f"idea {number}")

    def write_equal_pair(self, number: int) -> None:
        """Write two equal observations and commit them: maintenance merges them."""
        paths = []
        for turn in range(2):
            ident = f"OBS-{FIRST_PAIR + 1 + 2 * number + turn}"
            paths.append(f"projects/bench-000/observations/{ident}.md")
            text = OBSERVATION.format(ident=ident, number=number, turn=turn)
            (self.scene.tree / paths[-1]).write_text(text)
        ran = self.scene.run_cortexfs("commit", *paths)
        self._expect(ran.returncode == 0, f"commit: {ran.stderr}")

    def check_between(self, number: int) -> None:
        """Check what must hold at any time: one line of history, and no daemon that is dead."""
        head = self.scene.run("git", "rev-parse", "HEAD").stdout.strip()
        if self.heads:
            words = ("git", "merge-base", "--is-ancestor", self.heads[-1], head)
            self._expect(self.scene.run(*words).returncode == 0, f"round {number}: lost commits")
        self.heads.append(head)

    def _expect(self, holds: bool, flaw: str) -> None:
        if not holds:
            self.flaws.append(flaw)


def main() -> int:
    """Play the rounds, and print what is wrong afterwards."""
    asked = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    asked.add_argument("--rounds", type=int, default=40)
    asked.add_argument("--seed", type=int, default=0)
    options = asked.parse_args()
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # noqa: S108 - no disk is measured
    with tempfile.TemporaryDirectory(prefix="cortexfs-bench-", dir=memory) as folder:
        work = make_work(Path(folder), options.seed)
        began, ends = time.monotonic(), Counter[str]()
        for number in range(options.rounds):
            ends[play_round(work, number)] += 1
            work.check_between(number)
        work.server.stop()
        flaws = [*work.flaws, *find_flaws(work)]
        took = time.monotonic() - began
    for flaw in flaws:
        print(f"FLAW: {flaw}")
    print(f"{options.rounds} rounds ({_format_counts(ends)}) in {took:.0f} s: {len(flaws)} flaws")
    return 1 if flaws else 0


def make_work(folder: Path, seed: int) -> Work:
    """Return a tree with atoms, all committed, and a server that saves in it."""
    environ = {**make_environment(folder), "CORTEXFS_DRAIN_QUIET": "0.2"}
    scene = Scene(folder / "tree", environ)
    scene.tree.mkdir()
    scene.run_cortexfs("init")
    write_corpus(scene.tree, ATOMS)
    (scene.tree / "cortexfs.yaml").write_text(SETTINGS)
    observations = scene.tree / "projects/bench-000/observations"
    observations.mkdir()
    for number in (FIRST_PAIR, FIRST_SAVE):  # saves get numbers after the last one
        text = OBSERVATION.format(ident=f"OBS-{number}", number=number, turn=0)
        (observations / f"OBS-{number}.md").write_text(text)
    scene.run_cortexfs("index", "regen", "--all")
    scene.run("git", "add", ".")
    scene.run("git", "commit", "-qm", "corpus")
    server = Server(make_server_command(scene.tree), environ)
    return Work(scene, server, random.Random(seed))


def play_round(work: Work, number: int) -> str:
    """Start daemons, work, and end the daemon at a random moment; return how it ended."""
    root, rng = work.scene.tree, work.rng
    with suppress(FileNotFoundError):  # maintenance is then due after the warm-up
        (root / ".cortexfs" / STATE_FILE).unlink()
    words = [sys.executable, "-m", "cortexfs", "--root", str(root), "daemon", "start", "--json"]
    starts = [
        subprocess.Popen(
            words, env=work.scene.environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        for _ in range(rng.choice((1, 1, 2)))
    ]
    steps: list[Callable[[int], None]] = [work.edit_and_create, work.note_read, work.save]
    steps += [work.edit_and_create, work.note_read, work.write_equal_pair]
    rng.shuffle(steps)
    before, after = steps[:3], steps[3:]
    for step in before:
        step(number)
    answers = [(each.wait(), *each.communicate()) for each in starts]
    work.flaws += [f"start: {answer}" for answer in answers if answer[0]]
    time.sleep(rng.random() * ROUND_S)
    how = end_daemon(rng, str(root), number)
    for step in after:
        step(number)
    return how


def end_daemon(rng: random.Random, root: str, number: int) -> str:
    """End the daemon in one of several ways; return its name."""
    process = find_daemon(root)
    if process is None or not process.is_same_process():
        return "no daemon"
    if number % 5 == 0:
        os.kill(process.pid, signal.SIGSTOP)
        time.sleep(rng.random())
        os.kill(process.pid, signal.SIGCONT)
        time.sleep(rng.random() * ROUND_S / 2)
    how = rng.choice(("daemon", "all", "children", "left running", "terminated"))
    if how in {"all", "children"}:
        for child in list_children(process.pid):
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
    if how in {"daemon", "all"}:
        os.kill(process.pid, signal.SIGKILL)
    if how == "terminated":
        os.kill(process.pid, signal.SIGTERM)
    return how


def list_children(pid: int) -> list[int]:
    """Return the processes that a process has started, and that run."""
    found = []
    for path in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError):
            found += [int(each) for each in path.read_text().split()]
    return found


def find_flaws(work: Work) -> Iterator[str]:
    """Let one daemon finish the work, and yield what is wrong then."""
    scene = work.scene
    yield from _finish_work(work)
    session = Session.open(str(scene.tree), read_clock)
    if changed := refresh_bulletin(session, scene.environ).changed:
        yield f"rendered anew, these bulletins differ: {changed}"
    session.close()
    yield from _find_missing(work)
    yield from _find_flaws_in_git(scene)
    check = scene.run_cortexfs("check")
    if check.returncode:
        yield f"check: exit code {check.returncode}: {check.stdout[-2000:]}"
    yield from (f"{path} is left" for path in LOCKS if (scene.tree / path).exists())
    yield from (f"{path} is left" for path in scene.tree.rglob(".cortexfs-draft.*"))
    log = (scene.tree / ".cortexfs/daemon.log").read_text()
    if "bug" in log or "Traceback" in log:
        yield f"the log: {log[-2000:]}"


def _finish_work(work: Work) -> Iterator[str]:
    scene, root = work.scene, str(work.scene.tree)
    if scene.run_cortexfs("daemon", "start").returncode:
        yield "no daemon could be started"
        return
    process = find_daemon(root)
    if process is None or scene.run_cortexfs("daemon", "run").returncode != 4:
        yield "a second daemon could run"
        return
    if not _wait_until(lambda: is_prepared(scene.tree, process.pid)):
        yield "the warm-up does not end"
    if not _wait_until(lambda: _is_quiet(scene)):
        yield f"jobs go on, or notes wait: {read_stored_state(root)}"
    if scene.run_cortexfs("daemon", "stop").returncode or find_daemon(root):
        yield "the daemon could not be stopped"


def _is_quiet(scene: Scene) -> bool:
    """Return whether for a second no job of the daemon ran, and no note waits."""
    state = read_stored_state(str(scene.tree))
    waits = any((scene.tree / ".cortexfs/spool/new").glob("[0-9]*.[0-9]*"))
    if waits or not state or any(job.is_running for job in state.jobs):
        return False
    return time.time() - state.updated > 1.0


def _wait_until(is_true: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + DEADLINE_S
    while not is_true():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


def _find_missing(work: Work) -> Iterator[str]:
    """Yield each atom that catalog or index does not have, and each note not logged once."""
    scene = work.scene
    listed: dict[str, Any] = {
        each["path"]: each
        for each in json.loads(scene.run_cortexfs("list", "--json").stdout)["atoms"]
    }
    for path, summary in work.summaries.items():
        index = (scene.tree / path).with_name("index.md").read_text()
        if listed.get(path, {}).get("summary") != summary:
            yield f"the catalog has {listed.get(path)}, not {summary}"
        if summary not in index:
            yield f"the index has no {summary} of {path}"
    saved = Counter(each["summary"] for each in listed.values())
    yield from (f"{each} is there {saved[each]} times" for each in work.saves if saved[each] != 1)
    logs = scene.tree.glob("projects/*/_meta/access-log*.jsonl")
    lines = [json.loads(line) for log in logs for line in log.read_text().splitlines()]
    logged = Counter(line.get("note") for line in lines)

    wrong = [(each, logged[each]) for each in work.notes if logged[each] != 1]
    yield from (f"{call} was logged {count} times" for call, count in wrong)


def _find_flaws_in_git(scene: Scene) -> Iterator[str]:
    if merges := scene.run("git", "rev-list", "--merges", "HEAD").stdout.split():
        yield f"the history is not linear: {merges}"
    if faults := scene.run("git", "fsck", "--no-dangling").stdout.strip():
        yield f"git fsck: {faults}"
    dirty = scene.run("git", "status", "--short", "-uall").stdout.splitlines()
    if ours := [line for line in dirty if "/experiments/EXP-" not in line]:
        yield f"not committed: {ours}"


def _format_counts(counts: Counter[str]) -> str:
    return ", ".join(f"{name} {count}" for name, count in sorted(counts.items()))


if __name__ == "__main__":
    sys.exit(main())
