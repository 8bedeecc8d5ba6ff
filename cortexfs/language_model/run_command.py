"""Run a program that asks a language model: alone, bounded, and with an end."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import tempfile
import time
from contextlib import suppress
from typing import IO, TYPE_CHECKING, NamedTuple

from cortexfs.core.language_model.model_types import (
    GUARD_VARIABLE,
    FailedCall,
    FailureReason,
    ModelFailure,
    RawAnswer,
)
from cortexfs.core.language_model.read_output import read_program_output
from cortexfs.core.text.sanitize import redact_secrets, truncate_line

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cortexfs.core.language_model.model_settings import ModelSettings

MAX_OUTPUT_BYTES = 1 << 20
"""Maximum bytes that a program may print, to each of its two streams."""
GRACE_S = 0.3
"""Seconds between the request to end and the kill."""
PROMPT_WORD = "{prompt}"
"""What stands for the prompt in an argument; without it the prompt is the standard input."""
FOLDER_PREFIX = "cortexfs-model-"
"""Beginning of the name of the folder in which a program runs."""
MAX_MESSAGE_CHARS = 200

_KEPT = {
    "HOME", "LANG", "LANGUAGE", "LOGNAME", "PATH", "SSL_CERT_DIR", "SSL_CERT_FILE", "TMPDIR", "TZ",
    "USER",
}  # fmt: skip
_KEPT_PREFIXES = ("LC_", "XDG_")
_PROXIES = {"all_proxy", "http_proxy", "https_proxy", "no_proxy"}
_NEVER = {
    "CLAUDECODE", "CLAUDE_CODE_CHILD_SESSION", "CLAUDE_CODE_ENTRYPOINT",
    "CLAUDE_CODE_MESSAGING_SOCKET", "CLAUDE_CODE_MESSAGING_TOKEN", "CLAUDE_CODE_SESSION_ID",
}  # fmt: skip
"""Variables of the session of an agent that started us: the program does not belong to it."""


class _Output(NamedTuple):
    """What a program printed; `reason` is set if it was stopped."""

    out: bytes
    err: bytes
    reason: FailureReason | None = None


def make_environment(environ: Mapping[str, str], settings: ModelSettings) -> dict[str, str]:
    """Return the environment of the program: what it needs, and the variable of the guard."""
    wanted = {settings.key_variable, *settings.passed_variables} | _KEPT
    kept = {
        name: value
        for name, value in environ.items()
        if name in wanted or name.startswith(_KEPT_PREFIXES) or name.lower() in _PROXIES
    }
    for name in _NEVER:
        kept.pop(name, None)
    return {**kept, GUARD_VARIABLE: "1"}


def run_command(
    settings: ModelSettings, prompt: str, environ: Mapping[str, str], timeout_s: float
) -> RawAnswer | FailedCall:
    """Run the program once in an empty folder of its own; its whole group ends with it."""
    with (
        tempfile.TemporaryDirectory(prefix=FOLDER_PREFIX, ignore_cleanup_errors=True) as folder,
        tempfile.TemporaryFile() as stdin,
    ):
        try:
            process = _start(settings, prompt, make_environment(environ, settings), folder, stdin)
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else "invalid argument"
            return _fail(FailureReason.COMMAND_FAILED, f"it cannot be run: {reason}")
        with process:
            try:
                output = _read_output(process, time.monotonic() + timeout_s)
            finally:
                _end_group(process)
        key = environ.get(settings.key_variable, "") if settings.key_variable else ""
        return _judge(process.returncode, output, key)


def _start(
    settings: ModelSettings,
    prompt: str,
    environ: Mapping[str, str],
    folder: str,
    stdin: IO[bytes],
) -> subprocess.Popen[bytes]:
    """Start the program; the prompt is an argument, or else what `stdin` has."""
    program, *arguments = settings.command
    if not any(PROMPT_WORD in word for word in arguments):
        stdin.write(prompt.encode("utf-8", "replace"))
        stdin.seek(0)
    return subprocess.Popen(
        [os.path.expanduser(program), *(word.replace(PROMPT_WORD, prompt) for word in arguments)],
        stdin=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=folder,
        env=environ,
        start_new_session=True,
    )


def _read_output(process: subprocess.Popen[bytes], deadline: float) -> _Output:
    """Read both streams until they end, the deadline, or the limit."""
    assert process.stdout, process.stderr  # noqa: S101 - both are pipes
    chunks: dict[object, bytearray] = {process.stdout: bytearray(), process.stderr: bytearray()}
    reason = _fill(chunks, deadline)
    if reason is None:
        try:
            process.wait(max(deadline - time.monotonic(), 0))
        except subprocess.TimeoutExpired:
            reason = FailureReason.TIMEOUT
    out, err = map(bytes, chunks.values())
    return _Output(out, err, reason)


def _fill(chunks: dict[object, bytearray], deadline: float) -> FailureReason | None:
    """Add what streams have to their bytes; return why that ended before all streams did."""
    with selectors.DefaultSelector() as selector:
        for stream in chunks:
            selector.register(stream, selectors.EVENT_READ)  # type: ignore[arg-type]
        while selector.get_map():
            ready = selector.select(max(deadline - time.monotonic(), 0))
            if not ready:
                return FailureReason.TIMEOUT
            for key, _ in ready:
                if not (chunk := os.read(key.fd, 1 << 16)):
                    selector.unregister(key.fileobj)
                chunks[key.fileobj] += chunk
                if len(chunks[key.fileobj]) > MAX_OUTPUT_BYTES:
                    return FailureReason.TOO_LARGE
    return None


def _end_group(process: subprocess.Popen[bytes]) -> None:
    """End the program if it runs, and kill what it has started, unless that has left the group."""
    if process.poll() is None:
        _signal_group(process, signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            process.wait(GRACE_S)
    _signal_group(process, signal.SIGKILL)


def _signal_group(process: subprocess.Popen[bytes], number: signal.Signals) -> None:
    """Send a signal to the group, which has the id of the program: it began its session."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, number)


def _judge(exit_code: int, output: _Output, key: str) -> RawAnswer | FailedCall:
    if output.reason is FailureReason.TIMEOUT:
        return _fail(FailureReason.TIMEOUT, "it did not end in time and was killed")
    if output.reason is FailureReason.TOO_LARGE:
        return _fail(FailureReason.TOO_LARGE, f"it printed more than {MAX_OUTPUT_BYTES} bytes")
    if exit_code == 0:
        return read_program_output(output.out)
    printed = (output.err.strip() or output.out.strip()).decode("utf-8", "replace")
    printed = printed.replace(key, "[key]") if key else printed
    line = truncate_line(redact_secrets(printed[:4096].partition("\n")[0]), MAX_MESSAGE_CHARS)
    ending = f"exit code {exit_code}" if exit_code > 0 else f"signal {-exit_code}"
    return _fail(FailureReason.COMMAND_FAILED, f"it ended with {ending}{line and ': '}{line}")


def _fail(reason: FailureReason, message: str) -> FailedCall:
    return FailedCall(ModelFailure(reason, f"the model's program: {message}"))
