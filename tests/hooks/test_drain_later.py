"""The process that the hook starts, and that waits for a quiet period."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

    from place import Place

SCRIPT = Path(__file__).parents[2] / "hooks/drain_later.py"
PATIENCE = 60
EXP = "projects/driftwood/experiments/EXP-001.md"
LOG = "projects/driftwood/_meta/access-log.jsonl"


def wait_until(is_reached: Callable[[], bool]) -> None:
    """Wait until a condition holds."""
    clock, deadline = threading.Event(), time.monotonic() + PATIENCE
    while not is_reached():
        assert time.monotonic() < deadline, "it did not happen"
        clock.wait(0.02)


class Clock:
    """A clock that advances only by sleeping, and calls functions at given seconds."""

    def __init__(self, events: dict[float, Callable[[], None]]) -> None:
        self.now, self.events = 0.0, events

    def sleep(self, seconds: float) -> None:
        end = self.now + seconds
        for moment in sorted(moment for moment in self.events if moment <= end):
            self.now = moment
            self.events.pop(moment)()
        self.now = end

    def read(self) -> float:
        return self.now


@pytest.fixture
def module() -> ModuleType:
    spec = importlib.util.spec_from_file_location("drain_later", SCRIPT)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def measure_wait(module: ModuleType, folder: Path, notes: list[float], quiet: float) -> float:
    """Write notes at given seconds; return the second at which the wait ends."""
    at = os.open(folder, os.O_RDONLY)
    clock = Clock({})

    def note() -> None:
        os.utime(folder, (clock.now, clock.now))

    note()
    clock.events.update(dict.fromkeys(notes, note))
    module.time = SimpleNamespace(  # type: ignore[attr-defined]
        sleep=clock.sleep, monotonic=clock.read, time=clock.read
    )
    module.wait_for_quiet(at, quiet)
    os.close(at)
    return clock.now


@pytest.mark.parametrize(
    ("notes", "end"),
    {(): 20, (5,): 25, (5, 19): 39, (20.5,): 20, tuple(range(5, 300, 5)): 120}.items(),
)
def test_the_wait_ends_after_a_quiet_period_or_six_of_them(
    module: ModuleType, tmp_path: Path, notes: tuple[float, ...], end: float
) -> None:
    waited = measure_wait(module, tmp_path, [float(note) for note in notes], 20)
    assert waited == pytest.approx(end)


def test_a_clock_set_back_does_not_prolong_the_wait(module: ModuleType, tmp_path: Path) -> None:
    os.utime(tmp_path, (9e9, 9e9))
    at = os.open(tmp_path, os.O_RDONLY)
    clock = Clock({5.0: lambda: os.utime(tmp_path, (8e9, 8e9))})
    module.time = SimpleNamespace(  # type: ignore[attr-defined]
        sleep=clock.sleep, monotonic=clock.read, time=clock.read
    )
    module.wait_for_quiet(at, 20)
    os.close(at)
    assert clock.now == pytest.approx(40)


@pytest.mark.parametrize(
    ("value", "seconds"),
    {"": 20, "0": 0, "0.5": 0.5, "120": 120, "121": 20, "-1": 20, "nan": 20, "x": 20}.items(),
)
def test_the_quiet_period_comes_from_the_environment(
    module: ModuleType, value: str, seconds: float
) -> None:
    assert module.parse_quiet_s(value) == seconds


def make_spool(tmp_path: Path, *notes: str) -> Path:
    spool = tmp_path / "tree/.cortexfs/spool"
    (spool / "new").mkdir(parents=True)
    for note in notes:
        (spool / "new" / note).touch()
    return spool


def start(spool: Path, *command: str, quiet: str, now: bool = False) -> subprocess.Popen[bytes]:
    words = [sys.executable, "-I", "-S", str(SCRIPT), *["--now"] * now, str(spool), *command]
    environ = {**os.environ, "CORTEXFS_DRAIN_QUIET": quiet}
    return subprocess.Popen(words, env=environ)


def is_locked(spool: Path) -> bool:
    lock = spool / "drain.lock"
    if not lock.exists():
        return False
    code = f"import os; os.lockf(os.open({str(lock)!r}, 2), os.F_TEST, 0)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    return done.returncode != 0


def test_of_two_started_processes_only_one_waits(tmp_path: Path) -> None:
    spool = make_spool(tmp_path, "1.1")
    first = start(spool, "/bin/false", quiet="100")
    wait_until(lambda: is_locked(spool))
    second = start(spool, "/bin/false", quiet="0")
    assert second.wait(PATIENCE) == 0
    assert first.poll() is None
    first.kill()
    first.wait()
    assert start(spool, "/bin/false", quiet="0").wait(PATIENCE) == 1, "the lock died with it"


def test_nothing_is_run_after_another_command_has_drained(tmp_path: Path) -> None:
    spool = make_spool(tmp_path)
    assert start(spool, "/bin/false", quiet="0").wait(PATIENCE) == 0
    assert start(spool, "/bin/false", quiet="0", now=True).wait(PATIENCE) == 0


@pytest.mark.parametrize("mark", ["tree-changed", "tree-changed.taken"])
def test_a_change_of_the_tree_is_a_reason_to_run_without_a_note(tmp_path: Path, mark: str) -> None:
    spool = make_spool(tmp_path)
    (spool / mark).touch()
    assert start(spool, "/bin/false", quiet="0").wait(PATIENCE) == 1
    assert start(spool, "/bin/false", quiet="0", now=True).wait(PATIENCE) == 1


def test_the_lock_is_released_before_the_drain_starts(tmp_path: Path) -> None:
    spool = make_spool(tmp_path, "1.1")
    lock = str(spool / "drain.lock")
    code = f"import os; os.lockf(os.open({lock!r}, 2), os.F_TEST, 0)"
    assert start(spool, sys.executable, "-c", code, quiet="0").wait(PATIENCE) == 0


@pytest.mark.parametrize("step", ["tree/.cortexfs", "tree/.cortexfs/spool"])
def test_no_symlink_is_followed(tmp_path: Path, step: str) -> None:
    spool = make_spool(tmp_path, "1.1")
    (tmp_path / step).rename(tmp_path / "outside")
    (tmp_path / step).symlink_to(tmp_path / "outside", target_is_directory=True)
    drain = start(spool, "/bin/sh", "-c", "exit 7", quiet="0")
    assert drain.wait(PATIENCE) == 1
    assert not list(tmp_path.rglob("drain.lock"))


def test_the_script_imports_three_modules(tmp_path: Path) -> None:
    spool = make_spool(tmp_path)
    command = [sys.executable, "-X", "importtime", "-I", "-S", str(SCRIPT), "--now", str(spool)]
    done = subprocess.run(command, capture_output=True, check=True, timeout=PATIENCE)
    loaded = {line.rpartition(b"|")[2].strip() for line in done.stderr.splitlines()}
    heavy = {b"json", b"re", b"subprocess", b"pathlib", b"shutil", b"datetime", b"threading"}
    assert b"os" in loaded
    assert not loaded & heavy


def run_installed_hook(place: Place, home: Path, *calls: str) -> None:
    """Run the installed hook once for each call."""
    settings = json.loads((home / ".claude/settings.json").read_text())
    (command,) = (
        hook["command"]
        for row in settings["hooks"]["PostToolUse"]
        for hook in row["hooks"]
        if "note_event.py" in hook["command"]
    )
    for call in calls:
        event = {
            "hook_event_name": "PostToolUse",
            "tool_name": "Read",
            "tool_input": {"file_path": str(place.root / EXP)},
            "tool_use_id": call,
        }
        subprocess.run(["sh", "-c", command], input=json.dumps(event).encode(), check=True)


def list_logged_notes(place: Place) -> list[str]:
    lines = map(json.loads, place.read(LOG).splitlines())
    return [line["note"] for line in lines if line.get("note", "").startswith("toolu_test_")]


def count_commits(place: Place) -> int:
    return place.git("log", "--format=%s").count("chore: update access log")


def test_reads_in_a_row_become_one_commit_without_any_command(
    sample: Place, world: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sample.ok("setup", "claude-code", "--yes")
    monkeypatch.setenv("CORTEXFS_DRAIN_QUIET", "2")
    run_installed_hook(sample, world, "toolu_test_1", "toolu_test_2", "toolu_test_3")
    assert list_logged_notes(sample) == []
    wait_until(lambda: count_commits(sample) > 0)
    assert list_logged_notes(sample) == ["toolu_test_1", "toolu_test_2", "toolu_test_3"]
    assert count_commits(sample) == 1


def test_the_end_of_a_turn_commits_at_once_and_counts_nothing_twice(
    sample: Place, world: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sample.ok("setup", "claude-code", "--yes")
    settings = json.loads((world / ".claude/settings.json").read_text())
    monkeypatch.setenv("CORTEXFS_DRAIN_QUIET", "30")
    run_installed_hook(sample, world, "toolu_test_1", "toolu_test_2")
    spool = sample.root / ".cortexfs/spool"
    wait_until(lambda: is_locked(spool))
    for event in ("Stop", "SessionEnd"):
        ((hook,),) = (row["hooks"] for row in settings["hooks"][event])
        subprocess.run(["sh", "-c", hook["command"]], input=b"{}", check=True)
    wait_until(lambda: not any((spool / "new").iterdir()) and count_commits(sample) > 0)
    sample.ok("hook", "drain")
    assert list_logged_notes(sample) == ["toolu_test_1", "toolu_test_2"]
    assert count_commits(sample) == 1


def test_a_read_by_a_command_is_counted_without_another_command(
    sample: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = sample.read(LOG)
    monkeypatch.setenv("CORTEXFS_DRAIN_QUIET", "0")
    sample.ok("show", "driftwood/EXP-001")
    wait_until(lambda: count_commits(sample) > 0)
    added = sample.read(LOG).removeprefix(before)
    assert json.loads(added)["tool"] == "cortexfs"


def test_in_a_read_only_tree_no_process_is_started(
    sample: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    sample.ok("list")
    own = sample.root / ".cortexfs"
    monkeypatch.setenv("CORTEXFS_DRAIN_QUIET", "100")
    own.chmod(0o500)
    try:
        sample.ok("show", "driftwood/EXP-001")
        if os.geteuid():
            assert not (own / "spool").exists()
    finally:
        own.chmod(0o700)


def test_a_change_by_a_command_reaches_the_bulletin_without_another_command(
    sample: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CORTEXFS_DRAIN_QUIET", "0")
    sample.ok("status", "set", "-p", "driftwood", "--next", "Look at the pump")
    page = sample.root / "BULLETIN.md"
    wait_until(lambda: page.exists() and "Look at the pump" in page.read_text())
