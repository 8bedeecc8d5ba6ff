"""Whatever a person does to a file while a command runs, at whatever step, git keeps it.

A hook in the command's process (`sys.addaudithook`) lets the person action just before its n-th
open, rename, link, unlink or mkdir, or start of git. A `cortexfs commit` follows; then every line
that the person wrote is in the history or in the tree, and so is what the command made.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, NamedTuple

import pytest
from crash_scene import COMMANDS, CREATED_PATHS, ProcessResult, Scene
from soak_cases import leave_to_soak

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from conftest import Pick

SHIM = """
import os, sys

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
    target = os.path.join(tree, path)
    if action == "edit":
        with open(target, "a") as file:
            file.write(line)
    elif action == "save":
        text = open(target).read() if os.path.exists(target) else ""
        with open(target + ".saved", "w") as file:
            file.write(text + line)
        os.rename(target + ".saved", target)
    elif action == "add":
        with open(target + ".new.txt", "w") as file:
            file.write(line)
    elif action == "rename" and os.path.exists(target):
        os.rename(target, target + ".renamed.txt")
    elif action == "delete" and os.path.exists(target):
        os.unlink(target)


sys.addaudithook(hook)
"""

LINE = "A line by hand that nobody may lose."
EDITED_PATHS = {
    "new": ("projects/alpha/experiments/index.md", "projects/alpha/experiments/EXP-003.md"),
    "regen": ("projects/alpha/experiments/EXP-002.md", "projects/alpha/experiments/index.md"),
    "drain": ("projects/alpha/experiments/EXP-001.md", "projects/alpha/_meta/access-log.jsonl"),
    "undo": ("projects/alpha/knowledge/K-002.md", "projects/alpha/knowledge/index.md"),
    "mark": ("projects/beta/experiments/EXP-002.md", "projects/beta/knowledge/K-001.md"),
    "claim": ("projects/alpha/TASKS.yaml",),
    "issue": ("projects/alpha/ISSUES.md",),
    "accept": ("projects/alpha/decisions/0001-where-results-go.md",),
    "story": ("projects/alpha/chunks/CH-0001.md", "projects/alpha/chats/road.jsonl"),
    "rebuild": ("projects/alpha/chunks/CH-0001.md",),
}
"""Files that each command writes, and a person edits meanwhile."""
KEPT = ".cortexfs/replaced"
"""Where a command keeps a copy of what it may not commit."""
WRITES = ("edit", "save", "add")
EDITS = (*WRITES, "rename", "delete")


class Trial(NamedTuple):
    """The number of the call before which a person acts, the action, and the file."""

    number: int = 0
    action: str = ""
    path: str = ""


def run_with_edit(scene: Scene, command: str, trial: Trial, record: str = "") -> ProcessResult:
    scene.restore()
    values = f"number, action, path, record = {(*trial, record)!r}\n"
    return scene.cortexfs(*COMMANDS[command], before=values + SHIM)


def count_steps(scene: Scene, command: str, record: Path) -> int:
    """Return the number of calls before which a person may action."""
    result = run_with_edit(scene, command, Trial(), str(record))
    assert result.code == 0, result
    return len(record.read_text().splitlines())


def find_lost_lines(
    scene: Scene, command: str, trial: Trial, before: str, result: ProcessResult
) -> list[str]:
    """Commit everything, and return what neither the history nor the tree has."""
    found = [] if result.code in {0, 3, 4} else [f"result with {result.code}: {result.err}"]
    committed = scene.cortexfs("commit")
    found += [] if committed.code in {0, 1, 3} else [f"commit: {committed.err}"]
    past = scene.git("log", "-p", "--format=%s", "--no-renames", "--all")
    past += "".join(path.read_text() for path in (scene.tree / KEPT).glob("*"))
    now = "".join(body.decode(errors="replace") for body in scene.snapshot().values())
    if trial.action in WRITES and LINE not in (past if committed.code == 0 else past + now):
        found.append("what the person wrote is lost")
    gone = [line for line in before.splitlines() if line and line not in past + now]
    found += [f"the line {line!r} is lost" for line in gone]
    done = result.code == 0 and command in CREATED_PATHS and CREATED_PATHS[command] != trial.path
    if done and CREATED_PATHS[command] not in past:
        found.append("what the command made is not in the history")
    return found


def list_trials(scene: Scene, command: str, record: Path, pick: Pick | None) -> Sequence[Trial]:
    """Return the trials that `pick` chooses, or two."""
    last, at = count_steps(scene, command, record), list(COMMANDS).index(command)
    if pick is None:
        return [
            Trial(2 * last // 3, EDITS[at % 2], EDITED_PATHS[command][0]),
            Trial(last // 2, EDITS[2 + at % 3], EDITED_PATHS[command][-1]),
        ]
    cases = product(range(1, last + 1), EDITS, EDITED_PATHS[command])
    return pick([Trial(*case) for case in cases], 11)  # of ten or five a call: all in turn


@pytest.mark.xdist_group("kills")
@pytest.mark.parametrize("command", leave_to_soak(COMMANDS, every=4))
def test_an_edit_by_a_person_at_any_step_of_a_command_is_kept(
    scene: Scene, command: str, tmp_path: Path, soak: bool, pick: Pick
) -> None:
    wrong, acted, calls = [], 0, tmp_path / "calls"
    trials = list_trials(scene, command, calls, pick if soak else None)
    for trial in trials:
        path = scene.folder / "seed" / trial.path
        before = path.read_text() if path.exists() else ""
        calls.write_text("")
        result = run_with_edit(scene, command, trial, str(calls))
        if len(calls.read_text().splitlines()) < trial.number:
            continue  # a run that waits less for others makes fewer calls
        acted += 1
        found = find_lost_lines(scene, command, trial, before, result)
        wrong += [f"{trial}: {line}" for line in found]
    assert not wrong, "\n".join(wrong)
    assert acted * 2 > len(trials)
