"""Run a line as a person types it."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from contextlib import ExitStack
from typing import TYPE_CHECKING

from command_server import start_forked, wait_for

if TYPE_CHECKING:
    from pathlib import Path

PATIENCE_S = 60
_WORD = r"""(?:'[^'\n]*'|"[^"$`\\\n]*"|[^\s'"|&;<>()$`\\*?\[#~{}!])+"""
_LINE = re.compile(
    rf"(?P<ours>cortexfs(?: +{_WORD})*) *"
    r"(?:\|(?P<filter>(?:(?!cortexfs).)*)|(?P<silent>> /dev/null))?"
)
"""A line that begins with a command of ours in which a shell expands nothing."""
_LAST = re.compile(rf"(?P<before>.+); (?P<last>cortexfs(?: +{_WORD})*)")
"""A line whose last command is such a one."""
_CHANGES_SHELL = re.compile(r"\b(?:cd|set|export|unset|umask|trap|exec|exit)\b|(?:^|[;&|]) *\w+=")
"""What a command changes for the commands after it."""


def run_line(line: str, cwd: Path, **more: str) -> subprocess.CompletedProcess[bytes]:
    """Run a line in a shell, both outputs on one pipe; `more` is added to the environment.

    A command of ours at its beginning or end needs no shell, and no start of an interpreter.
    """
    environment = {**os.environ, **more}
    if found := _LINE.fullmatch(line):
        words = tuple(shlex.split(found["ours"])[1:])
        shell_filter = "cat > /dev/null" if found["silent"] else found["filter"]
        return _run_forked(words, shell_filter, cwd, environment)
    if (parts := _LAST.fullmatch(line)) and not _CHANGES_SHELL.search(parts["before"]):
        first, last = (run_line(parts[name], cwd, **more) for name in ("before", "last"))
        return subprocess.CompletedProcess(line, last.returncode, first.stdout + last.stdout)
    return subprocess.run(
        ["/bin/sh", "-c", line],
        cwd=cwd,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=PATIENCE_S,
        check=False,
    )


def _run_forked(
    words: tuple[str, ...], shell_filter: str | None, cwd: Path, environment: dict[str, str]
) -> subprocess.CompletedProcess[bytes]:
    """Run `cortexfs WORDS`, and a shell on what it prints if there is a filter."""
    out, writable = os.pipe()
    with open(out, "rb") as output, ExitStack() as ours:
        ours.callback(os.close, writable)
        null = os.open(os.devnull, os.O_RDONLY)
        ours.callback(os.close, null)
        if shell_filter is None:
            server = start_forked(words, str(cwd), environment, [null, writable, writable])
            ours.close()
            text = output.read()
            return subprocess.CompletedProcess(words, wait_for(server), text)
        piped, command_out = os.pipe()
        ours.callback(os.close, piped)
        ours.callback(os.close, command_out)
        server = start_forked(words, str(cwd), environment, [null, command_out, writable])
        shell = subprocess.Popen(
            ["/bin/sh", "-c", shell_filter],
            cwd=cwd,
            env=environment,
            stdin=piped,
            stdout=writable,
            stderr=subprocess.STDOUT,
        )
        ours.close()
        text = output.read()
        wait_for(server)
        return subprocess.CompletedProcess(words, shell.wait(PATIENCE_S), text)
