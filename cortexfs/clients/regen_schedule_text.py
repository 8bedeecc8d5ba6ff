"""Schedules that render the indexes regularly: the texts for cron, systemd and launchd."""

from __future__ import annotations

import plistlib
import re
import shlex
import zlib
from typing import TYPE_CHECKING

from cortexfs.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Sequence

UNIT_MINUTES = {"m": 1, "h": 60, "d": 24 * 60}

CRON_FIELDS = {
    **{every: f"*/{every} * * * *" for every in range(1, 60) if 60 % every == 0},
    **{60 * every: f"0 */{every} * * *" for every in range(1, 24) if 24 % every == 0},
    UNIT_MINUTES["d"]: "0 0 * * *",
    UNIT_MINUTES["d"] * 7: "0 0 * * 0",
}
"""Maps minutes to the fields of cron, for each interval that cron can space evenly."""

UNQUOTED_WORD = r"[\w/.+-]+"
"""Pattern of a word that systemd needs no quotes for."""


def parse_interval(text: str) -> int:
    """Return the minutes of an interval such as `15m`, `1h` or `1d`."""
    if found := re.fullmatch(r"([1-9][0-9]{0,3})([mhd])", text):
        return int(found[1]) * UNIT_MINUTES[found[2]]
    raise Refused(
        f"`{text}` is not an interval",
        hint="write a number of minutes, hours or days: 15m, 1h, 1d; the shortest is 1m",
    )


def build_regen_command(python: str, root: str) -> list[str]:
    """Return the words of the command that renders every index of a tree."""
    if re.search(r"[\x00-\x1f\x7f\ud800-\udfff]", python + root):
        raise Refused(f"a scheduler cannot run a command with the path {root!a}")
    return [python, "-I", "-m", "cortexfs", "--root", root, "--quiet", "index", "regen", "--all"]


def format_unit_name(root: str) -> str:
    """Return the name of a tree's units (systemd) or the tail of its label (launchd)."""
    return f"cortexfs-regen-{zlib.crc32(root.encode()):08x}"


def format_cron_marker(root: str) -> str:
    """Return the comment at the end of a tree's crontab line, which identifies the line."""
    return _escape_percent(f"# cortexfs: index regen {root}")


def format_crontab_line(minutes: int, command: Sequence[str], marker: str) -> str:
    """Return a crontab line; raise `Refused` for an interval that cron cannot space evenly."""
    if minutes not in CRON_FIELDS:
        nearest = min(CRON_FIELDS, key=lambda every: abs(every - minutes))
        raise Refused(
            f"cron cannot run a command every {_format_interval(minutes)}",
            hint=f"the nearest possible interval is {_format_interval(nearest)}",
        )
    words = shlex.join(command)
    if "\\" in words:  # some crons remove one of two backslashes
        raise Refused("cron cannot run a command with a backslash in it")
    return f"{CRON_FIELDS[minutes]} {_escape_percent(words)}  {marker}"


def add_crontab_line(text: str, line: str, marker: str) -> str:
    """Replace the line with the same mark, or add it at the end; the rest is unchanged."""
    lines = _split_lines(text)
    own = [place for place, old in enumerate(lines) if _has_marker(old, marker)]
    if not own:
        end = "\n" if text and not text.endswith("\n") else ""
        return f"{text}{end}{line}\n"
    lines[own[0]] = f"{line}\n"
    return "".join(old for place, old in enumerate(lines) if place not in own[1:])


def remove_crontab_line(text: str, marker: str) -> str:
    """Remove the lines with a mark; the rest is unchanged."""
    return "".join(line for line in _split_lines(text) if not _has_marker(line, marker))


def format_systemd_service(command: Sequence[str]) -> str:
    """Return the text of a user service that runs the command once."""
    if not re.fullmatch(
        UNQUOTED_WORD, command[0]
    ):  # systemd takes no quote or `$` in a program's path
        command = ["/bin/sh", "-c", 'exec "$0" "$@"', *command]
    return f"""\
[Unit]
Description=Render the indexes of a cortexfs tree

[Service]
Type=oneshot
Nice=10
ExecStart={" ".join(map(_quote_systemd_word, command))}
"""


def format_systemd_timer(minutes: int) -> str:
    """Return the text of the timer that starts the service of the same name."""
    return f"""\
[Unit]
Description=Render the indexes of a cortexfs tree every {_format_interval(minutes)}

[Timer]
OnActiveSec=1min
OnUnitActiveSec={minutes}min

[Install]
WantedBy=timers.target
"""


def format_launchd_plist(minutes: int, command: Sequence[str], label: str) -> str:
    """Return the text of a launch agent."""
    agent = {
        "Label": label,
        "ProgramArguments": list(command),
        "StartInterval": minutes * 60,
        "RunAtLoad": True,
        "ProcessType": "Background",
    }
    return plistlib.dumps(agent, sort_keys=False).decode()


def _escape_percent(text: str) -> str:
    """Escape `%` for cron, where a bare one ends the command."""
    return text.replace("%", r"\%")


def _split_lines(text: str) -> list[str]:
    """Split a text after each newline, and at no other character."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def _has_marker(line: str, marker: str) -> bool:
    return line.removesuffix("\n").removesuffix("\r").endswith(f"  {marker}")


def _format_interval(minutes: int) -> str:
    """Return an interval in the format that `parse_interval` reads."""
    unit = next(unit for unit in "dhm" if minutes % UNIT_MINUTES[unit] == 0)
    return f"{minutes // UNIT_MINUTES[unit]}{unit}"


def _quote_systemd_word(word: str) -> str:
    """Quote a word for a unit file, in which `%`, `$` and backslashes are special."""
    escaped = re.sub(r'(["\\])', r"\\\1", re.sub(r"([%$])", r"\1\1", word))
    return word if re.fullmatch(UNQUOTED_WORD, word) else f'"{escaped}"'
