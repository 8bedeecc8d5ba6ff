"""With `--soak`: every page in a real terminal, small and large, by tmux."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from test_panel_frames import STEPS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from place import Place

PATIENCE_S = 60
NAMES = {"/": "/", "enter": "Enter", "escape": "Escape", "?": "?"}


class Tmux:
    """A tmux server of its own, with one window."""

    def __init__(self, socket: Path, size: tuple[int, int], command: str) -> None:
        self.socket = str(socket)
        width, height = map(str, size)
        self.run("-f", os.devnull, "new", "-d", "-x", width, "-y", height, command)

    def run(self, *words: str) -> str:
        done = subprocess.run(
            ["tmux", "-S", self.socket, *words], capture_output=True, text=True, check=True
        )
        return done.stdout

    def wait_for(self, text: str) -> str:
        """Return the screen when it has a text."""
        deadline = time.monotonic() + PATIENCE_S
        while text not in (screen := self.run("capture-pane", "-p")):
            assert time.monotonic() < deadline, f"{text!r}\n{screen}"
        return screen


@pytest.fixture
def sizes(soak: bool) -> list[tuple[int, int]]:
    return [(80, 24), (200, 60)] if soak else []


@pytest.fixture
def command(worked_in: Place) -> str:
    words = [sys.executable, "-m", "cortexfs", "--root", str(worked_in.root), "tui"]
    return f"env TERM=xterm-256color CORTEXFS_NOW=2026-05-06T20:31 {shlex.join(words)}"


@pytest.fixture
def socket_folder() -> Iterator[Path]:
    """A folder with a short path: that of a socket has at most a hundred characters."""
    with tempfile.TemporaryDirectory(prefix="cortexfs-", dir="/tmp") as folder:
        yield Path(folder)


def test_every_page_is_drawn_in_a_real_terminal(
    socket_folder: Path, sizes: list[tuple[int, int]], command: str
) -> None:
    for size in sizes:
        terminal = Tmux(socket_folder / str(size[0]), size, command)
        try:
            terminal.wait_for(" reads")
            for name, keys, text in STEPS:
                if keys:  # all at once, as somebody types who knows the way
                    terminal.run("send-keys", *(NAMES.get(key, key) for key in keys))
                screen = terminal.wait_for(text)
                assert "Traceback" not in screen, name
                assert len(screen.splitlines()) <= size[1], name
        finally:
            terminal.run("kill-server")
