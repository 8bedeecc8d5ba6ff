"""The hook as a client runs it: a process that the agent waits for."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

HOOK = Path(__file__).parents[2] / "hooks/note_event.py"
NEEDLES = ["/home/dev/.cortex/context", "/data/context", ".cortex/context"]
TURN_END = b'{"hook_event_name": "Stop", "session_id": "s"}'
SESSION_END = b'{"hook_event_name": "SessionEnd", "session_id": "s"}'
ABOUT = (
    b'{"tool_input":{"file_path":"/home/dev/.cortex/context/projects/p/experiments/EXP-001.md"}}'
)
OTHER = b'{"tool_input":{"file_path":"/home/dev/app/src/app.py"}}'
MIB = 1 << 20
PATIENCE = 60
"""Seconds after which a silent process is ended."""

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
"""A drain that reports its environment and lives until the gate is opened."""


@dataclass(frozen=True, slots=True)
class Hook:
    """A spool and its hook."""

    spool: Path

    def run(self, event: bytes, *drain: str, **options: Any) -> str:
        """Run the hook; return its stderr."""
        return run([str(self.spool), *NEEDLES, "--", *drain], input=event, **options)

    def notes(self) -> list[bytes]:
        return [path.read_bytes() for path in sorted(self.spool.glob("new/*"))]

    def drafts(self) -> list[Path]:
        return list(self.spool.glob("tmp/*"))


@dataclass(frozen=True, slots=True)
class Drain:
    """The program that the hook starts as its drain."""

    pipe: Path
    gate: Path
    reader: int

    def command(self, *words: str) -> tuple[str, ...]:
        return (sys.executable, "-I", "-S", "-c", REPORT, str(self.pipe), str(self.gate), *words)

    def report(self) -> dict[str, Any]:
        """Wait for the report of the drain, and let it end."""
        report_line = b""
        while not report_line.endswith(b"\n"):
            assert select.select([self.reader], [], [], PATIENCE)[0], "no drain was started"
            report_line += os.read(self.reader, 65536)
        self.gate.open("w").close()
        report: dict[str, Any] = json.loads(report_line)
        return report


def run(words: list[str], **options: Any) -> str:
    """Run the hook, which must exit with 0 and an empty stdout; return its stderr."""
    options.setdefault("env", {k: v for k, v in os.environ.items() if k != "CORTEXFS_DRAIN_QUIET"})
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
    reader = os.open(pipe, os.O_RDWR | os.O_NONBLOCK)
    yield Drain(pipe, gate, reader)
    os.close(reader)


def read_mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.parametrize("needle", NEEDLES)
def test_an_event_about_the_tree_is_noted_byte_for_byte(hook: Hook, needle: str) -> None:
    event = b'\xff{"x":"' + needle.encode() + b'"}\n'
    assert hook.run(event) == ""
    assert (hook.notes(), hook.drafts()) == ([event], [])
    (note,) = hook.spool.glob("new/*")
    assert re.fullmatch(r"\d{19}\.\d+", note.name)
    assert read_mode(note) == 0o600
    assert {read_mode(hook.spool / name) for name in ("", "tmp", "new")} == {0o700}


def test_an_existing_spool_becomes_private(hook: Hook) -> None:
    folders = [hook.spool.parent, *(hook.spool / name for name in ("", "tmp", "new"))]
    for folder in folders:
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o777)
    assert hook.run(b"{" + NEEDLES[0].encode() + b"}") == ""
    assert set(map(read_mode, folders)) == {0o700}


def test_an_event_about_another_folder_leaves_no_note(hook: Hook, drain: Drain) -> None:
    assert hook.run(OTHER, *drain.command()) == ""
    assert not hook.spool.parent.exists()


def test_a_missing_spool_folder_is_created(hook: Hook) -> None:
    for gone in ("new", "tmp"):
        hook.run(ABOUT)
        for note in hook.spool.glob("new/*"):
            note.unlink()
        (hook.spool / gone).rmdir()
        assert hook.run(ABOUT) == ""
        assert hook.notes() == [ABOUT]


def test_concurrent_hooks_leave_one_note_each(hook: Hook) -> None:
    events = [ABOUT + str(number).encode() for number in range(12)]
    with ThreadPoolExecutor(6) as pool:
        assert set(pool.map(hook.run, events)) == {""}
    assert sorted(hook.notes()) == sorted(events)


@pytest.mark.parametrize("start", [ABOUT, OTHER])
def test_a_long_event_is_read_to_the_end_and_its_beginning_kept(hook: Hook, start: bytes) -> None:
    command = [sys.executable, "-I", "-S", str(HOOK), str(hook.spool), *NEEDLES, "--"]
    event = start + b"." * (3 * MIB) + ABOUT
    with subprocess.Popen(command, stdin=subprocess.PIPE) as process:
        assert process.stdin
        process.stdin.write(event)  # raises BrokenPipeError when the hook stops reading early
    assert process.returncode == 0
    assert hook.notes() == ([event[:MIB]] if start == ABOUT else [])


@pytest.mark.parametrize(
    "words",
    [
        [], ["--"], ["", ""], ["{spool}"], ["{spool}", "--", "x"], ["{spool}", ""],
        ["--flush"], ["--flush", "{spool}"], ["--flush", "--", "/x"],
        ["{spool}", "", "--", "/x"], ["/dev/null/spool", *NEEDLES], ["", *NEEDLES],
        ["--", *NEEDLES, "--", "--"], ["{spool}", *NEEDLES, "--", ""], ["x" * 5000, *NEEDLES],
        ["{spool}", "\udcff", *NEEDLES, "--", "\udcff"],
    ],
)  # fmt: skip
def test_the_hook_exits_with_0_for_any_input(hook: Hook, tmp_path: Path, words: list[str]) -> None:
    text = run([word.format(spool=hook.spool) for word in words], input=ABOUT, cwd=tmp_path)
    assert text.count("\n") <= 1
    assert "Traceback" not in text


def test_without_stdin_the_hook_exits_at_once(hook: Hook) -> None:
    run([str(hook.spool), *NEEDLES], before=["sh", "-c", 'exec "$@" <&-', "sh"])
    ours, theirs = pty.openpty()
    run([str(hook.spool), *NEEDLES], stdin=theirs)
    os.close(ours)
    os.close(theirs)
    assert not hook.spool.exists()


def test_without_stderr_the_hook_exits_with_0() -> None:
    for end in ("2>&-", "2>/dev/null", ">&- 2>&-"):
        run(["/dev/null/x", *NEEDLES], input=ABOUT, before=["sh", "-c", f'exec "$@" {end}', "sh"])


def test_a_full_disk_loses_the_note_and_prints_one_line(hook: Hook) -> None:
    hook.run(ABOUT)
    ran = hook.run(ABOUT * 2000, before=["sh", "-c", 'ulimit -f 8; exec "$@"', "sh"])
    assert re.fullmatch(r"cortexfs: hook failed: OSError: .*\n", ran)
    assert (hook.notes(), hook.drafts()) == ([ABOUT], [])


def test_a_spool_that_is_not_a_folder_prints_one_line(hook: Hook) -> None:
    hook.spool.parent.mkdir(parents=True)
    hook.spool.write_text("not a folder")
    assert re.fullmatch(r"cortexfs: hook failed: \w+Error: .*\n", hook.run(ABOUT))
    assert hook.spool.read_text() == "not a folder"


def test_a_note_starts_the_drain_and_does_not_wait_for_it(hook: Hook, drain: Drain) -> None:
    words = ("--root", "/a tree", "--", "hook", "drain")
    assert hook.run(ABOUT, *drain.command(*words)) == ""  # returns while the drain still lives
    assert read_mode(hook.spool / "drain.lock") == 0o600
    report = drain.report()
    assert report["words"] == list(words)
    assert report["leads"]
    assert report["null"] == [True, True, True]


def test_the_drain_inherits_only_what_it_needs(hook: Hook, drain: Drain) -> None:
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


def test_no_second_drain_is_started_while_one_waits(hook: Hook, drain: Drain) -> None:
    hook.run(ABOUT)
    lock = hook.spool / "drain.lock"
    lock.touch()
    code = f"import os; os.lockf(os.open({str(lock)!r}, 2), os.F_LOCK, 0); print(); input()"
    flush = ["--flush", str(hook.spool), "--"]
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as waits:
        assert waits.stdout
        waits.stdout.readline()
        assert hook.run(ABOUT, "/nowhere/drain") == ""
        assert run([*flush, "/nowhere/drain"], input=TURN_END) == ""
        waits.kill()
    assert hook.run(ABOUT, *drain.command()) == ""
    assert drain.report(), "a lock ends with the process that held it"
    assert len(hook.notes()) == 4


def test_the_end_of_a_turn_starts_a_drain_that_waits_and_that_of_a_session_one_that_does_not(
    hook: Hook, drain: Drain
) -> None:
    flush = ["--flush", str(hook.spool), "--"]
    assert run([*flush, *drain.command("--now", "/spool")], input=TURN_END) == ""
    assert drain.report()["words"] == ["/spool"]
    assert run([*flush, *drain.command("--now", "/spool")], input=SESSION_END) == ""
    assert drain.report()["words"] == ["--now", "/spool"]


def test_the_environment_can_turn_the_drain_off(hook: Hook) -> None:
    environ = {**os.environ, "CORTEXFS_DRAIN_QUIET": "off"}
    assert hook.run(ABOUT, "/nowhere/drain", env=environ) == ""
    assert run(["--flush", str(hook.spool), "--", "/nowhere/drain"], env=environ, input=b"{}") == ""
    assert len(hook.notes()) == 1


def test_a_drain_that_fails_to_start_releases_the_lock(hook: Hook) -> None:
    for command in ("/nowhere/drain", str(hook.spool), "relative"):
        assert hook.run(ABOUT, command).startswith("cortexfs: hook failed: ")
    assert len(hook.notes()) == 3


def test_a_flush_drains_only_waiting_notes(hook: Hook, drain: Drain) -> None:
    flush = ["--flush", str(hook.spool), "--"]
    assert run([*flush, "/nowhere/drain"], input=b"{}") == ""
    assert not hook.spool.parent.exists(), "nothing is created"
    hook.run(ABOUT)
    assert run([*flush, *drain.command()], input=ABOUT * 30_000) == ""
    assert drain.report()["leads"]
    assert hook.notes() == [ABOUT], "an event without a name is no note"
    next(hook.spool.glob("new/*")).unlink()
    assert run([*flush, "/nowhere/drain"], input=b"{}") == ""


def test_the_end_of_a_turn_is_noted_with_its_long_texts_cut(hook: Hook) -> None:
    event = {"hook_event_name": "Stop", "session_id": "s", "last_assistant_message": "x" * 9000}
    assert run(["--flush", str(hook.spool)], input=json.dumps(event).encode()) == ""
    (note,) = hook.notes()
    assert json.loads(note) == event | {"last_assistant_message": "x" * 2000}


@pytest.mark.parametrize("step", [".cortexfs", ".cortexfs/spool", ".cortexfs/spool/new"])
@pytest.mark.parametrize("what", ["link", "file", "pipe"])
def test_a_symlinked_spool_is_never_followed(
    hook: Hook, tmp_path: Path, step: str, what: str
) -> None:
    outside = tmp_path / "outside"
    for folder in ("spool/new", "spool/tmp", "new", "tmp"):
        (outside / folder).mkdir(parents=True)
    (outside / "spool/new/1.1").touch()
    place = hook.spool.parent.parent / step
    place.parent.mkdir(parents=True, exist_ok=True)
    match what:
        case "link":
            place.symlink_to(outside, target_is_directory=True)
        case "file":
            place.touch()
        case "pipe":
            os.mkfifo(place)
    known = sorted(outside.rglob("*"))
    for words in ([str(hook.spool), *NEEDLES], ["--flush", str(hook.spool)]):
        error = run([*words, "--", "/bin/touch", str(outside / "started")], input=ABOUT)
        assert re.fullmatch(r"cortexfs: hook failed: NotADirectoryError: .*\n", error)
    assert sorted(outside.rglob("*")) == known


@pytest.mark.parametrize("what", ["link", "pipe", "folder"])
def test_a_lock_that_is_not_a_file_prints_a_line_and_keeps_the_note(hook: Hook, what: str) -> None:
    hook.run(ABOUT)
    lock = hook.spool / "drain.lock"
    match what:
        case "link":
            lock.symlink_to(hook.spool / "elsewhere")
        case "pipe":
            os.mkfifo(lock)
        case "folder":
            lock.mkdir()
    assert hook.run(ABOUT, "/nowhere/drain").startswith("cortexfs: hook failed: ")
    assert len(hook.notes()) == 2
    assert not (hook.spool / "elsewhere").exists()


@pytest.mark.parametrize(("event", "loads"), [(OTHER, False), (ABOUT, True)])
def test_modules_are_imported_only_for_a_note(hook: Hook, event: bytes, *, loads: bool) -> None:
    command = [sys.executable, "-X", "importtime", "-I", "-S", str(HOOK), str(hook.spool), *NEEDLES]
    done = subprocess.run(command, input=event, capture_output=True, check=True, timeout=PATIENCE)
    loaded = {line.rpartition(b"|")[2].strip() for line in done.stderr.splitlines()}
    assert (b"spool_note" in loaded) is loads
    assert not loaded & {b"os", b"json", b"re", b"subprocess", b"pathlib", b"shutil", b"datetime"}
