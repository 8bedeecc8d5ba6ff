"""Run the user's command that stops a process."""

from __future__ import annotations

import os
import signal
import subprocess
from contextlib import suppress
from typing import TYPE_CHECKING

from cortexfs.core.process_events.stop_command import format_stop_command
from cortexfs.core.settings.background_environment import inherit_variables
from cortexfs.tree.user_settings import read_stop_command

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cortexfs.core.process_events.agent_process import AgentProcess

TIMEOUT_S = 10.0
"""Seconds after which the command is killed, with all that it started."""


def has_stop_command(environ: Mapping[str, str]) -> bool:
    """Return whether the user's own settings name a command that stops processes."""
    return bool(read_stop_command(environ))


def run_stop_command(
    process: AgentProcess, environ: Mapping[str, str], timeout_s: float = TIMEOUT_S
) -> str:
    """Stop a process by the user's command; return how that failed, or an empty text.

    Only the user's own settings name the command. It gets no input, and its output is discarded.
    """
    words = read_stop_command(environ)
    command = words if isinstance(words, str) else format_stop_command(words, process)
    if isinstance(command, str):
        return command
    try:
        return _run(command, inherit_variables(environ), timeout_s)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "an argument has a null byte"
        return f"{command[0]}: {reason}"


def _run(command: Sequence[str], environ: Mapping[str, str], timeout_s: float) -> str:
    with subprocess.Popen(
        command,
        cwd="/",
        env=environ,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as started:
        try:
            code = started.wait(timeout_s)
        except subprocess.TimeoutExpired:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(started.pid, signal.SIGKILL)
            return f"{command[0]} ran for more than {timeout_s:g} s and was killed"
    return f"{command[0]} ended with exit code {code}" if code else ""
