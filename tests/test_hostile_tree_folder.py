"""Whatever replaces a file or folder of the tree: each command ends, and harms nothing outside.

Every path is replaced in turn by everything that a file system knows; a sample of it by default.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING, NamedTuple

import pytest
from hostile_paths import forget_original, remove_tree, replace, snapshot_outside, snapshot_times
from pages import REPOSITORY
from place import Place
from soak_cases import leave_to_soak
from unprivileged import drop_capabilities

from cortexfs.operations.own_commands import list_package_folders

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Pick

LIMIT_S = 10
"""Seconds that a command or hook may take."""

SAMPLE = {
    "symlink": (".cortexfs/spool", "show flywheel/EXP-001"),
    "pipe": (".cortexfs/lock", "commit"),
    "socket": (".cortexfs/pending.jsonl", "index regen --all"),
    "folder": ("projects/flywheel/_meta/access-log.jsonl", "hook drain"),
    "garbage": (".cortexfs/catalog", "list"),
    "large": ("projects/flywheel/STATUS.md", "check --fix"),
    "traversal": (".cortexfs/spool/new/", "hook drain"),
    "mode 000": ("projects/flywheel/experiments", "new"),
}
"""What something is replaced by; the path, or how it begins, and the command that is tried."""

COMMANDS = (
    "list",
    "find wheel",
    "show flywheel/EXP-001",
    "new experiment -p flywheel -s one-of-its-own -t t",
    "mark flywheel/EXP-001 challenged --reason because --cause flywheel/EXP-002",
    "commit",
    "check",
    "check --fix",
    "index regen --all",
    "undo",
    "doctor",
    "hook drain",
)
HOOKS = ("note", "guard before", "guard after")

FILES = (
    *("CORTEX.md", "OVERVIEW.md", "cortexfs.yaml", "decisions", "ideas", "scans", "user/USER.md"),
    *(".gitattributes", ".gitignore", "projects"),
    "projects/flywheel",
    "projects/flywheel/_meta",
    "projects/flywheel/_meta/access-log.jsonl",
    "projects/flywheel/experiments",
    "projects/flywheel/experiments/EXP-001.md",
    "projects/flywheel/experiments/index.md",
    *(f"projects/flywheel/{name}" for name in ("CORTEX.md", "STATUS.md", "TASKS.yaml")),
    *(f"projects/flywheel/{name}" for name in ("mission.md", "roadmap.md", "ISSUES.md")),
)
"""One of every kind of file and folder that the tree itself has; an idea and a decision too."""

OWN = {
    "pending.jsonl": '{"message": "m", "digests": {"CORTEX.md": "0"}}\n',
    "replaced/CORTEX.md.0": "an earlier text\n",
    "crash/20260506T203110-7.txt": "a report\n",
    "spool/tmp/1778090000000000001.7": "{}",
    "spool/drain.lock": "",
    "embedding": "",
}
"""What no command of the seed leaves below `.cortexfs`."""


class Scene(NamedTuple):
    """A tree, and what lies beside it."""

    place: Place
    outside: Path


def payload(root: Path, tool: str, when: str) -> str:
    """Return an event of an agent's client about an atom."""
    path = root / "projects/flywheel/experiments/EXP-001.md"
    asked = {"file_path": str(path), "content": "---\nid: EXP-001\n---\n"}
    event = {"hook_event_name": when, "session_id": "s", "cwd": str(root), "tool_use_id": "t"}
    return json.dumps({**event, "tool_name": tool, "tool_input": asked})


def traversal(path: str, root: Path) -> bytes:
    """Return a text that leads outside as far as a file of its kind can."""
    away = "../" * 8 + str(root.parent / "outside/witness.md").lstrip("/")
    if path.endswith(".jsonl"):
        log = {"file": away, "tool": "Read", "ts": "2026-01-01T00:00:00Z"}
        journal = {"message": "m", "digests": {away: "*", "../outside/witness.md": "-"}}
        return f"{json.dumps(log)}\n{json.dumps(journal)}\n".encode()
    if "/spool/" in path:
        return payload(root, "Read", "PostToolUse").replace(str(root), "/../../..").encode()
    if path.endswith(".yaml"):
        kind = f"kinds:\n  {away}:\n    folder: {away}\n    prefix: {away}\n"
        return f"{kind}tasks:\n- id: aaaa\n  text: {away}\n  plan: {away}\n".encode()
    head = f"---\nid: {away}\nproject: {away}\ndate: 2026-01-01\nsummary: {away}\ntags: []\n"
    return f"{head}links: [{away}]\n---\n[a]({away}) ![[{away}]] `{away}:1`\n".encode()


@pytest.fixture(scope="module")
def seed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tree that has one of each kind of file, and all that may lie below `.cortexfs`."""
    folder = tmp_path_factory.mktemp("seed")
    place = Place(folder / "tree")
    (folder / "gitconfig").write_text("[user]\nname = Ada\nemail = ada@example.org\n")
    env = {"HOME": str(folder), "GIT_CONFIG_GLOBAL": str(folder / "gitconfig")}
    words = [sys.executable, "-m", "cortexfs", "init", str(place.root)]
    subprocess.run(words, check=True, capture_output=True, env=os.environ | env)
    weighed = "--alternative one --alternative two --decision one"
    for command in (
        "project new flywheel --goal spin",
        "new experiment -p flywheel -s wheel -t t",
        "new experiment -p flywheel -s another-one -t t",
        f"decision new -p flywheel -s store -t t {weighed}",
        "task add Spin -p flywheel",
        f"scan new --scope all --body-file {place.root}/OVERVIEW.md",
        "idea new Spin-faster. -t t",
        "index regen --all",
    ):
        place.ok(*command.split(), **env)
    place.write("cortexfs.yaml", "caps:\n  STATUS.md: {lines: 100}\n")
    atom = place.root / "projects/flywheel/experiments/EXP-001.md"
    shutil.copy(atom, folder / "atom")
    note(place, env)
    place.ok("hook", "drain", **env)
    note(place, env)
    own = place.root / ".cortexfs"
    for path, text in OWN.items():
        (own / path).parent.mkdir(exist_ok=True)
        (own / path).write_text(text)
    catalog = next(own.glob("catalog-v*.sqlite"))
    for end in ("-wal", "-shm", ".seal"):
        catalog.with_name(catalog.name + end).touch()
    shutil.copy(catalog, own / "vectors-v1.sqlite")
    return folder


def note(place: Place, env: dict[str, str]) -> None:
    """Leave a note as the agent's client does."""
    assert run_hook(place, "note", env)[0] == 0


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    """A place for a copy of it, beside a folder that nothing may change."""
    scene = Scene(Place(tmp_path / "tree"), tmp_path / "outside")
    scene.outside.mkdir()
    (tmp_path / "temporary").mkdir()
    (scene.outside / "witness.md").write_text("nobody may change this\n")
    os.utime(scene.outside / "witness.md", (1, 1))
    return scene


def all_paths(root: Path) -> list[str]:
    """Name what is replaced: every path below `.cortexfs`, and one of each kind of the rest."""
    own = [str(path.relative_to(root)) for path in sorted((root / ".cortexfs").rglob("*"))]
    one_each = ("ideas", "scans", "projects/flywheel/decisions")
    atoms = [next((root / folder).glob("*-*.md")) for folder in one_each]
    return [".cortexfs", *own, *FILES, *(str(atom.relative_to(root)) for atom in atoms)]


def run(place: Place, words: list[str], feed: str, env: dict[str, str]) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, *words],
        input=feed.encode(),
        capture_output=True,
        timeout=LIMIT_S,
        cwd=place.root.parent,
        env=os.environ | {"TMPDIR": str(place.root.parent / "temporary")} | env,
        preexec_fn=drop_capabilities,
        check=False,
    )
    return done.returncode, (done.stdout + done.stderr).decode(errors="replace")


def run_hook(place: Place, hook: str, env: dict[str, str]) -> tuple[int, str]:
    root = str(place.root)
    words = [
        "-I",
        "-S",
        str(REPOSITORY / "hooks/guard.py"),
        root,
        root,
        "--",
        *list_package_folders(),
    ]
    if hook == "note":
        script = REPOSITORY / "hooks/note_event.py"
        words = ["-I", "-S", str(script), f"{root}/.cortexfs/spool", root]
    when = "PreToolUse" if hook == "guard before" else "PostToolUse"
    return run(place, words, payload(place.root, "Read" if hook == "note" else "Write", when), env)


def run_command(place: Place, command: str) -> tuple[int, str]:
    words = ["-m", "cortexfs", "--root", str(place.root), *command.split()]
    return run(place, words, "", {"CORTEXFS_LOCK_WAIT": "1"})


def wrong(scene: Scene, command: str) -> list[str]:
    """Run a command or hook, and return what it has done that it may not do."""
    beside = scene.outside.parent
    before, times = snapshot_outside(beside), snapshot_times(scene.outside)
    try:
        if command in HOOKS:
            code, text = run_hook(scene.place, command, {})
        else:
            code, text = run_command(scene.place, command)
    except subprocess.TimeoutExpired:
        return [f"`{command}` did not end"]
    found = [] if code in ({0} if command in HOOKS else {0, 1, 2, 3, 4}) else [f"ends with {code}"]
    found += ["has a traceback"] if "Traceback" in text or "guard failed" in text else []
    found += ["changes what lies outside"] if snapshot_outside(beside) != before else []
    found += ["writes outside"] if snapshot_times(scene.outside) != times else []
    return [f"`{command}` {what}\n{text[-2000:]}" for what in found]


@pytest.mark.parametrize("kind", leave_to_soak(SAMPLE, every=4))
def test_each_command_ends_and_harms_nothing(
    seed: Path, scene: Scene, kind: str, soak: bool, pick: Pick
) -> None:
    whole = seed / "tree"
    paths, commands = all_paths(whole), (*COMMANDS, *HOOKS)
    if soak:
        paths = pick(paths, 4)
    else:
        path, first = SAMPLE[kind]
        paths = [next(each for each in paths if each.startswith(path))]
        commands = (next(each for each in COMMANDS if each.startswith(first)), *HOOKS[:2])
    found = []
    for path in paths:
        shutil.copytree(whole, scene.place.root, symlinks=True)
        text = traversal(path, scene.place.root)
        if os.path.lexists(scene.place.root / path):  # else of a drain that has ended since
            replace(scene.place.root / path, kind, scene.outside, text)
            for command in commands:
                found += [f"{path}: {kind}: {line}" for line in wrong(scene, command)]
        remove_tree(scene.place.root)
        forget_original(scene.outside)
    assert not found, "\n".join(found)
