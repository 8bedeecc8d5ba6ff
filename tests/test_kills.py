"""Commands that die, or are refused by the system, at the n-th call that changes something.

`bench/kill.py` does the same with strace, for git's calls too.
"""

from __future__ import annotations

import errno
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from crash_law import find_flaws_after_kill, find_flaws_after_next_command, find_flaws_in_refusal
from crash_scene import COMMANDS, ProcessResult, Scene
from fault_shim import list_points, make_shim
from soak_cases import leave_to_soak

if TYPE_CHECKING:
    from conftest import Pick

ERRORS = (errno.EIO, errno.ENOSPC, errno.EACCES)
POINTS = 3
"""Number of calls, evenly spread, that are tried of each command without `--soak`."""

Point = tuple[str, int]


def run_with_fault(
    scene: Scene, command: str, point: Point, fault: str, record: str = ""
) -> ProcessResult:
    scene.prepare(command)
    if record:
        Path(record).write_text("")
    return scene.cortexfs(*COMMANDS[command], before=make_shim(point, fault, record))


def list_fault_points(scene: Scene, command: str, record: Path, most: int | None) -> list[Point]:
    """Return the calls of a command, each with its number."""
    result = run_with_fault(scene, command, ("", 0), "", str(record))
    assert result.code == 0, result
    found = list_points(record.read_text())
    assert len({call for call, _ in found}) >= 6
    return [found[(2 * n + 1) * len(found) // (2 * most)] for n in range(most)] if most else found


@pytest.mark.xdist_group("kills")
@pytest.mark.parametrize("command", leave_to_soak(COMMANDS, every=4))
def test_a_killed_command_leaves_the_old_or_new_state_and_the_next_repairs_it(
    scene: Scene, command: str, tmp_path: Path, soak: bool, pick: Pick
) -> None:
    calls = tmp_path / "calls"
    points = list_fault_points(scene, command, calls, None if soak else POINTS)
    for point in pick(points, 4) if soak else points:
        result = run_with_fault(scene, command, point, "kill", str(calls))
        if point not in list_points(calls.read_text()):
            continue  # a run that waits less makes fewer calls
        assert result.code == -9, (point, result)
        assert not find_flaws_after_kill(scene, command, result), point
        assert not find_flaws_after_next_command(scene, command, result), point


@pytest.mark.xdist_group("kills")
@pytest.mark.parametrize("command", leave_to_soak(COMMANDS, every=4))
def test_a_failed_system_call_is_reported_and_leaves_the_old_or_new_state(
    scene: Scene, command: str, tmp_path: Path, soak: bool, pick: Pick
) -> None:
    errors, calls = cycle(ERRORS), tmp_path / "calls"
    points = list_fault_points(scene, command, calls, None if soak else POINTS)
    for point in pick(points, 4) if soak else points:
        result = run_with_fault(scene, command, point, str(next(errors)), str(calls))
        if point not in list_points(calls.read_text()):
            continue
        assert not find_flaws_in_refusal(result), point
        assert not find_flaws_after_kill(scene, command, result), point
        assert not find_flaws_after_next_command(scene, command, result), point


FILL_DISK = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))"
"""Allow no file of this process to grow, as on a full disk."""


@pytest.mark.xdist_group("kills")
def test_on_a_full_disk_reads_work_and_writes_are_refused_in_two_lines(scene: Scene) -> None:
    scene.prepare("new")
    before = scene.snapshot()
    for catalog in (scene.tree / ".cortexfs").glob("catalog-*"):
        catalog.unlink()
    for words in (["list"], ["check"], ["index", "regen", "--all", "--check"]):
        result = scene.cortexfs(*words, before=FILL_DISK)
        assert result.code in {0, 1}, result
        assert "bug" not in result.err
    for command in COMMANDS:
        result = scene.cortexfs(*COMMANDS[command], before=FILL_DISK)
        assert result.code == 3, result
        assert not find_flaws_in_refusal(result)
    assert scene.snapshot() == before
    assert not find_flaws_after_next_command(scene, "new", result)
