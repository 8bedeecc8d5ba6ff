"""Commands on a terminal, with typed answers."""

from __future__ import annotations

import os
import pty
import select
import sys
from typing import TYPE_CHECKING, NamedTuple

from command_server import start_forked, wait_for

if TYPE_CHECKING:
    from place import Place

PATIENCE_S = 60
"""Seconds in which a command has to print something; a question nobody answers fails the test."""
DONE = "\x04"
"""The character that ends the input of a terminal."""


class Dialogue(NamedTuple):
    """The text on a terminal, with the typed answers, and the exit code."""

    code: int
    output: str


def talk_until(place: Place, question: str, keys: str, *words: str) -> Dialogue:
    """Run a command on a controlling terminal, and type some keys when it asks."""
    child, ours = pty.fork()
    if not child:
        os.chdir(place.root)
        os.execv(sys.executable, [sys.executable, "-m", "cortexfs", *words])  # noqa: S606
    output = b""
    while chunk := read_terminal(ours):
        is_asked = question.encode() in output
        output += chunk
        if not is_asked and question.encode() in output:
            os.write(ours, keys.encode())
    os.close(ours)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return Dialogue(code, output.decode().replace("\r\n", "\n"))


def talk(
    place: Place, *words: str, answers: str = "", stderr: int | None = None, **env: str
) -> Dialogue:
    """Run a command on a terminal of its own, and type the answers.

    With stderr elsewhere, a slow command shows no progress bar among its output.
    """
    ours, its = pty.openpty()
    environment = {**os.environ, "COLUMNS": "300", **env}
    argv = ("--root", str(place.root), *words)
    running = start_forked(
        argv, str(place.root), environment, [its, its, its if stderr is None else stderr]
    )
    os.close(its)
    os.write(ours, answers.encode())
    chunks = []
    while chunk := read_terminal(ours):
        chunks.append(chunk)
    os.close(ours)
    return Dialogue(wait_for(running), b"".join(chunks).decode().replace("\r\n", "\n"))


def take_kept_text(output: str) -> str:
    """Read the kept text that a message names, and remove its file."""
    path = output.rpartition("your text is saved in ")[2].split()[0]
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
