"""A program is asked alone, bounded, and without anything of the agent's session."""

from __future__ import annotations

import json
import os
import sys
import textwrap
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from model_server import configure_model, make_timing, state_file

from cortexfs.core.language_model.model_types import (
    FailureReason,
    ModelAnswer,
    ModelFailure,
    ModelRequest,
)
from cortexfs.language_model.ask_model import ask_model
from cortexfs.language_model.state_folder import lock_calls, open_state_folder

if TYPE_CHECKING:
    import pytest

REQUEST = ModelRequest("test", "1", "Repeat the text.", "some text")
KEY = "sk-very-secret-0123456789"


def configure(home: Path, program: str, *words: str, **settings: object) -> dict[str, str]:
    """Let a small Python program be the model."""
    path = home / "model.py"
    path.write_text(textwrap.dedent(program), encoding="utf-8")
    command = [sys.executable, "-I", "-S", str(path), *words]
    return configure_model(home, **{"command": command, "timeout": 30, **settings})


def ask(environ: dict[str, str], request: ModelRequest = REQUEST) -> ModelAnswer | ModelFailure:
    return ask_model(request, environ, timing=make_timing([]))


def fail(environ: dict[str, str]) -> ModelFailure:
    answer = ask(environ)
    assert isinstance(answer, ModelFailure), answer
    return answer


ECHO = "import sys; print(sys.stdin.read(), '|', *sys.argv[1:])"


def test_the_prompt_is_the_standard_input(tmp_path: Path) -> None:
    answer = ask(configure(tmp_path, ECHO, "-n"))
    assert answer == ModelAnswer("Repeat the text.\n\nsome text\n | -n")


def test_or_it_is_an_argument(tmp_path: Path) -> None:
    answer = ask(configure(tmp_path, ECHO, "--text={prompt}"))
    assert answer == ModelAnswer("| --text=Repeat the text.\n\nsome text")


REPORT = """
    import json, os, sys
    print(json.dumps([sorted(os.environ), os.listdir(), os.getcwd(), os.getpgrp() == os.getpid(),
                      os.stat(".").st_mode & 0o777, os.environ["CORTEXFS_SIDECAR"]]))
"""


def test_it_has_an_empty_folder_a_group_and_hardly_an_environment(tmp_path: Path) -> None:
    environ = configure(tmp_path, REPORT, key_env="MY_KEY", pass_env=["OLLAMA_HOST", "CLAUDECODE"])
    agent = {"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "7", "AWS_SECRET_ACCESS_KEY": "x"}
    wanted = {"MY_KEY": KEY, "OLLAMA_HOST": "h", "https_proxy": "p", "LC_ALL": "C.UTF-8"}
    answer = ask(environ | agent | wanted)
    assert isinstance(answer, ModelAnswer), answer
    variables, files, folder, has_group, mode, guard = json.loads(answer.text)
    given = {"HOME", "PATH", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "CORTEXFS_SIDECAR", *wanted}
    assert set(variables) - {"__CF_USER_TEXT_ENCODING"} == given  # macOS adds that one
    assert (files, has_group, mode, guard) == ([], True, 0o700, "1")
    assert Path(folder).name.startswith("cortexfs-model-")
    assert not Path(folder).exists()


def test_inside_a_model_no_model_is_asked(tmp_path: Path) -> None:
    environ = configure(tmp_path, ECHO)
    assert fail(environ | {"CORTEXFS_SIDECAR": "1"}).reason is FailureReason.INSIDE_MODEL
    assert not state_file(tmp_path, "calls.jsonl").exists()
    assert isinstance(ask(environ), ModelAnswer)
    known = ask(environ | {"CORTEXFS_SIDECAR": "1"})
    assert isinstance(known, ModelAnswer)
    assert known.is_cached


def test_a_caller_that_cannot_wait_gets_only_stored_answers(tmp_path: Path) -> None:
    environ = configure(tmp_path, ECHO)
    assert ask_model(REQUEST, environ, may_call=False) == (
        FailureReason.NOT_CACHED,
        "this question was not asked yet",
    )
    ask(environ)
    assert isinstance(ask_model(REQUEST, environ, may_call=False), ModelAnswer)


def test_one_program_runs_at_a_time(tmp_path: Path) -> None:
    environ = configure(tmp_path, ECHO)
    with open_state_folder(environ) as folder_fd, lock_calls(folder_fd) as is_ours:
        assert is_ours
        assert fail(environ).reason is FailureReason.BUSY
    assert isinstance(ask(environ), ModelAnswer)


def test_a_failure_is_explained_by_what_was_printed_without_the_key(tmp_path: Path) -> None:
    program = "import os, sys; print('no login', os.environ['MY_KEY'], '\\x1b[2J'); sys.exit(1)"
    environ = configure(tmp_path, program, key_env="MY_KEY") | {"MY_KEY": KEY}
    assert fail(environ) == (
        FailureReason.COMMAND_FAILED,
        "the model's program: it ended with exit code 1: no login [key] [2J",
    )
    assert KEY not in state_file(tmp_path, "calls.jsonl").read_text()


def test_a_missing_program_is_a_failure(tmp_path: Path) -> None:
    environ = configure_model(tmp_path, command=["no-such-program"])
    assert fail(environ).message == (
        "the model's program: it cannot be run: No such file or directory"
    )


PATIENCE_S = 15

HANG = """
    import os, signal, subprocess, sys, time
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    code = "import signal as s, time; s.signal(15, s.SIG_IGN); print(flush=True); time.sleep(60)"
    other = subprocess.Popen([sys.executable, "-I", "-S", "-c", code], stdout=subprocess.PIPE)
    other.stdout.read(1)
    open(sys.argv[1], "w").write(f"{os.getpid()} {other.pid}")
    time.sleep(60)
"""


def ends_soon(pid: int) -> bool:
    """Return whether a killed process ends, which takes a moment."""
    deadline = time.monotonic() + PATIENCE_S
    while is_alive(pid) and time.monotonic() < deadline:
        os.sched_yield()
    return not is_alive(pid)


def is_alive(pid: int) -> bool:
    """Tell whether a process runs; one that ended and waits for its parent does not."""
    with suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    if Path("/proc/self").exists():
        return False
    with suppress(ProcessLookupError):
        os.kill(pid, 0)
        return True
    return False


def test_a_program_that_hangs_is_killed_with_all_that_it_started(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    for timeout in (0.3, 1.5, 8):  # on a slow machine it has not started the other one yet
        start = time.monotonic()
        environ = configure(tmp_path, HANG, str(pids), timeout=timeout)
        assert fail(environ).reason is FailureReason.TIMEOUT
        assert time.monotonic() - start < timeout + PATIENCE_S
        if pids.exists():
            break
    started = [int(pid) for pid in pids.read_text().split()]
    assert len(started) == 2
    assert all(map(ends_soon, started))


LEAVE = """
    import subprocess, sys
    code = "import time; time.sleep(60)"
    quiet = subprocess.DEVNULL
    other = subprocess.Popen([sys.executable, "-I", "-S", "-c", code], stdout=quiet, stderr=quiet)
    print(other.pid)
"""


def test_what_a_program_leaves_behind_is_killed(tmp_path: Path) -> None:
    answer = ask(configure(tmp_path, LEAVE))
    assert isinstance(answer, ModelAnswer)
    assert ends_soon(int(answer.text))


def test_a_program_that_prints_without_end_is_killed(tmp_path: Path) -> None:
    for stream in ("stdout", "stderr"):
        program = f"import sys\nfor _ in range(1600): sys.{stream}.write('x' * 65536)"
        start = time.monotonic()
        assert fail(configure(tmp_path, program)).reason is FailureReason.TOO_LARGE
        assert time.monotonic() - start < PATIENCE_S
        state_file(tmp_path, "state.json").unlink()


def test_a_result_of_claude_is_understood(tmp_path: Path) -> None:
    document = {"type": "result", "result": "hello", "usage": {"input_tokens": 5}}
    environ = configure(tmp_path, f"print({json.dumps(document)!r})")
    assert ask(environ) == ModelAnswer("hello")
    (line,) = state_file(tmp_path, "calls.jsonl").read_text().splitlines()
    assert json.loads(line)["prompt_tokens"] == 5


def test_nothing_is_asked_without_settings_or_with_a_budget_of_none(tmp_path: Path) -> None:
    environ = configure(tmp_path, ECHO, calls_per_day=0)
    assert fail(environ).reason is FailureReason.SWITCHED_OFF
    (tmp_path / "config/cortexfs/config.yaml").unlink()
    assert fail(environ).reason is FailureReason.NOT_CONFIGURED
    assert not (tmp_path / "state").exists()


def test_settings_that_others_can_write_name_no_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    environ = configure(tmp_path, ECHO)
    path = tmp_path / "config/cortexfs/config.yaml"
    path.chmod(0o646)
    assert fail(environ) == (FailureReason.INVALID_SETTINGS, f"other users can write {path}")
    path.chmod(0o644)
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    if path.stat().st_uid:
        assert fail(environ).reason is FailureReason.INVALID_SETTINGS


def test_settings_that_are_no_yaml_are_reported(tmp_path: Path) -> None:
    environ = configure(tmp_path, ECHO)
    path = tmp_path / "config/cortexfs/config.yaml"
    path.write_text(f"{path.read_text()}\tx: [\n")
    failure = fail(environ)
    assert failure.reason is FailureReason.INVALID_SETTINGS
    assert "config.yaml is not valid" in failure.message
