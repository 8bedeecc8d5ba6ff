"""Commands on a terminal of their own, with what is typed there."""

from __future__ import annotations

import os
import pty
import sys
from typing import TYPE_CHECKING, NamedTuple

from command_server import start_forked, wait_for

if TYPE_CHECKING:
    from place import Place

DONE = "\x04"
"""What a terminal takes for the end of all answers."""


class Talk(NamedTuple):
    """What was said on a terminal, the answers among it, and how it ended."""

    code: int
    said: str


def talk_until(place: Place, question: str, keys: str, *words: str) -> Talk:
    """Run a command on a terminal that controls it, and type some keys once it asks."""
    child, ours = pty.fork()
    if not child:
        os.chdir(place.root)
        os.execv(sys.executable, [sys.executable, "-m", "cortexfs", *words])  # noqa: S606
    said = b""
    while chunk := read(ours):
        is_asked = question.encode() in said
        said += chunk
        if not is_asked and question.encode() in said:
            os.write(ours, keys.encode())
    os.close(ours)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return Talk(code, said.decode().replace("\r\n", "\n"))


def talk(place: Place, *words: str, answers: str = "", **env: str) -> Talk:
    """Run a command on a terminal of its own, and type the answers."""
    ours, its = pty.openpty()
    environment = {**os.environ, "COLUMNS": "300", **env}
    argv = ("--root", str(place.root), *words)
    running = start_forked(argv, str(place.root), environment, [its] * 3)
    os.close(its)
    os.write(ours, answers.encode())
    chunks = []
    while chunk := read(ours):
        chunks.append(chunk)
    os.close(ours)
    return Talk(wait_for(running), b"".join(chunks).decode().replace("\r\n", "\n"))


def kept(said: str) -> str:
    """Read the text that a message says is kept somewhere, and take the file away."""
    path = said.rpartition("what you wrote is kept in ")[2].split()[0]
    with open(path, encoding="utf-8", newline="") as file:
        text = file.read()
    os.unlink(path)
    return text


def read(terminal: int) -> bytes:
    """Return what has come to a terminal; empty when the other end is closed."""
    try:
        return os.read(terminal, 65536)
    except OSError:  # the other end is closed
        return b""
