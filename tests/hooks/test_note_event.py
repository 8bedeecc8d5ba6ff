"""The hook as a client runs it: a process of its own, in somebody's waiting time."""

from __future__ import annotations

import importlib.util
import json
import os
import pty
import re
import select
import stat
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

HOOK = Path(__file__).parents[2] / "hooks/note_event.py"
NEEDLES = ["/home/dev/.cortex/context", "/data/context", ".cortex/context"]
ABOUT = (
    b'{"tool_input":{"file_path":"/home/dev/.cortex/context/projects/p/experiments/EXP-001.md"}}'
)
OTHER = b'{"tool_input":{"file_path":"/home/dev/app/src/app.py"}}'
MIB = 1 << 20
PATIENCE = 60
"""Seconds until a process that says nothing is taken for dead."""

REPORT = """
import json, os, sys
null = os.stat(os.devnull).st_rdev
def is_open(fd):
    try:
        return bool(os.fstat(fd))
    except OSError:
        return False
report = {
    "words": sys.argv[3:],
    "env": dict(os.environ),
    "leads": os.getsid(0) == os.getpid(),
    "null": [os.fstat(fd).st_rdev == null for fd in range(3)],
    "open": [fd for fd in range(3, 256) if is_open(fd)],
}
with open(sys.argv[1], "w") as pipe:
    pipe.write(json.dumps(report) + "\\n")
open(sys.argv[2]).close()
"""
"""A drain that tells about itself, and lives until it is let go."""


@dataclass(frozen=True, slots=True)
class Hook:
    """One spool, and the hook that fills it."""

    spool: Path

    def run(self, event: bytes, *wake: str, **options: Any) -> str:
        """Run the hook; give what it said on stderr."""
        return run([str(self.spool), *NEEDLES, "--", *wake], input=event, **options)

    def notes(self) -> list[bytes]:
        return [path.read_bytes() for path in sorted(self.spool.glob("new/*"))]

    def drafts(self) -> list[Path]:
        return list(self.spool.glob("tmp/*"))


@dataclass(frozen=True, slots=True)
class Drain:
    """What the hook wakes in these tests."""

    pipe: Path
    gate: Path
    ear: int

    def command(self, *words: str) -> tuple[str, ...]:
        return (sys.executable, "-I", "-S", "-c", REPORT, str(self.pipe), str(self.gate), *words)

    def report(self) -> dict[str, Any]:
        """Wait for what the drain tells about itself, and let it go."""
        told = b""
        while not told.endswith(b"\n"):
            assert select.select([self.ear], [], [], PATIENCE)[0], "no drain was started"
            told += os.read(self.ear, 65536)
        self.gate.open("w").close()
        report: dict[str, Any] = json.loads(told)
        return report


def run(words: list[str], **options: Any) -> str:
    """Run the hook, which must end well and say nothing on stdout."""
    command = [*options.pop("before", []), sys.executable, "-I", "-S", str(HOOK), *words]
    done = subprocess.run(command, capture_output=True, check=False, timeout=PATIENCE, **options)
    assert (done.returncode, done.stdout) == (0, b"")
    return done.stderr.decode()


@pytest.fixture
def hook(tmp_path: Path) -> Hook:
    (tmp_path / "tree").mkdir()
    return Hook(tmp_path / "tree/.cortexfs/spool")


@pytest.fixture
def drain(tmp_path: Path) -> Iterator[Drain]:
    pipe, gate = tmp_path / "pipe", tmp_path / "gate"
    os.mkfifo(pipe)
    os.mkfifo(gate)
    ear = os.open(pipe, os.O_RDWR | os.O_NONBLOCK)
    yield Drain(pipe, gate, ear)
    os.close(ear)


@pytest.fixture
def module(hook: Hook, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The hook's functions, at work in its spool."""
    spec = importlib.util.spec_from_file_location("note_event", HOOK)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.os, module.time = os, time  # type: ignore[attr-defined]
    (hook.spool / "tmp").mkdir(parents=True)
    monkeypatch.chdir(hook.spool)
    return module


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.parametrize("needle", NEEDLES)
def test_an_event_about_the_tree_is_noted_byte_for_byte(hook: Hook, needle: str) -> None:
    event = b'\xff{"x":"' + needle.encode() + b'"}\n'
    assert hook.run(event) == ""
    assert (hook.notes(), hook.drafts()) == ([event], [])
    (note,) = hook.spool.glob("new/*")
    assert re.fullmatch(r"\d{19}\.\d+", note.name)
    assert mode(note) == 0o600
    assert {mode(hook.spool / name) for name in ("", "tmp", "new")} == {0o700}


def test_an_event_about_something_else_leaves_nothing(hook: Hook, drain: Drain) -> None:
    assert hook.run(OTHER, *drain.command()) == ""
    assert not hook.spool.parent.exists()


def test_a_folder_that_is_gone_is_made_anew(hook: Hook) -> None:
    for gone in ("new", "tmp"):
        hook.run(ABOUT)
        for note in hook.spool.glob("new/*"):
            note.unlink()
        (hook.spool / gone).rmdir()
        assert hook.run(ABOUT) == ""
        assert hook.notes() == [ABOUT]


def test_many_hooks_at_once_leave_as_many_notes(hook: Hook) -> None:
    events = [ABOUT + str(number).encode() for number in range(12)]
    with ThreadPoolExecutor(6) as pool:
        assert set(pool.map(hook.run, events)) == {""}
    assert sorted(hook.notes()) == sorted(events)


@pytest.mark.parametrize("start", [ABOUT, OTHER])
def test_a_long_event_is_heard_out_and_its_beginning_kept(hook: Hook, start: bytes) -> None:
    command = [sys.executable, "-I", "-S", str(HOOK), str(hook.spool), *NEEDLES, "--"]
    event = start + b"." * (3 * MIB) + ABOUT
    with subprocess.Popen(command, stdin=subprocess.PIPE) as process:
        assert process.stdin
        process.stdin.write(event)  # raises BrokenPipeError where nobody listens to the end
    assert process.returncode == 0
    assert hook.notes() == ([event[:MIB]] if start == ABOUT else [])


@pytest.mark.parametrize(
    "words",
    [
        [], ["--"], ["", ""], ["{spool}"], ["{spool}", "--", "x"], ["{spool}", ""],
        ["{spool}", "", "--", "/x"], ["/dev/null/spool", *NEEDLES], ["", *NEEDLES],
        ["--", *NEEDLES, "--", "--"], ["{spool}", *NEEDLES, "--", ""], ["x" * 5000, *NEEDLES],
        ["{spool}", "\udcff", *NEEDLES, "--", "\udcff"],
    ],
)  # fmt: skip
def test_whatever_it_is_told_the_hook_ends_well(
    hook: Hook, tmp_path: Path, words: list[str]
) -> None:
    said = run([word.format(spool=hook.spool) for word in words], input=ABOUT, cwd=tmp_path)
    assert said.count("\n") <= 1
    assert "Traceback" not in said


def test_without_an_input_the_hook_ends_at_once(hook: Hook) -> None:
    run([str(hook.spool), *NEEDLES], before=["sh", "-c", 'exec "$@" <&-', "sh"])
    ours, theirs = pty.openpty()
    run([str(hook.spool), *NEEDLES], stdin=theirs)
    os.close(ours)
    os.close(theirs)
    assert not hook.spool.exists()


def test_without_anybody_to_complain_to_the_hook_ends_well() -> None:
    for end in ("2>&-", "2>/dev/null", ">&- 2>&-"):
        run(["/dev/null/x", *NEEDLES], input=ABOUT, before=["sh", "-c", f'exec "$@" {end}', "sh"])


def test_a_full_disk_costs_the_note_and_one_line(hook: Hook) -> None:
    hook.run(ABOUT)
    said = hook.run(ABOUT * 2000, before=["sh", "-c", 'ulimit -f 8; exec "$@"', "sh"])
    assert re.fullmatch(r"cortexfs: hook failed: OSError: .*\n", said)
    assert (hook.notes(), hook.drafts()) == ([ABOUT], [])


def test_a_spool_that_is_no_folder_costs_one_line(hook: Hook) -> None:
    hook.spool.parent.mkdir(parents=True)
    hook.spool.write_text("not a folder")
    assert re.fullmatch(r"cortexfs: hook failed: \w+Error: .*\n", hook.run(ABOUT))
    assert hook.spool.read_text() == "not a folder"


def test_a_note_wakes_the_drain_and_nobody_waits_for_it(hook: Hook, drain: Drain) -> None:
    words = ("--root", "/a tree", "--", "hook", "drain")
    assert hook.run(ABOUT, *drain.command(*words)) == ""  # returns while the drain still lives
    assert mode(hook.spool / "awake") == 0o600
    report = drain.report()
    assert report["words"] == list(words)
    assert report["leads"]
    assert report["null"] == [True, True, True]


def test_the_drain_gets_nothing_of_the_client_that_is_not_its_business(
    hook: Hook, drain: Drain
) -> None:
    secrets = {"ANTHROPIC_API_KEY": "x", "CLAUDE_CODE_MESSAGING_TOKEN": "x", "GIT_DIR": "/x"}
    kept = {
        "HOME": "/h",
        "PATH": "/bin",
        "LC_ALL": "C",
        "CORTEX_HOME": "/c",
        "XDG_STATE_HOME": "/s",
    }
    ours, theirs = os.pipe()
    hook.run(ABOUT, *drain.command(), env=secrets | kept, pass_fds=[theirs])
    report = drain.report()
    os.close(ours)
    os.close(theirs)
    assert report["open"] == []
    assert {key: report["env"].get(key) for key in kept} == kept
    assert not secrets.keys() & report["env"].keys()


def test_while_a_drain_is_awake_no_other_is_woken(hook: Hook) -> None:
    hook.run(ABOUT)
    token = hook.spool / "awake"
    token.touch()
    assert hook.run(ABOUT, "/nowhere/drain") == ""
    assert token.exists()


@pytest.mark.parametrize("age", [11, 3600, -3600])
def test_a_token_that_outlived_its_drain_is_taken_over(
    hook: Hook, drain: Drain, age: float
) -> None:
    hook.run(ABOUT)
    token = hook.spool / "awake"
    token.touch()
    then = time.time() - age
    os.utime(token, (then, then))
    assert hook.run(ABOUT, *drain.command()) == ""
    assert drain.report()
    assert abs(token.stat().st_mtime - time.time()) < PATIENCE
    assert hook.drafts() == []


def test_a_drain_that_cannot_be_started_leaves_the_token_to_the_next(hook: Hook) -> None:
    for command in ("/nowhere/drain", str(hook.spool), "relative"):
        assert hook.run(ABOUT, command).startswith("cortexfs: hook failed: ")
        assert not (hook.spool / "awake").exists()
    assert len(hook.notes()) == 3


@pytest.mark.parametrize("stale", [True, False])
def test_of_many_hooks_one_takes_the_token(module: ModuleType, *, stale: bool) -> None:
    now = time.time_ns()
    module.time = SimpleNamespace(time_ns=lambda: now)  # type: ignore[attr-defined]
    with ThreadPoolExecutor(8) as pool:
        for _ in range(100):
            if stale:
                Path("awake").touch()
                os.utime("awake", ns=(now - 60 * 10**9,) * 2)
            assert sum(pool.map(lambda _: module.win(), range(8))) == 1
            Path("awake").unlink()
    assert os.listdir("tmp") == []


def test_a_claim_whose_owner_died_bars_the_token_for_a_while_only(module: ModuleType) -> None:
    Path("awake").touch()
    os.utime("awake", (0, 0))
    now = time.time_ns()
    for later, won in ((0, False), (module.STALE_NS, True)):
        Path(f"tmp/awake.{now // module.STALE_NS}").touch()
        module.time = SimpleNamespace(time_ns=lambda later=later: now + later)  # type: ignore[attr-defined]
        assert module.win() is won


@pytest.mark.parametrize(("event", "loads"), [(OTHER, False), (ABOUT, True)])
def test_only_a_note_pays_for_what_it_needs(hook: Hook, event: bytes, *, loads: bool) -> None:
    command = [sys.executable, "-X", "importtime", "-I", "-S", str(HOOK), str(hook.spool), *NEEDLES]
    done = subprocess.run(command, input=event, capture_output=True, check=True, timeout=PATIENCE)
    loaded = {line.rpartition(b"|")[2].strip() for line in done.stderr.splitlines()}
    assert (b"os" in loaded) is loads
    assert not loaded & {b"json", b"re", b"subprocess", b"pathlib", b"shutil", b"datetime"}
