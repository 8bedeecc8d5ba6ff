"""Record the terminal session of the README as an animated SVG: `python -m bench.recording`.

It runs real commands on a copy of the sample tree and writes docs/recording.svg. The SVG
contains no font, no script and nothing from other sites.
"""

from __future__ import annotations

import json
import os
import pty
import shutil
import subprocess
import sys
import tempfile
from html import escape
from pathlib import Path
from subprocess import DEVNULL
from typing import TYPE_CHECKING, NamedTuple

from rich.text import Text

from bench.measure import make_environment

if TYPE_CHECKING:
    from collections.abc import Iterator

REPOSITORY = Path(__file__).resolve().parent.parent
PAGE = REPOSITORY / "docs" / "recording.svg"
COLUMN_COUNT, ROW_PX, GLYPH_PX = 84, 18, 8.43
"""Columns, and the height and width of a cell in pixels (14 px monospace)."""
LINE_PAUSE_S, COMMAND_PAUSE_S = 0.12, 1.6
"""Time between two lines of output, and after a command."""
NOW = "2026-05-06T20:31:10+00:00"
CORTEXFS = (sys.executable, "-m", "cortexfs")
READ = "projects/driftwood/knowledge/K-008.md"
SESSION = (
    ("# the agent opens K-008 with its Read tool; the hook counts it", "read"),
    ("cortexfs access log -n 1", ""),
    ("# EXP-014 shows that EXP-012 was wrong", ""),
    ("cortexfs mark driftwood/EXP-012 superseded --by driftwood/EXP-014", ""),
    ("# the knowledge that depends on EXP-012 is challenged now", ""),
    ("cortexfs list knowledge --status challenged", ""),
    ("# one commit; `undo` reverts all of it", ""),
    ("cortexfs undo", ""),
)
DOTS = ("#ff5f56", "#ffbd2e", "#27c93f")
STYLE = """
text { font: 14px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; fill: #d6deeb;
       white-space: pre; }
.prompt { fill: #7fdbca; } .comment { fill: #8b98a9; font-style: italic; }
"""


class Line(NamedTuple):
    """One line of the session: when it appears, its text, and its class."""

    at: float
    text: str
    role: str = ""


def main() -> None:
    """Record the session and write the picture."""
    with tempfile.TemporaryDirectory(prefix="cortexfs-recording-") as made:
        lines = list(record(Path(made)))
    PAGE.write_text(draw_svg(lines), encoding="utf-8")
    print(f"{PAGE.relative_to(REPOSITORY)}: {len(lines)} lines, {PAGE.stat().st_size} bytes")


def record(folder: Path) -> Iterator[Line]:
    """Run each command on its own terminal; yield what a person would see."""
    tree = folder / ".cortex" / "context"
    shutil.copytree(REPOSITORY / "sample-context", tree)
    given = make_environment(folder) | {
        "CORTEXFS_NOW": NOW,
        "COLUMNS": str(COLUMN_COUNT),
        "TERM": "xterm-256color",
        "CORTEXFS_ROOT": str(tree),
        "GIT_PAGER": "cat",
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
    }
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "start"]):
        subprocess.run(["git", *words], cwd=tree, env=given, check=True)
    at = 0.4
    for command, step in SESSION:
        is_comment = command.startswith("#")
        yield Line(
            at, command if is_comment else f"$ {command}", "comment" if is_comment else "prompt"
        )
        if step == "read":
            note_read(tree, given)
        elif not is_comment:
            for text in run_on_terminal(command, tree, given).splitlines():
                at += LINE_PAUSE_S
                yield Line(at, Text.from_ansi(text).plain[:COLUMN_COUNT])
        at += COMMAND_PAUSE_S


def note_read(tree: Path, given: dict[str, str]) -> None:
    """Send the hook the event that Claude Code sends after a Read, and log it."""
    path = str(tree / READ)
    event = {
        "session_id": "s-1",
        "cwd": str(tree),
        "hook_event_name": "PostToolUse",
        "tool_name": "Read",
        "tool_input": {"file_path": path},
        "tool_response": {"type": "text", "file": {"filePath": path}},
        "tool_use_id": "toolu_1",
    }
    script, spool = str(REPOSITORY / "hooks" / "note_event.py"), str(tree / ".cortexfs" / "spool")
    hook = [sys.executable, "-I", "-S", script, spool, str(tree)]
    subprocess.run(hook, input=json.dumps(event).encode(), env=given, check=True, stdout=DEVNULL)
    drain = [*CORTEXFS, "hook", "drain", "--quiet"]
    for command in (drain, [*CORTEXFS, "index", "regen", "--all"]):
        subprocess.run(command, cwd=tree, env=given, check=True, stdout=DEVNULL)


def run_on_terminal(command: str, tree: Path, given: dict[str, str]) -> str:
    """Run a command in a terminal; return what it prints."""
    reader, writer = pty.openpty()
    running = subprocess.Popen(
        ["/bin/sh", "-c", command], cwd=tree, env=given, stdout=writer, stderr=writer, stdin=writer
    )
    os.close(writer)
    shown = b""
    while chunk := _read_terminal(reader):
        shown += chunk
    running.wait()
    os.close(reader)
    return shown.decode(errors="replace").replace("\r\n", "\n")


def _read_terminal(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65_536)
    except OSError:  # the last writer has gone
        return b""


def draw_svg(lines: list[Line]) -> str:
    """Draw the lines, each appearing at its time, over and over."""
    whole = lines[-1].at + 4
    width, height = round(COLUMN_COUNT * GLYPH_PX) + 32, len(lines) * ROW_PX + 44
    frames, rows = [], []
    for number, line in enumerate(lines):
        begin = 100 * line.at / whole
        hidden, shown = f"0%, {begin:.2f}% {{ opacity: 0 }}", f"{begin + 0.01:.2f}%, 100%"
        frames.append(f"@keyframes l{number} {{ {hidden} {shown} {{ opacity: 1 }} }}")
        place = f'x="16" y="{40 + number * ROW_PX}"'
        animation = f"animation: l{number} {whole:.1f}s linear infinite"
        text = escape(line.text)
        rows.append(f'<text class="{line.role}" {place} style="{animation}">{text}</text>')
    dots = "".join(
        f'<circle cx="{18 + 16 * number}" cy="14" r="5" fill="{fill}"/>'
        for number, fill in enumerate(DOTS)
    )
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">',
            "<title>cortexfs: a read, a superseded experiment, challenged knowledge, undo</title>",
            f"<style>{STYLE}{''.join(frames)}</style>",
            f'<rect width="{width}" height="{height}" rx="8" fill="#0b1622"/>{dots}',
            *rows,
            "</svg>\n",
        )
    )


if __name__ == "__main__":
    main()
