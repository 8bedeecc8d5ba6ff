from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from cortexfs.clients.hook_command import format_hook_command, format_path_needles, is_own_hook
from cortexfs.errors import Refused

if TYPE_CHECKING:
    from pathlib import Path

ODD_WORDS = [
    "plain",
    "two words",
    "it's",
    'say "hi"',
    "$HOME ${X} $(id)",
    "50% ü ✓",
    "a\\b",
    "`id`!",
    "a\nb",
]
WRITE_ARGUMENTS = "import sys; open(sys.argv[1] + '/told', 'w').write(ascii(sys.argv[1:]))"


def run(shell: str, command: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [shell, "-c", command], check=False, capture_output=True, env={"X": "no", "HOME": "/no"}
    )


@pytest.mark.parametrize("odd", ODD_WORDS)
@pytest.mark.parametrize(
    "shell", [path for word in ("sh", "bash", "zsh") if (path := shutil.which(word))]
)
def test_every_argument_reaches_the_script_unchanged(tmp_path: Path, odd: str, shell: str) -> None:
    home = tmp_path / odd
    home.mkdir()
    python, script = home / "python", home / "hooks/note_event.py"
    python.symlink_to(os.path.realpath(sys.executable))
    script.parent.mkdir()
    script.write_text(WRITE_ARGUMENTS)
    words = [
        *format_path_needles(f"{home}/.cortex/context", "/real/one"),
        "--",
        f"{home}/wake",
        "-m",
        odd,
    ]
    marker = words.index("--")
    command = format_hook_command(
        str(python), str(script), (str(home), *words[:marker]), words[marker + 1 :]
    )
    assert run(shell, command).returncode == 0
    assert (home / "told").read_text() == ascii([str(home), *words])


@pytest.mark.parametrize("code", [0, 1, 2, 70])
def test_the_hook_command_exits_0_for_any_exit_code_of_the_script(
    tmp_path: Path, code: int
) -> None:
    script = tmp_path / "note_event.py"
    script.write_text(f"raise SystemExit({code})")
    assert (
        run("/bin/sh", format_hook_command(sys.executable, str(script), ["/s"], [])).returncode == 0
    )


def test_the_hook_command_exits_0_without_the_script_or_the_interpreter() -> None:
    for python in (sys.executable, "/nowhere/python"):
        assert (
            run("/bin/sh", format_hook_command(python, "/nowhere/note.py", ["/s"], [])).returncode
            == 0
        )


def test_the_hook_command_has_the_expected_form() -> None:
    command = format_hook_command(
        "/p", "/h/hooks/note_event.py", ["/s", "/h/c"], ["/p", "-m", "cortexfs"]
    )
    assert command == "/p -I -S /h/hooks/note_event.py /s /h/c -- /p -m cortexfs || exit 0"
    assert is_own_hook({"type": "command", "command": command})


@pytest.mark.parametrize("paths", [("p", "/h", "/s"), ("/p", "h", "/s"), ("/p", "/h", "")])
def test_a_relative_path_is_refused(paths: tuple[str, str, str]) -> None:
    with pytest.raises(Refused, match="absolute"):
        format_hook_command(*paths[:2], ["--flush", paths[2]], [])


def test_a_path_that_is_not_utf8_is_refused() -> None:
    with pytest.raises(Refused, match="UTF-8"):
        format_hook_command("/p", "/h", [os.fsdecode(b"/\xff")], [])


def test_path_needles_are_the_root_its_real_path_and_its_last_two_parts() -> None:
    assert format_path_needles("/h/.cortex/context/", "/data/c") == [
        "/h/.cortex/context",
        "/data/c",
        ".cortex/context",
    ]
    assert format_path_needles("/h/.cortex/context", "/h/.cortex/context")[1:] == [
        ".cortex/context"
    ]
    assert format_path_needles("/c", "/c") == ["/c", "c"]
    assert format_path_needles("/", "/") == ["/"]


@pytest.mark.parametrize("odd", [*ODD_WORDS, "tab\there", "\x1f\x7f", "\u2028"])
def test_a_payload_about_the_tree_contains_a_needle(odd: str) -> None:
    root = f"/h/{odd}/context"
    for text in (f"{root}/x.md", f"cat ~/{odd}/context/x.md"):
        payload = json.dumps({"path": text}, ensure_ascii=False).encode()
        assert any(needle.encode() in payload for needle in format_path_needles(root, root))
