"""Commands on a terminal of their own, with what is typed there."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from place import Place

PATIENCE_S = 60
"""Seconds in which a command has to print something; a question nobody answers fails the test."""
DONE = "\x04"
"""What a terminal takes for the end of all answers."""


class Dialogue(NamedTuple):
    """What was said on a terminal, the answers among it, and how it ended."""

    code: int
    output: str


def talk_until(place: Place, question: str, keys: str, *words: str) -> Dialogue:
    """Run a command on a terminal that controls it, and type some keys once it asks."""
    child, ours = pty.fork()
    if not child:
        os.chdir(place.root)
        os.execv(sys.executable, [sys.executable, "-m", "cortexfs", *words])  # noqa: S606
    said = b""
    while chunk := read_terminal(ours):
        is_asked = question.encode() in said
        said += chunk
        if not is_asked and question.encode() in said:
            os.write(ours, keys.encode())
    os.close(ours)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return Dialogue(code, said.decode().replace("\r\n", "\n"))


def talk(place: Place, *words: str, answers: str = "", **env: str) -> Dialogue:
    """Run a command on a terminal of its own, and type the answers."""
    ours, its = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "cortexfs", "--root", str(place.root), *words],
        stdin=its,
        stdout=its,
        stderr=its,
        cwd=place.root,
        env={**os.environ, "COLUMNS": "300", **env},
    ) as running:
        os.close(its)
        os.write(ours, answers.encode())
        chunks = []
        while chunk := read_terminal(ours):
            chunks.append(chunk)
        os.close(ours)
        return Dialogue(running.wait(), b"".join(chunks).decode().replace("\r\n", "\n"))


def take_kept_text(said: str) -> str:
    """Read the text that a message says is kept somewhere, and take the file away."""
    path = said.rpartition("your text is saved in ")[2].split()[0]
    with open(path, encoding="utf-8", newline="") as file:
        text = file.read()
    os.unlink(path)
    return text


def read_terminal(terminal: int) -> bytes:
    """Return what a command has printed; empty once it has ended."""
    assert select.select([terminal], [], [], PATIENCE_S)[0], "nothing is printed any more"
    try:
        return os.read(terminal, 65536)
    except OSError:  # the other end is closed
        return b""
