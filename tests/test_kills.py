"""Commands that die, or are refused by the system, at the n-th call that changes something.

`bench/kill.py` does the same with strace, for git's calls too.
"""

from __future__ import annotations

import errno
import resource
import sys
import tempfile
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from crash_law import wrong_afterwards, wrong_at_death, wrong_refusal
from crash_scene import COMMANDS, Ended, Scene, memory

if TYPE_CHECKING:
    from collections.abc import Iterator

SHIM = """
import os, sys

numbers, spoken = {}, sys.argv[1]
call, number, deed = sys.argv[2], int(sys.argv[3]), sys.argv[4]
del sys.argv[1:5]


def struck(name, real):
    def instead(*args, **words):
        flags = args[1] if name == "open" else os.O_WRONLY
        if flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT) and args[0] != os.devnull:
            numbers[name] = numbers.get(name, 0) + 1
            if spoken:
                with real_open(spoken, "a") as record:
                    record.write(name + "\\n")
            elif (name, numbers[name]) == (call, number):
                if deed == "kill":
                    os.kill(os.getpid(), 9)
                raise OSError(int(deed), os.strerror(int(deed)))
        return real(*args, **words)
    return instead


real_open = open
for name in "open write fsync rename link unlink mkdir ftruncate".split():
    setattr(os, name, struck(name, getattr(os, name)))

from cortexfs.__main__ import main

main()
"""
"""Run cortexfs with its calls counted, and one of them struck or all of them recorded."""

ERRORS = (errno.EIO, errno.ENOSPC, errno.EACCES)
POINTS = 3
"""Points that are tried of each command in each way, evenly spread, where not all are."""

Point = tuple[str, int]


@pytest.fixture(scope="module")
def scene() -> Iterator[Scene]:
    with tempfile.TemporaryDirectory(prefix="cortexfs-kills-", dir=memory()) as folder:
        yield Scene(Path(folder, "scene")).build()


def strike(scene: Scene, verb: str, point: Point, deed: str, record: str = "") -> Ended:
    scene.restore()
    call, number = point
    words = [record, call, str(number), deed, *scene.words(verb)]
    return scene.run(sys.executable, "-c", SHIM, *words)


def points(scene: Scene, verb: str, record: Path, most: int | None) -> list[Point]:
    """List the calls that a command makes, each with its number."""
    ended = strike(scene, verb, ("", 0), "", str(record))
    assert ended.code == 0, ended
    found: list[Point] = []
    for call in record.read_text().split():
        found.append((call, 1 + sum(call == known for known, _ in found)))
    assert len({call for call, _ in found}) >= 6
    return [found[(2 * n + 1) * len(found) // (2 * most)] for n in range(most)] if most else found


@pytest.mark.xdist_group("kills")
@pytest.mark.parametrize("verb", COMMANDS)
def test_a_command_that_is_killed_anywhere_leaves_old_or_new_and_the_next_one_mends_it(
    scene: Scene, verb: str, tmp_path: Path, soak: bool
) -> None:
    for point in points(scene, verb, tmp_path / "calls", None if soak else POINTS):
        ended = strike(scene, verb, point, "kill")
        assert ended.code == -9, (point, ended)
        assert not wrong_at_death(scene, verb, ended), point
        assert not wrong_afterwards(scene, verb, ended), point


@pytest.mark.xdist_group("kills")
@pytest.mark.parametrize("verb", COMMANDS)
def test_a_command_that_the_system_refuses_something_says_so_and_leaves_old_or_new(
    scene: Scene, verb: str, tmp_path: Path, soak: bool
) -> None:
    errors = cycle(ERRORS)
    for point in points(scene, verb, tmp_path / "calls", None if soak else POINTS):
        ended = strike(scene, verb, point, str(next(errors)))
        assert not wrong_refusal(ended), point
        assert not wrong_at_death(scene, verb, ended), point
        assert not wrong_afterwards(scene, verb, ended), point


def full() -> None:
    """Let no file of this process grow: to it, the disk is full."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


def test_on_a_full_disk_reading_goes_on_and_writing_is_refused_in_two_lines(scene: Scene) -> None:
    scene.restore()
    before = scene.photo()
    for catalog in (scene.tree / ".cortexfs").glob("catalog-*"):
        catalog.unlink()
    for words in (["list"], ["check"], ["index", "regen", "--all", "--check"]):
        ended = scene.cortexfs(*words, before=full)
        assert ended.code in {0, 1}, ended
        assert "bug" not in ended.err
    for verb in COMMANDS:
        ended = scene.cortexfs(*COMMANDS[verb], before=full)
        assert ended.code == 3, ended
        assert not wrong_refusal(ended)
    assert scene.photo() == before
    assert not wrong_afterwards(scene, "new", ended)
