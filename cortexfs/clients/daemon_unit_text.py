"""The files that make a service manager run the daemon of a tree: systemd's and launchd's."""

from __future__ import annotations

import plistlib
import re
import zlib
from typing import TYPE_CHECKING

from cortexfs.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Sequence

WATCHDOG_S = 120
"""Seconds without a sign of the loop after which systemd starts the daemon again."""
STOP_S = 15
"""Seconds that the daemon has to end; it needs three."""
MEMORY_MAX = "1G"
"""Above this systemd ends the daemon: its jobs load no model."""
_UNQUOTED_WORD = re.compile(r"[\w/.+-]+", re.ASCII)


def build_daemon_command(python: str, root: str) -> list[str]:
    """Return the words of the command; raise `Refused` for a path that no unit can name."""
    if re.search(r"[\x00-\x1f\x7f\ud800-\udfff]", python + root):
        raise Refused(f"a service cannot run a command with the path {root!a}")
    words = [python, "-I", "-m", "cortexfs", "--root", root, "--quiet", "daemon", "run"]
    return [*words, "--keep-running"]


def format_daemon_name(root: str) -> str:
    """Return the name of a tree's unit (systemd), or its label (launchd)."""
    return f"cortexfs-daemon-{zlib.crc32(root.encode()):08x}"


def format_daemon_service(command: Sequence[str]) -> str:
    """Return the text of a user service that runs the daemon."""
    if not _UNQUOTED_WORD.fullmatch(command[0]):  # systemd takes no quote in a program's path
        command = ["/bin/sh", "-c", 'exec "$0" "$@"', *command]
    return f"""\
[Unit]
Description=Daemon of a cortexfs tree
StartLimitIntervalSec=10min
StartLimitBurst=5

[Service]
Type=notify
ExecStart={" ".join(map(_quote_word, command))}
Restart=on-failure
RestartSec=30s
RestartPreventExitStatus=2 3 4
WatchdogSec={WATCHDOG_S}s
TimeoutStopSec={STOP_S}s
KillMode=control-group
Nice=10
IOSchedulingClass=idle
MemoryMax={MEMORY_MAX}

[Install]
WantedBy=default.target
"""


def format_daemon_plist(command: Sequence[str], label: str) -> str:
    """Return the text of a launch agent that runs the daemon."""
    agent = {
        "Label": label,
        "ProgramArguments": list(command),
        "RunAtLoad": True,
        "KeepAlive": {"SuccessfulExit": False},
        "ThrottleInterval": 30,
        "ProcessType": "Background",
        "LowPriorityIO": True,
        "Nice": 10,
    }
    return plistlib.dumps(agent, sort_keys=False).decode()


def _quote_word(word: str) -> str:
    """Quote a word for a unit file, in which `%`, `$` and backslashes are special."""
    escaped = re.sub(r'(["\\])', r"\\\1", re.sub(r"([%$])", r"\1\1", word))
    return word if _UNQUOTED_WORD.fullmatch(word) else f'"{escaped}"'
