"""The guard as a client runs it: a process whose own faults block no write."""

from __future__ import annotations

import json
import os
import pty
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from guarding import AFTER, BEFORE, HOOK, PATIENCE, RECORDED, Guard, event, read
from soak_cases import leave_to_soak

from cortexfs.core.guards import guarded_file_names
from cortexfs.core.tasks import task_and_board
from cortexfs.operations.own_commands import list_package_folders
from cortexfs.tree import list_and_stamp_files

if TYPE_CHECKING:
    from pathlib import Path

    from place import Place

MIB = 1 << 20
STATUS = "projects/driftwood/STATUS.md"
LONG = "- a line\n" * 121


def format_denied_write(guard: Guard) -> bytes:
    return event(BEFORE, guard.root / STATUS, content=LONG)


def read_decision(message: dict[str, Any]) -> str:
    return str(message.get("hookSpecificOutput", {}).get("permissionDecision", ""))


def test_a_write_over_a_cap_is_denied(guard: Guard) -> None:
    assert read_decision(guard.run(format_denied_write(guard))) == "deny"


def test_a_file_with_a_finding_is_reported(sample: Place, guard: Guard) -> None:
    path = sample.write("projects/driftwood/knowledge/K-050.md", "---\nid: K-051\n---\n")
    document = guard.run(event(AFTER, path))["hookSpecificOutput"]
    assert document["hookEventName"] == AFTER
    assert "[name-mismatch]" in document["additionalContext"]


def test_the_guard_writes_only_a_note_and_ignores_folders_that_are_no_tree(
    sample: Place, guard: Guard
) -> None:
    known = sorted(sample.root.rglob("*"))
    guard.run(format_denied_write(guard))
    assert sorted(sample.root.rglob("*")) == known
    guard.run(event(AFTER, sample.root / "projects/driftwood/experiments/EXP-001.md"))
    added = set(sample.root.rglob("*")) - set(known)
    (note,) = (path for path in added if path.parent.name == "new")
    assert note.is_relative_to(sample.root / ".cortexfs/spool/new")
    assert added - {note, *note.parents} <= {sample.root / ".cortexfs/spool/tmp"}
    (sample.root / "CORTEX.md").unlink()
    assert guard.run(format_denied_write(guard)) == {}


def test_a_write_in_any_folder_is_noted_without_the_text_of_the_file(guard: Guard) -> None:
    assert guard.run(event(AFTER, "/elsewhere/app.py", content="secret\n" * 9000)) == {}
    assert guard.run(event(BEFORE, "/elsewhere/app.py", content="x")) == {}
    (note,) = (guard.root / ".cortexfs/spool/new").iterdir()
    document = json.loads(note.read_text())
    assert document["tool_input"] == {"file_path": "/elsewhere/app.py"}
    assert document["hook_event_name"] == AFTER


@pytest.mark.parametrize("version", ["1.0.128", "2.0.77", "2.1.330"])
def test_recorded_events_of_clients_are_judged(world: Path, sample: Place, version: str) -> None:
    root = world / ".cortex/context"
    shutil.copytree(sample.root, root)
    guard = Guard(root)

    def sent(name: str) -> bytes:
        return (RECORDED / version / name).read_bytes().replace(b"/home/dev", bytes(world))

    (root / STATUS).write_text("Updated: 2026-05-05\nUpdated: 2026-05-06\n# S\n")
    edits = [path.name for path in (RECORDED / version).glob("PreToolUse-*Edit.json")]
    assert [guard.run(sent(name)) for name in edits] == [{}] * len(edits)
    (root / "cortexfs.yaml").write_text("caps:\n  STATUS.md:\n    bytes: 9\n")
    assert [read_decision(guard.run(sent(name))) for name in edits] == ["deny"] * len(edits)
    assert guard.run(sent("PreToolUse-Write.json")) == {}
    (root / "projects/driftwood/knowledge/K-050.md").write_text("---\nid: K-050\n---\n")
    message = guard.run(sent("PostToolUse-Write.json"))["hookSpecificOutput"]["additionalContext"]
    assert "K-050.md" in message
    assert "[missing-field]" in message


@pytest.mark.parametrize(
    "message",
    leave_to_soak([
        b"", b"no json STATUS.md %b", b'{"a": "%b STATUS.md',
        pytest.param(b"[" * MIB + b"%b STATUS.md", id="deep"),
        b'"%b STATUS.md"', b'{"%b": "STATUS.md \xff"}', b'{"x": "%b", "STATUS.md": NaN}',
        b'{"hook_event_name": "Stop", "x": "%b STATUS.md"}',
    ], every=3),
)  # fmt: skip
def test_invalid_events_are_let_through(guard: Guard, message: bytes) -> None:
    assert guard.run(message.replace(b"%b", bytes(guard.root))) == {}


@pytest.mark.soak
def test_a_write_of_sixteen_megabytes_is_read_and_judged(guard: Guard) -> None:
    assert (
        read_decision(guard.run(event(BEFORE, guard.root / STATUS, content="a\n" * (8 * MIB))))
        == "deny"
    )
    assert guard.run(event(BEFORE, guard.root / "notes.md", content="a\n" * (8 * MIB))) == {}


def test_an_endless_event_is_read_and_let_through(guard: Guard) -> None:
    command = [sys.executable, "-I", "-S", str(HOOK), *guard.words]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin
        process.stdin.write(format_denied_write(guard))
        for _ in range(65):
            process.stdin.write(b" " * MIB)  # raises BrokenPipeError when the guard stops reading
        process.stdin.close()
        assert process.stdout
        assert process.stdout.read() == b""
    assert process.returncode == 0


@pytest.mark.parametrize(
    "words",
    leave_to_soak([
        [], ["--"], ["/nowhere"], ["{root}"], ["{root}", "--"], ["{root}", "{root}"],
        ["{root}", "{root}", "--", "/nowhere"], ["{root}", "{root}", "--", "/dev/null"],
        ["{root}", "\udcff", "--"],
        ["/nowhere", "{root}", "--", *list_package_folders()],
        ["/dev/null", "{root}", "--", *list_package_folders()],
        ["", "{root}", "--", *list_package_folders()],
    ], every=3),
)  # fmt: skip
def test_a_misconfigured_guard_blocks_no_write(guard: Guard, words: list[str]) -> None:
    arguments = [word.format(root=guard.root) for word in words]
    edit = event(BEFORE, guard.root / STATUS, old_string="a", new_string="b")
    code, out, output = guard.run_raw(edit, words=arguments)
    assert (code, out) == (0, "")
    assert output.count("\n") <= 1
    assert "Traceback" not in output


def test_a_broken_package_blocks_no_write(guard: Guard, tmp_path: Path) -> None:
    for text in ("syntax error", "raise SystemExit(2)", "raise KeyboardInterrupt", "answer = 7"):
        broken = tmp_path / "broken/cortexfs/interfaces/hooks"
        broken.mkdir(parents=True, exist_ok=True)
        (broken / "guard.py").write_text(text)
        words = [*guard.words, "--", str(tmp_path / "broken")]
        code, out, output = guard.run_raw(format_denied_write(guard), words=words)
        assert (code, out) == (0, "")
        assert output.startswith("cortexfs: guard failed: ")


def test_with_closed_or_unusual_streams_the_guard_exits_with_0(guard: Guard) -> None:
    for ends in ("<&-", ">&-", "2>&-", ">&- 2>&-", ">/dev/full", "<&- >&- 2>&-"):
        code, out, _ = guard.run_raw(
            format_denied_write(guard), before=["sh", "-c", f'exec "$@" {ends}', "sh"]
        )
        assert code == 0, ends
        assert not out or "2>" in ends
    ours, theirs = pty.openpty()
    command = [sys.executable, "-I", "-S", str(HOOK), *guard.words]
    assert subprocess.run(command, stdin=theirs, check=False, timeout=60).returncode == 0
    os.close(ours)
    os.close(theirs)


def test_the_guard_imports_nothing_from_the_working_directory_or_the_tree(
    guard: Guard, tmp_path: Path
) -> None:
    for folder in (tmp_path, guard.root):
        for name in ("json", "yaml", "cortexfs", "gc", "re"):
            (folder / f"{name}.py").write_text("raise SystemExit('stolen')")
    assert read_decision(guard.run(format_denied_write(guard), cwd=tmp_path)) == "deny"
    assert read_decision(guard.run(format_denied_write(guard), cwd=guard.root)) == "deny"


@pytest.mark.parametrize(
    ("when", "path", "loads"),
    [
        (BEFORE, "/elsewhere/STATUS.md", False),
        (AFTER, "/elsewhere/x.md", False),
        (BEFORE, "{root}/projects/driftwood/experiments/EXP-001.md", True),
        (AFTER, "{root}/code.py", False),
        (BEFORE, "{root}/" + STATUS, True),
        (AFTER, "{root}/projects/driftwood/experiments/EXP-001.md", True),
    ],
)
def test_the_package_is_imported_only_for_files_with_rules(
    guard: Guard, when: str, path: str, *, loads: bool
) -> None:
    text = event(when, path.format(root=guard.root), content="x")
    before = [sys.executable, "-X", "importtime", "-I", "-S", str(HOOK)]
    command = [*before, *guard.words, "--", *list_package_folders()]
    done = subprocess.run(command, input=text, capture_output=True, check=True, timeout=60)
    loaded = {line.rpartition(b"|")[2].strip() for line in done.stderr.splitlines()}
    assert (b"cortexfs" in loaded) is loads
    assert loads or not loaded & {b"os", b"re", b"json", b"typing"}
    assert not loaded & {b"yaml", b"sqlite3", b"subprocess", b"typer", b"detect_secrets", b"site"}


def test_the_names_of_special_files_are_those_of_their_modules() -> None:
    assert guarded_file_names.TASKS_FILE == task_and_board.TASKS_FILE
    assert guarded_file_names.SETTINGS_FILE == list_and_stamp_files.SETTINGS_FILE


def test_the_installed_command_denies_from_any_shell(
    sample: Place, world: Path, tmp_path: Path
) -> None:
    sample.ok("setup", "claude-code", "--yes")
    hooks = json.loads((world / ".claude/settings.json").read_text())["hooks"]
    commands = [hook["command"] for group in hooks["PreToolUse"] for hook in group["hooks"]]
    assert len(commands) == 1

    def run() -> str:
        write = format_denied_write(Guard(sample.root))
        shell = ["/bin/sh", "-c", commands[0]]
        return subprocess.run(
            shell, input=write, cwd=tmp_path, capture_output=True, check=True, timeout=PATIENCE
        ).stdout.decode()

    assert read_decision(read(run())) == "deny"
    (world / ".cortex/hooks/guard.py").unlink()
    assert run() == ""
