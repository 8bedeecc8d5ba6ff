"""A small tree with uncommitted work, in which commands are killed.

The clock is fixed, so a command writes the same bytes at every run; the result of each
undisturbed command is kept for comparison.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from command_server import run_forked

if TYPE_CHECKING:
    from collections.abc import Iterable

REPOSITORY = Path(__file__).resolve().parent.parent
CHATS = REPOSITORY / "tests/chats"
COMMANDS = {
    "new": ("new", "experiment", "-p", "alpha", "-s", "A summary | of its own", "-t", "codec"),
    "regen": ("index", "regen", "--all"),
    "drain": ("hook", "drain"),
    "undo": ("undo",),
    "mark": ("mark", "beta/EXP-002", "superseded", "--by", "beta/EXP-003", "--reason", "Bias"),
    "claim": ("task", "claim", "-p", "alpha", "--owner", "lab-1"),
    "issue": ("issue", "add", "Clock drifts", "-p", "alpha", "--problem", "3 s a day"),
    "accept": ("decision", "accept", "alpha/DR-0001"),
    "story": ("story", "import", str(CHATS / "road.txt"), "--name", "road", "-p", "alpha"),
    "rebuild": ("story", "rebuild", "road", "-p", "alpha"),
}
STORY_SETTINGS = """\
stories:
  messages-per-chunk: 1
  consolidation: {waiting: 2, chunks: 2, scenes: 2}
"""
"""Settings with which the chat of the tree gets other chunks, and scenes and arcs."""
CREATED_PATHS = {
    "new": "projects/alpha/experiments/EXP-003.md",
    "claim": "projects/alpha/TASKS.yaml",
    "issue": "projects/alpha/ISSUES.md",
    "story": "projects/alpha/chunks/CH-0002.md",
    "rebuild": "projects/alpha/scenes/SCN-001.md",
}
"""A file that shows that the command ran: the second time it does something else."""
COMPLETED_BY_REGEN = ("issue", "accept")
"""Commands that a second run refuses: `index regen` then updates the lists that the killed run
had not written."""
READ_PATHS = {
    "toolu_1": ("alpha", "EXP-001.md"),
    "toolu_2": ("alpha", "EXP-002.md"),
    "toolu_3": ("beta", "EXP-001.md"),
}
"""The notes in the spool: the client's id of the call, and the atom that was read."""
USER_FILES = {
    "projects/alpha/mission.md": "staged",
    "projects/alpha/STATUS.md": "staged, and edited again",
    "projects/alpha/roadmap.md": "edited",
    "projects/alpha/scratch.md": "new",
    "projects/beta/experiments/EXP-001.md": "edited",
}
"""Uncommitted work of the user."""

Snapshot = dict[str, bytes]


MIN_FREE_BYTES = 1 << 30


def memory_folder() -> str | None:
    """Return a folder in memory, if there is a large one: thousands of trees are made."""
    shared = "/dev/shm"  # noqa: S108 - what is made in it is private
    if not os.access(shared, os.W_OK):
        return None
    return shared if shutil.disk_usage(shared).free >= MIN_FREE_BYTES else None


@dataclass(frozen=True)
class ProcessResult:
    """Exit code of a command (below zero: the signal that killed it), and its output."""

    code: int
    out: str
    err: str


@dataclass
class Scene:
    """One folder with a home, a tree, and the seed that the tree is restored from."""

    folder: Path
    expected: dict[str, list[Snapshot]] = field(default_factory=dict)
    second: dict[str, int] = field(default_factory=dict)
    base: str = ""
    status: str = ""
    staged: str = ""

    @property
    def tree(self) -> Path:
        return self.folder / "tree"

    @property
    def environment(self) -> dict[str, str]:
        return {
            "PATH": os.environ["PATH"],
            "HOME": str(self.folder / "home"),
            "TMPDIR": str(self.folder / "temporary"),
            "GIT_CONFIG_NOSYSTEM": "1",
            "TZ": "UTC",
            "LANG": "C.UTF-8",
            "PYTHONPATH": str(REPOSITORY),
            "PYTHONHASHSEED": "0",  # the n-th system call is to be the same one at every run
            "PYTHONDONTWRITEBYTECODE": "1",
            "CORTEXFS_NOW": "2026-05-06T20:31:10+00:00",
            "CORTEXFS_DRAIN_QUIET": "off",  # no process in the background works beside a killed one
        }

    def words(self, command: str) -> list[str]:
        """Return the arguments of one of the commands."""
        return ["--root", str(self.tree), *COMMANDS[command]]

    def run(self, *argv: str, **more: str) -> ProcessResult:
        """Run a program; `more` is added to its environment."""
        done = subprocess.run(
            argv,
            cwd=self.folder,
            env={**self.environment, **more},
            capture_output=True,
            text=True,
            check=False,
        )
        return ProcessResult(done.returncode, done.stdout, done.stderr)

    def cortexfs(self, *words: str, before: str = "") -> ProcessResult:
        """Run any command on the tree; `before` is Python that its process runs first."""
        words = ("--root", str(self.tree), *words)
        done = run_forked(words, str(self.folder), self.environment, before=before)
        return ProcessResult(done.returncode, done.stdout, done.stderr)

    def plain(self, command: str) -> ProcessResult:
        """Run a command undisturbed."""
        return self.cortexfs(*COMMANDS[command])

    def next(self, command: str) -> ProcessResult:
        """Run a command again, and `index regen` if the command does not update the lists."""
        result = self.plain(command)
        if command in COMPLETED_BY_REGEN:
            regen = self.plain("regen")
            assert regen.code == 0, regen
        return result

    def git(self, *words: str) -> str:
        ran = self.run("git", "-C", str(self.tree), *words)
        assert ran.code == 0, ran
        return ran.out

    def restore(self) -> None:
        """Restore the tree from the seed."""
        shutil.rmtree(self.tree, ignore_errors=True)
        shutil.copytree(self.folder / "seed", self.tree, symlinks=True)

    def prepare(self, command: str) -> None:
        """Store, once, what a first and a second run of a command do; then restore the tree."""
        self.restore()
        if command in self.expected:
            return
        before, once = self.snapshot(), self.plain(command)
        assert once.code == 0, once
        after, twice = self.snapshot(), self.next(command)
        assert twice.code in {0, 3}, twice
        self.expected[command] = [before, after, self.snapshot()]
        self.second[command] = twice.code
        self.restore()

    def build(self, prepared: Iterable[str] = tuple(COMMANDS)) -> Scene:
        """Create the seed, and prepare some of the commands."""
        (self.folder / "home").mkdir(parents=True)
        (self.folder / "temporary").mkdir()
        identity = "[user]\n\tname = Ada\n\temail = ada@example.org\n"
        (self.folder / "home" / ".gitconfig").write_text(identity)
        self._create_atoms()
        self._spool()
        self._edit()
        shutil.copytree(self.tree, self.folder / "seed", symlinks=True)
        for command in prepared:
            self.prepare(command)
        self.restore()
        self.base = self.git("rev-parse", "HEAD").strip()
        self.status, self.staged = self.git_status(), self.git_staged()
        return self

    def git_status(self) -> str:
        return self.git("status", "--porcelain", "--untracked-files=all")

    def git_staged(self) -> str:
        return self.git("ls-files", "--stage", *USER_FILES) + self.git(
            "diff", "--cached", "--binary"
        )

    def snapshot(self) -> Snapshot:
        """Return every file outside `.git` and `.cortexfs` but the bulletin, with its bytes."""
        found = {}
        for above, folders, names in os.walk(self.tree):
            folders[:] = [name for name in folders if name not in {".git", ".cortexfs"}]
            for name in set(names) - {"BULLETIN.md"}:  # derived, and ignored by git
                path = Path(above, name)
                found[str(path.relative_to(self.tree))] = path.read_bytes()
        return found

    def _create_atoms(self) -> None:
        """Create two projects with atoms, two of them with reads, and one stale index."""
        self._do("init", str(self.tree))
        for project in ("alpha", "beta"):
            self._do("project", "new", project, "--goal", "To be killed at every step")
            self._atom(project, "experiments/EXP-001.md", "refs: 0\nlast-ref: null\n")
        self._atom("alpha", "experiments/EXP-002.md", "refs: 0\n")
        self._atom("alpha", "knowledge/K-001.md", "evidence: [EXP-001]\n")
        self._atom("beta", "experiments/EXP-002.md", "refs: 0\n")
        self._atom("beta", "experiments/EXP-003.md", "links: [EXP-001]\n")
        self._atom("beta", "knowledge/K-001.md", "evidence: [EXP-002]\n")
        self._do("index", "regen", "--all")
        self._add_decision_and_tasks()
        beginning = str(CHATS / "road_begin.txt")
        self._do("story", "import", beginning, "--name", "road", "-p", "alpha")
        (self.tree / "cortexfs.yaml").write_text(STORY_SETTINGS, encoding="utf-8")
        self._atom("alpha", "experiments/EXP-002.md", "refs: 0\nstatus: superseded:EXP-001\n")
        self.git("add", "projects", "cortexfs.yaml")
        self.git("commit", "--quiet", "--message", "by hand")
        words = ("-p", "alpha", "-s", "To be undone", "-t", "codec", "--evidence", "EXP-001")
        self._do("new", "knowledge", *words)

    def _add_decision_and_tasks(self) -> None:
        """Add a proposed decision and two tasks."""
        alternatives = ("--alternative", "One file", "--alternative", "A file a day")
        fields = (
            "-s",
            "Where results go",
            "-t",
            "codec",
            "--decision",
            "One file: it is read whole",
        )
        self._do("decision", "new", "-p", "alpha", *fields, *alternatives)
        for task in ("Time the decoder", "Plot the drift"):
            self._do("task", "add", task, "-p", "alpha", "--owner", "lab-1")

    def _do(self, *words: str) -> None:
        ran = self.cortexfs(*words)
        assert ran.code == 0, ran

    def _atom(self, project: str, place: str, more: str) -> None:
        ident = Path(place).stem
        head = f"id: {ident}\ndate: 2026-04-01\nproject: {project}\nsummary: Of {ident}\n"
        path = self.tree / "projects" / project / place
        path.write_text(f"---\n{head}tags: [codec]\n{more}---\n# {ident}\n")

    def _spool(self) -> None:
        new = self.tree / ".cortexfs" / "spool" / "new"
        new.mkdir(parents=True, exist_ok=True)
        (new.parent / "tmp").mkdir()
        (new.parent / "drain.lock").touch()
        for number, (call, (project, name)) in enumerate(READ_PATHS.items()):
            atom = self.tree / "projects" / project / "experiments" / name
            payload = {
                "hook_event_name": "PostToolUse",
                "session_id": "s",
                "cwd": str(self.tree),
                "tool_name": "Read",
                "tool_input": {"file_path": str(atom)},
                "tool_use_id": call,
            }
            (new / f"177809100000000000{number}.7").write_text(json.dumps(payload))

    def _edit(self) -> None:
        """Leave uncommitted work: staged, edited, both, and untracked."""
        for path, how in USER_FILES.items():
            file = self.tree / path
            text = file.read_text() if file.exists() else ""
            file.write_text(f"{text}\nA thought that is not finished.\n")
            if how.startswith("staged"):
                self.git("add", path)
            if how.endswith("again"):
                file.write_text(f"{file.read_text()}And a second one.\n")
