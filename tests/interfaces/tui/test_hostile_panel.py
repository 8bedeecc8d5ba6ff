"""The text of an atom is shown as text: it moves no cursor, makes no link, and hides nothing."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import re
import struct
import sys
import termios
from typing import TYPE_CHECKING

import pytest
from panel_driver import drive
from place import build_tree
from terminal import read_terminal

if TYPE_CHECKING:
    from pathlib import Path

    from panel_driver import Panel
    from place import CopyTree, Place

C0 = [chr(code) for code in (*range(1, 9), 0xB, 0xC, *range(0xE, 0x20), 0x7F)]
C1 = [chr(code) for code in (0x80, 0x84, 0x85, 0x8D, 0x90, 0x98, 0x9B, 0x9C, 0x9D, 0x9E, 0x9F)]
INVISIBLE = [
    *"\u061c\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2028\u2029\u2060"
    "\u2063\u2066\u2067\u2068\u2069\ufeff\u00ad\u034f\u115f\u3164\ufe0f\ufff9\U000e0041"
]
SEQUENCES = [
    "\x1b]52;c;aGVsbG8=\x07",
    "\x1b]8;;https://evil.example\x1b\\click\x1b]8;;\x1b\\",
    "\x1b]8;;file:///etc/passwd\x07open\x1b]8;;\x07",
    "\x1b]0;title\x07",
    "\x1b]2;title\x1b\\",
    "\x1b]4;1;rgb:ff/00/00\x07",
    "\x1b]10;?\x07",
    "\x1b]777;notify;a;b\x07",
    "\x1b]1337;File=name=a:QQ==\x07",
    "\x1b[31mred\x1b[0m",
    "\x1b[8mhidden\x1b[28m",
    "\x1b[2J\x1b[H",
    "\x1b[6n",
    "\x1b[c",
    "\x1b[?1049l",
    "\x1b[?1000h",
    "\x1b[5;5H",
    "\x1b[9999A",
    "\x1bP$q\x1b\\",
    "\x1b_Ga=T;QQ==\x1b\\",
    "\x1b^pm\x1b\\",
    "\x1bc",
    "\x1b(0",
    "\x9b31m",
    "\x9d52;c;QQ==\x9c",
    "over\rwritten",
    "two\r\rlines",
    "\b\b\bback",
]
MARKUP = [
    "[bold]b[/bold]",
    "[/bold]",
    "[link=https://evil.example]l[/link]",
    "[red]",
    "[/]",
    "[@click=app.quit]q[/]",
    "[@click='app.bell']x",
    "[on red]",
    "[$primary]",
    "\\[bold]",
    "[[bold]]",
    ":warning:",
    "$text-muted",
    "{self.app}",
    "%s %d",
    "<b>html</b>",
    "`code`",
    "&#27;[31m",
]
PAYLOADS = [*C0, *C1, *INVISIBLE, *SEQUENCES, *MARKUP]
HARMFUL = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\u3164\ufe00-\ufe0f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
PAGE = "projects/flywheel/roadmap.md"
ATOM = """---
id: EXP-{number}
date: 2026-05-06
project: flywheel
summary: {quoted}
tags: [{quoted}]
session: {quoted}
tool: {quoted}
---

# {body}

{body}
"""


def quote(text: str) -> str:
    """Quote a text for YAML, which has another escape for characters beyond 16 bits."""
    return json.dumps(text).replace("\\udb40\\udc41", "\\U000e0041")


def build_hostile(place: Place) -> None:
    """Make a tree with each payload in an atom of its own."""
    build_tree(place)
    for number, payload in enumerate(PAYLOADS, 101):
        text = f"x{number}a{payload}b{number}y"
        atom = ATOM.format(number=number, quoted=quote(text), body=text)
        place.write(f"projects/flywheel/experiments/EXP-{number}.md", atom)
    tasks = "".join(
        f"  - id: t{number}\n    text: {quote(f'x{number}a{payload}b{number}y')}\n"
        f"    status: open\n    priority: {quote(payload)}\n"
        for number, payload in enumerate(PAYLOADS, 101)
    )
    place.write("projects/flywheel/TASKS.yaml", f"tasks:\n{tasks}")
    lines = (f"x{number}a{payload}b{number}y" for number, payload in enumerate(PAYLOADS, 101))
    place.write(PAGE, "\n\n".join(lines))
    place.git("add", ".")
    author = f"{''.join((*INVISIBLE, *C1))}[bold] <evil@example.org>"
    place.git("commit", "-qm", "".join(PAYLOADS), "--cleanup=verbatim", "--author", author)


@pytest.fixture
def hostile(tmp_path: Path, copy_tree: CopyTree) -> Place:
    return copy_tree(tmp_path / "tree", build_hostile)


@pytest.mark.soak
def test_a_hundred_payloads_are_shown_as_text_on_every_page(hostile: Place) -> None:
    assert len(PAYLOADS) >= 100

    async def act(panel: Panel) -> list[str]:
        frames = [panel.frame]
        for keys, text in (
            (("3",), "by date"),
            (("enter",), "origin"),
            (("6",), "t101"),
            (("enter",), "priority"),
            (("8",), "EXP-1"),
            (("9",), "failed"),
            (("/", *"x101a"), "Search"),
            (("escape", "5", "enter", "m"), "Status is missing"),
        ):
            await panel.press(*keys)
            await panel.until(text)
            await panel.until("loading", absent=True)
            frames.append(panel.frame)
        return frames

    frames = drive(hostile, act, size=(118, len(PAYLOADS) + 12))
    assert [ascii(found) for frame in frames for found in HARMFUL.findall(frame)] == []
    for name, frame in (("flywheel/EXP-", frames[1]), ("t", frames[3])):
        shown = {int(found[1]): row for row in frame.splitlines() if (found := find_row(name, row))}
        assert len(shown) >= 100
        for number, row in shown.items():
            payload = PAYLOADS[number - 101]
            whole = f"a{payload}b{number}y" if payload in MARKUP else "a"
            assert f"x{number}{whole}" in row


@pytest.mark.soak
def test_a_page_that_is_no_atom_is_shown_as_text(hostile: Place) -> None:
    async def act(panel: Panel) -> str:
        panel.app.open_page("page", PAGE)
        await panel.until(PAGE)
        return await panel.until(f"b{100 + len(PAYLOADS)}y")

    frame = drive(hostile, act, size=(118, 3 * len(PAYLOADS)))
    assert [ascii(found) for found in HARMFUL.findall(frame)] == []
    for number, payload in enumerate(PAYLOADS, 101):
        assert f"x{number}a" in frame
        if payload in MARKUP:
            assert f"x{number}a{payload}b{number}y" in frame


def find_row(name: str, row: str) -> re.Match[str] | None:
    return re.match(rf" {name}(\d{{3}}) ", row)


def test_the_terminal_gets_no_sequence_of_an_atom(hostile: Place) -> None:
    output = run_in_terminal(hostile, [b"3", b"j", b"\r", b"q", b"6", b"9", b"q", b"q", b"\x03"])
    text = output.decode(errors="replace")
    assert "EXP-1" in text
    for number, payload in enumerate(PAYLOADS, 101):
        if payload not in MARKUP:
            assert f"x{number}a{payload}" not in text, ascii(payload)
    for sequence in ("\x1b]52;", "\x1b]8;;", "\x1b]0;", "\x1b]2;title", "\x1b[2J\x1b[H", "\x1bc"):
        assert sequence not in text


def run_in_terminal(place: Place, keys: list[bytes]) -> bytes:
    """Run the panel in a terminal, press each key when the one before is answered; give all."""
    child, ours = pty.fork()
    if not child:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
        os.environ["TERM"] = "xterm-256color"
        words = ["-m", "cortexfs", "--root", str(place.root), "tui"]
        os.execv(sys.executable, [sys.executable, *words])  # noqa: S606
    output = b""
    while b" atoms" not in output:
        output += read_terminal(ours)
    for key in keys:
        os.write(ours, key)
        output += read_terminal(ours)
        while b"EXP-1" not in output:  # the first key leads to a page with refs
            output += read_terminal(ours)
    while chunk := read_terminal(ours):
        output += chunk
    os.waitpid(child, 0)
    os.close(ours)
    return output
