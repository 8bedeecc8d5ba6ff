"""The unit of systemd and the agent of launchd that run the daemon, and how they are enabled."""

from __future__ import annotations

import plistlib
import re
import shlex
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.clients.daemon_unit_installer import install_daemon_unit, plan_daemon_unit
from cortexfs.clients.daemon_unit_text import (
    build_daemon_command,
    format_daemon_name,
    format_daemon_plist,
    format_daemon_service,
)
from cortexfs.errors import Refused

if TYPE_CHECKING:
    from pathlib import Path

ODD_ROOT = '/home/d é/50% $HOME "x\\y/tree'
SYSTEMCTL = '#!/bin/sh\necho "$@" >> "{0}/calls"\n'


def read_start_command(service: str) -> list[str]:
    """Split as POSIX does, which is the same for what we write, then take `%%` and `$$` as one."""
    (line,) = re.findall(r"^ExecStart=(.*)$", service, re.MULTILINE)
    words = shlex.split(re.sub(r"([%$])\1", r"<\1>", line).replace("<$>", "\0"))
    assert not re.search(r"%(?!>)|\$", " ".join(words))
    return [word.replace("<%>", "%").replace("\0", "$") for word in words]


@given(
    st.text(
        st.sampled_from("%$\"\\' /-a") | st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"])
    )
)
def test_both_managers_start_the_same_words(odd: str) -> None:
    command = build_daemon_command(f"/h/{odd}/python", f"/h/{odd}")
    words = read_start_command(format_daemon_service(command))
    if words[0] == "/bin/sh":
        assert words[1:3] == ["-c", 'exec "$0" "$@"']
        del words[:3]
    assert words == command
    assert plistlib.loads(format_daemon_plist(command, "x").encode())["ProgramArguments"] == command


def test_a_path_with_a_line_end_is_refused() -> None:
    with pytest.raises(Refused, match="cannot run a command"):
        build_daemon_command("/p/python", "/a\nExecStart=/bin/x")


def test_a_unit_is_valid_for_systemd(tmp_path: Path) -> None:
    python = "/bin/sh"  # systemd checks that the program exists
    unit = tmp_path / "cortexfs-daemon.service"
    unit.write_text(format_daemon_service(build_daemon_command(python, ODD_ROOT)))
    if analyze := shutil.which("systemd-analyze"):
        ran = subprocess.run([analyze, "verify", unit], capture_output=True, text=True, check=False)
        assert (ran.returncode, "cortexfs" in ran.stderr) == (0, False), ran
    for line in ("Type=notify", "Restart=on-failure", "KillMode=control-group", "WatchdogSec=120s"):
        assert line in unit.read_text().splitlines()


def test_a_service_is_enabled_and_removed_without_a_trace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "systemctl"
    program.write_text(SYSTEMCTL.format(tmp_path))
    program.chmod(0o700)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    environ = {"XDG_CONFIG_HOME": str(tmp_path / "config")}
    run = ("/usr/bin/python3", "/tree")
    change = plan_daemon_unit("systemd", run, environ, remove=False)
    install_daemon_unit("systemd", change)
    assert plan_daemon_unit("systemd", run, environ, remove=False).before == change.after
    install_daemon_unit("systemd", plan_daemon_unit("systemd", run, environ, remove=True))
    assert plan_daemon_unit("systemd", run, environ, remove=True).before is None
    unit = f"{format_daemon_name('/tree')}.service"
    assert (tmp_path / "calls").read_text().splitlines() == [
        "--user daemon-reload",
        f"--user enable --now {unit}",
        f"--user disable --now {unit}",
        "--user daemon-reload",
    ]
