"""Whatever a person does to a file while a command runs, at whatever step, git keeps it.

A hook in the command's process (`sys.addaudithook`) lets the person act just before its n-th
open, rename, link, unlink or mkdir, or start of git. A `cortexfs commit` follows; then every line
that the person wrote is in the history or in the tree, and so is what the command made.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest
from crash_scene import COMMANDS, MADE, Ended, Scene, memory

if TYPE_CHECKING:
    from collections.abc import Iterator

SHIM = """
import os, sys

record, number, act, victim = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4]
del sys.argv[1:5]
EVENTS = {"open", "os.rename", "os.link", "os.remove", "os.mkdir", "subprocess.Popen"}
count, mine, tree = 0, False, sys.argv[2]


def is_write(event, args):
    writes = os.O_WRONLY | os.O_RDWR | os.O_CREAT
    return event != "open" or (isinstance(args[2], int) and args[2] & writes)


def hook(event, args):
    global count, mine
    if mine or event not in EVENTS or not is_write(event, args):
        return
    count += 1
    mine = True
    try:
        if record:
            with open(record, "a") as file:
                file.write(event + "\\n")
        if count == number:
            person()
    finally:
        mine = False


def person():
    line = "A line by hand that nobody may lose.\\n"
    path = os.path.join(tree, victim)
    if act == "edit":
        with open(path, "a") as file:
            file.write(line)
    elif act == "save":
        text = open(path).read() if os.path.exists(path) else ""
        with open(path + ".saved", "w") as file:
            file.write(text + line)
        os.rename(path + ".saved", path)
    elif act == "add":
        with open(path + ".new.txt", "w") as file:
            file.write(line)
    elif act == "rename" and os.path.exists(path):
        os.rename(path, path + ".renamed.txt")
    elif act == "delete" and os.path.exists(path):
        os.unlink(path)


sys.addaudithook(hook)

from cortexfs.__main__ import main

main()
"""

LINE = "A line by hand that nobody may lose."
VICTIMS = {
    "new": ("projects/alpha/experiments/index.md", "projects/alpha/experiments/EXP-003.md"),
    "regen": ("projects/alpha/experiments/EXP-002.md", "projects/alpha/experiments/index.md"),
    "drain": ("projects/alpha/experiments/EXP-001.md", "projects/alpha/_meta/access-log.jsonl"),
    "undo": ("projects/alpha/knowledge/K-002.md", "projects/alpha/knowledge/index.md"),
    "mark": ("projects/beta/experiments/EXP-002.md", "projects/beta/knowledge/K-001.md"),
    "claim": ("projects/alpha/TASKS.yaml",),
    "issue": ("projects/alpha/ISSUES.md",),
    "accept": ("projects/alpha/decisions/0001-where-results-go.md",),
}
"""What each command writes, and a person may be about to change."""
KEPT = ".cortexfs/replaced"
"""Where a command keeps a copy of what it may not commit."""
WRITES = ("edit", "save", "add")
ACTS = (*WRITES, "rename", "delete")


@pytest.fixture(scope="module")
def scene() -> Iterator[Scene]:
    with tempfile.TemporaryDirectory(prefix="cortexfs-edits-", dir=memory()) as folder:
        yield Scene(Path(folder, "scene")).build()


class Trial(NamedTuple):
    """A person acts before the n-th call of a command: on which file, and how."""

    number: int = 0
    act: str = ""
    victim: str = ""


def disturb(scene: Scene, verb: str, trial: Trial, record: str = "") -> Ended:
    scene.restore()
    words = [record, str(trial.number), trial.act, trial.victim, *scene.words(verb)]
    return scene.run(sys.executable, "-c", SHIM, *words)


def steps(scene: Scene, verb: str, record: Path) -> int:
    """Count the calls of a command before which a person may act."""
    ended = disturb(scene, verb, Trial(), str(record))
    assert ended.code == 0, ended
    return len(record.read_text().splitlines())


def lost(scene: Scene, verb: str, trial: Trial, before: str, ended: Ended) -> list[str]:
    """Commit what there is, and return what neither the history nor the tree has."""
    found = [] if ended.code in {0, 3, 4} else [f"ended with {ended.code}: {ended.err}"]
    committed = scene.cortexfs("commit")
    found += [] if committed.code in {0, 1, 3} else [f"commit: {committed.err}"]
    past = scene.git("log", "-p", "--format=%s", "--no-renames", "--all")
    past += "".join(path.read_text() for path in (scene.tree / KEPT).glob("*"))
    now = "".join(body.decode(errors="replace") for body in scene.photo().values())
    if trial.act in WRITES and LINE not in (past if committed.code == 0 else past + now):
        found.append("what the person wrote is lost")
    gone = [line for line in before.splitlines() if line and line not in past + now]
    found += [f"the line {line!r} is lost" for line in gone]
    done = ended.code == 0 and verb in MADE and MADE[verb] != trial.victim
    if done and MADE[verb] not in past:
        found.append("what the command made is not in the history")
    return found


def trials(scene: Scene, verb: str, record: Path, *, soak: bool) -> Iterator[Trial]:
    """Give when a person acts, what they do, and to which file; without `soak` two trials."""
    last, at = steps(scene, verb, record), list(COMMANDS).index(verb)
    if not soak:
        yield Trial(2 * last // 3, ACTS[at % 2], VICTIMS[verb][0])
        yield Trial(last // 2, ACTS[2 + at % 3], VICTIMS[verb][-1])
        return
    for number in range(1, last + 1):
        yield from (Trial(number, act, victim) for act in ACTS for victim in VICTIMS[verb])


@pytest.mark.xdist_group("kills")
@pytest.mark.parametrize("verb", COMMANDS)
def test_what_a_person_does_at_any_step_of_a_command_is_kept(
    scene: Scene, verb: str, tmp_path: Path, soak: bool
) -> None:
    wrong = []
    for trial in trials(scene, verb, tmp_path / "calls", soak=soak):
        scene.restore()
        path = scene.tree / trial.victim
        before = path.read_text() if path.exists() else ""
        ended = disturb(scene, verb, trial)
        found = lost(scene, verb, trial, before, ended)
        wrong += [f"{trial}: {line}" for line in found]
    assert not wrong, "\n".join(wrong)
