"""A small tree in the middle of a day's work, and what must hold when a command dies in it.

The clock is fixed, so that a command writes the same bytes at every run: whatever stands in
the tree when it has died must be a file of before or of after, never one between.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
COMMANDS = {
    "new": ("new", "experiment", "-p", "alpha", "-s", "A summary | of its own", "-t", "codec"),
    "regen": ("index", "regen", "--all"),
    "drain": ("hook", "drain"),
}
DRAFT = ".cortexfs-draft."
SEEN = {
    "toolu_1": ("alpha", "EXP-001.md"),
    "toolu_2": ("alpha", "EXP-002.md"),
    "toolu_3": ("beta", "EXP-001.md"),
}
"""What the notes in the spool tell of: the client's id of the call, the atom that it read."""
THEIRS = {
    "projects/alpha/mission.md": "staged",
    "projects/alpha/STATUS.md": "staged, and edited again",
    "projects/alpha/roadmap.md": "edited",
    "projects/alpha/scratch.md": "new",
    "projects/beta/experiments/EXP-001.md": "edited",
}
"""Work that a person has not committed yet."""

Photo = dict[str, bytes]


def memory() -> str | None:
    """Name a folder that lies in memory, where there is one: hundreds of trees are copied."""
    shared = "/dev/shm"  # noqa: S108 - what is made in it is private
    return shared if os.access(shared, os.W_OK) else None


@dataclass(frozen=True)
class Ended:
    """How a command ended (below zero: the signal that killed it), and what it said."""

    code: int
    out: str
    err: str


@dataclass
class Scene:
    """One folder with a home, a tree, and the seed that the tree is put back from."""

    folder: Path
    expected: dict[str, list[Photo]] = field(default_factory=dict)
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
            "GIT_CONFIG_NOSYSTEM": "1",
            "TZ": "UTC",
            "LANG": "C.UTF-8",
            "PYTHONPATH": str(REPOSITORY),
            "PYTHONHASHSEED": "0",  # the n-th system call is to be the same one at every run
            "PYTHONDONTWRITEBYTECODE": "1",
            "CORTEXFS_NOW": "2026-05-06T20:31:10+00:00",
        }

    def words(self, verb: str) -> list[str]:
        """Give the arguments of one of the commands."""
        return ["--root", str(self.tree), *COMMANDS[verb]]

    def run(self, *argv: str, **more: str) -> Ended:
        done = subprocess.run(
            argv,
            cwd=self.folder,
            env={**self.environment, **more},
            capture_output=True,
            text=True,
            check=False,
        )
        return Ended(done.returncode, done.stdout, done.stderr)

    def plain(self, verb: str) -> Ended:
        """Run a command as anybody would."""
        return self.run(sys.executable, "-m", "cortexfs", *self.words(verb))

    def git(self, *words: str) -> str:
        ran = self.run("git", "-C", str(self.tree), *words)
        assert ran.code == 0, ran
        return ran.out

    def restore(self) -> None:
        """Put the tree back to what it was."""
        shutil.rmtree(self.tree, ignore_errors=True)
        copied = ["cp", "-a", str(self.folder / "seed"), str(self.tree)]
        subprocess.run(copied, check=True)

    def build(self) -> Scene:
        """Make the seed, and learn what each command makes of it at the first and second run."""
        (self.folder / "home").mkdir(parents=True)
        identity = "[user]\n\tname = Ada\n\temail = ada@example.org\n"
        (self.folder / "home" / ".gitconfig").write_text(identity)
        self._grow()
        self._spool()
        self._edit()
        shutil.copytree(self.tree, self.folder / "seed", symlinks=True)
        for verb in COMMANDS:
            self.restore()
            self.expected[verb] = [self.photo()]
            for _ in range(2):
                ended = self.plain(verb)
                assert ended.code == 0, ended
                self.expected[verb].append(self.photo())
        self.restore()
        self.base = self.git("rev-parse", "HEAD").strip()
        self.status, self.staged = self.git_status(), self.git_staged()
        return self

    def git_status(self) -> str:
        return self.git("status", "--porcelain", "--untracked-files=all")

    def git_staged(self) -> str:
        return self.git("ls-files", "--stage", *THEIRS) + self.git("diff", "--cached", "--binary")

    def photo(self) -> Photo:
        """Give every file that is not git's or the catalog's, with its bytes."""
        found = {}
        for above, folders, names in os.walk(self.tree):
            folders[:] = [name for name in folders if name not in {".git", ".cortexfs"}]
            for name in names:
                path = Path(above, name)
                found[str(path.relative_to(self.tree))] = path.read_bytes()
        return found

    def _grow(self) -> None:
        """Make two projects with atoms, of which two carry refs, and one stale index."""
        self._do("init", str(self.tree))
        for project in ("alpha", "beta"):
            self._do("project", "new", project, "--goal", "To be killed at every step")
            self._atom(project, "experiments/EXP-001.md", "refs: 0\nlast-ref: null\n")
        self._atom("alpha", "experiments/EXP-002.md", "refs: 0\n")
        self._atom("alpha", "knowledge/K-001.md", "evidence: [EXP-001]\n")
        self._do("index", "regen", "--all")
        self._atom("alpha", "experiments/EXP-002.md", "refs: 0\nstatus: superseded:EXP-001\n")
        self.git("add", "projects")
        self.git("commit", "--quiet", "--message", "by hand")

    def _do(self, *words: str) -> None:
        root = () if words[0] == "init" else ("--root", str(self.tree))
        ran = self.run(sys.executable, "-m", "cortexfs", *words, *root)
        assert ran.code == 0, ran

    def _atom(self, project: str, place: str, more: str) -> None:
        ident = Path(place).stem
        head = f"id: {ident}\ndate: 2026-04-01\nproject: {project}\nsummary: Of {ident}\n"
        path = self.tree / "projects" / project / place
        path.write_text(f"---\n{head}tags: [codec]\n{more}---\n# {ident}\n")

    def _spool(self) -> None:
        new = self.tree / ".cortexfs" / "spool" / "new"
        new.mkdir(parents=True)
        (new.parent / "tmp").mkdir()
        (new.parent / "awake").touch()
        for number, (call, (project, name)) in enumerate(SEEN.items()):
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
        """Leave a person's work: staged, edited, both, and not known to git."""
        for path, how in THEIRS.items():
            file = self.tree / path
            text = file.read_text() if file.exists() else ""
            file.write_text(f"{text}\nA thought that is not finished.\n")
            if how.startswith("staged"):
                self.git("add", path)
            if how.endswith("again"):
                file.write_text(f"{file.read_text()}And a second one.\n")


def wrong_at_death(scene: Scene, verb: str, ended: Ended) -> list[str]:
    """Tell what is wrong with the tree just after a command has died or failed."""
    before, once, _ = scene.expected[verb]
    found = []
    for path, content in scene.photo().items():
        if Path(path).name.startswith(DRAFT):
            continue
        if path.endswith(".jsonl") and content == b"" and path not in before:
            continue
        if content not in (before.get(path), once.get(path)):
            found.append(f"{path} is neither as before nor as after: {content[:80]!r}")
    found += [f"{path} is gone" for path in before if not (scene.tree / path).exists()]
    if verb == "new" and "EXP-003" in ended.out and not _made(scene).exists():
        found.append("EXP-003 was acknowledged and is not there")
    waiting = {json.loads(note)["tool_use_id"] for note in _notes(scene)}
    lost = set(SEEN) - waiting - {call for call, _ in logged(scene)}
    return found + [f"the note of {call} is lost" for call in sorted(lost)]


def wrong_afterwards(scene: Scene, verb: str, first: Ended) -> list[str]:
    """Run the same command plainly, and tell what is wrong with all that is there then."""
    made = verb == "new" and _made(scene).exists()
    again = scene.plain(verb)
    if again.code:
        return [f"the next run ended with {again.code}: {again.err.strip()}"]
    found = []
    expected = scene.expected[verb][2 if made else 1]
    seen = {path: body for path, body in scene.photo().items() if expected.get(path) != body}
    missing = sorted(expected.keys() - scene.photo().keys())
    found += [f"after the next run {path} is not as it should be" for path in [*seen, *missing]]
    if first.code == 0 and verb == "new" and not made:
        found.append("the command reported success and made nothing")
    events = sorted(logged(scene))
    if events != sorted((call, name) for call, (_, name) in SEEN.items()):
        found.append(f"the logs say {events}")
    return found + wrong_in_git(scene)


def wrong_in_git(scene: Scene) -> list[str]:
    """Tell what is wrong with the repository, and with what a person has unfinished in it."""
    found = []
    fsck = scene.run("git", "-C", str(scene.tree), "fsck", "--strict", "--no-dangling")
    if fsck.code or fsck.err.strip():
        found.append(f"git fsck: {fsck.out}{fsck.err}")
    if (status := scene.git_status()) != scene.status:
        found.append(f"git status says {status!r}")
    if scene.staged != scene.git_staged():
        found.append("what the person has staged is not as it was")
    parents = scene.git("log", "--format=%P", f"{scene.base}..HEAD").splitlines()
    if any(" " in parent for parent in parents):
        found.append("the history is not linear")
    ours = scene.git("diff", "--name-only", scene.base, "HEAD").splitlines()
    found += [f"our commits hold {path}" for path in ours if path in THEIRS]
    locks = [str(path) for path in (scene.tree / ".git").rglob("*.lock")]
    return found + [f"{lock} is left" for lock in locks]


def wrong_refusal(ended: Ended) -> list[str]:
    """Tell what is wrong with the way in which a command reported an error of the system."""
    if ended.code == 0:
        return []
    lines = ended.err.strip().splitlines()
    told = bool(lines) and lines[0].startswith("error: ") and ended.code in {3, 4}
    short = len(lines) == 1 or (len(lines) == 2 and lines[1].startswith(" hint: "))
    return [] if told and short else [f"it ended with {ended.code} and said {ended.err[-400:]!r}"]


def logged(scene: Scene) -> list[tuple[str, str]]:
    """Read the access logs line by line: the call, and the atom that it read."""
    logs = sorted(scene.tree.glob("projects/*/_meta/*.jsonl"))
    rows = [json.loads(line) for log in logs for line in log.read_text().splitlines()]
    return [(row["note"], row["file"]) for row in rows]


def _notes(scene: Scene) -> list[bytes]:
    return [note.read_bytes() for note in (scene.tree / ".cortexfs/spool/new").iterdir()]


def _made(scene: Scene) -> Path:
    return scene.tree / "projects/alpha/experiments/EXP-003.md"
