"""The CORTEX.md files above a file that was read: offered once, the most specific first."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

HOOKS = Path(__file__).parents[2] / "hooks"
sys.path.insert(0, str(HOOKS))
import cortex_md_chain  # noqa: E402
from shown_record import ShownRecord  # noqa: E402

from cortexfs.core.memory.emitted_text import strip_emitted_text  # noqa: E402

ATOM = "projects/p/experiments/EXP-001.md"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A tree with three levels of CORTEX.md."""
    (tmp_path / "tree/projects/p/experiments").mkdir(parents=True)
    (tmp_path / "tree/.cortexfs").mkdir()
    for folder, text in (("", "of the tree"), ("projects/", "of all"), ("projects/p/", "of p")):
        (tmp_path / f"tree/{folder}CORTEX.md").write_text(f"# Rules {text}\n")
    (tmp_path / "tree" / ATOM).write_text("# x\n")
    return tmp_path / "tree"


def read(root: Path, capfd: pytest.CaptureFixture[str], path: str | Path, **fields: Any) -> str:
    """Send the event of a read; return the text that the model gets."""
    document = {
        "hook_event_name": "PostToolUse",
        "session_id": "s",
        "cwd": "/",
        "tool_name": "Read",
        "tool_input": {"file_path": str(root / path)},
        **fields,
    }
    cortex_md_chain.print_chain(json.dumps(document).encode(), f"{root}/.cortexfs/spool")
    printed = capfd.readouterr().out
    return json.loads(printed)["hookSpecificOutput"]["additionalContext"] if printed else ""


def list_headings(text: str) -> list[str]:
    return [line[3:] for line in text.split("\n") if line.startswith("## ")]


CHAIN = ["projects/p/CORTEX.md", "projects/CORTEX.md", "CORTEX.md"]


def test_the_lines_around_generated_lists_are_left_out(
    root: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    listed = "<!-- cortexfs:files -->\n- a.md\n<!-- /cortexfs:files -->\n"
    for folder in ("", "projects/p/"):
        (root / folder / "CORTEX.md").write_text(f"# Rules\n{listed}x <!-- cortexfs: said -->\n")
    text = read(root, capfd, ATOM)
    assert text.count("# Rules\n- a.md\nx &lt;!-- cortexfs: said -->\n") == 2
    assert "cortexfs:files" not in text


def test_a_read_gets_the_chain_once_a_session(
    root: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (root / "projects/p/CORTEX.local.md").write_text("mine\n")
    text = read(root, capfd, ATOM)
    assert list_headings(text) == [CHAIN[0], "projects/p/CORTEX.local.md", *CHAIN[1:]]
    assert strip_emitted_text(text) == ""
    assert read(root, capfd, ATOM) == ""
    assert len(list_headings(read(root, capfd, ATOM, session_id="other"))) == 4
    assert len(list_headings(read(root, capfd, ATOM, agent_id="a"))) == 4


def test_of_two_reads_side_by_side_the_first_gets_the_chain(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = []
    records = [ShownRecord(str(root), "s") for _ in range(2)]  # both read before one writes
    for process, record in enumerate(records, 7):
        monkeypatch.setattr("posix.getpid", lambda process=process: process)
        shown.append(cortex_md_chain.offer_chain(str(root), ATOM, record))
    assert list_headings(shown[0]) == CHAIN
    assert shown[1] == ""


def test_a_changed_file_is_offered_again(root: Path, capfd: pytest.CaptureFixture[str]) -> None:
    read(root, capfd, ATOM)
    os.utime(root / CHAIN[1], (1, 1))
    assert list_headings(read(root, capfd, ATOM)) == [CHAIN[1]]


def test_what_has_no_room_is_listed_and_offered_again(
    root: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    for path in CHAIN:
        (root / path).write_text("é" * 1750 + "\n")
    text = read(root, capfd, ATOM)
    assert list_headings(text) == CHAIN[:2]
    assert f"lack of room, more general ones last: {root}/CORTEX.md" in text
    assert len(text.encode()) <= 9500
    assert list_headings(read(root, capfd, ATOM)) == CHAIN[2:]


def test_reading_a_cortex_md_marks_it_as_seen(
    root: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert read(root, capfd, CHAIN[0]) == ""
    assert list_headings(read(root, capfd, ATOM)) == CHAIN[1:]


@pytest.mark.parametrize(
    "path", ["../outside/x.md", "/etc/passwd", ".cortexfs/x.md", ".git/config", "", "\0"]
)
def test_a_file_outside_gets_nothing(
    root: Path, capfd: pytest.CaptureFixture[str], path: str
) -> None:
    assert read(root, capfd, path) == ""


def test_a_link_or_a_huge_file_is_left_out(
    root: Path, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "secret").write_text("secret\n")
    (root / CHAIN[0]).unlink()
    (root / CHAIN[0]).symlink_to(tmp_path / "secret")
    (root / CHAIN[1]).write_text("x" * (201 << 10))
    assert list_headings(read(root, capfd, ATOM)) == CHAIN[2:]


@pytest.mark.parametrize(
    ("tool", "given", "cwd"),
    [
        (
            "Bash",
            {"command": "cd /x && cat '{root}/projects/p/experiments/EXP-001.md' | head"},
            "/",
        ),
        ("Bash", {"command": "sed -n 1,5p EXP-001.md"}, "{root}/projects/p/experiments"),
        ("run_shell_command", {"command": "cat ~/tree/projects/p/experiments/EXP-001.md"}, "/"),
        ("read_file", {"file_path": "experiments/EXP-001.md"}, "{root}/projects/p"),
    ],
)
def test_a_file_that_a_shell_shows_counts_too(
    root: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    *,
    tool: str,
    given: dict[str, str],
    cwd: str,
) -> None:
    monkeypatch.setitem(cortex_md_chain.posix.environ, b"HOME", bytes(root.parent))
    filled = {key: value.replace("{root}", str(root)) for key, value in given.items()}
    place = cwd.replace("{root}", str(root))
    text = read(root, capfd, ATOM, tool_name=tool, tool_input=filled, cwd=place)
    assert list_headings(text) == CHAIN


def test_the_hook_of_a_read_prints_the_chain_and_notes_the_read(root: Path) -> None:
    event = {
        "hook_event_name": "AfterTool",
        "session_id": "s",
        "cwd": "/",
        "tool_name": "read_file",
        "tool_input": {"file_path": str(root / ATOM)},
    }
    spool = f"{root}/.cortexfs/spool"
    command = [sys.executable, "-I", "-S", str(HOOKS / "note_event.py"), spool, str(root), "--"]
    for expected in (True, False):
        done = subprocess.run(command, input=json.dumps(event).encode(), capture_output=True,
                              check=True, env={})  # fmt: skip
        assert (b'"hookEventName":"AfterTool"' in done.stdout) is expected
    assert len(list(root.glob(".cortexfs/spool/new/*"))) == 2
