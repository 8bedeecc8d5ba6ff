"""The settings of the daemon in `cortexfs.yaml`: intervals in seconds."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from cortexfs.core.atoms.atom import FrontmatterValue

    Report = Callable[[str, tuple[str, ...]], None]

_SECONDS = re.compile(r"([0-9]{1,8})([smhd]?)", re.ASCII)
_UNITS = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86400}
_DAY_S, _YEAR_S = 86_400, 366 * 86_400


class DaemonSettings(NamedTuple):
    """How often the daemon runs its jobs, in seconds; 0 means never."""

    bulletin: int = 900
    supervise: int = 30
    maintain: int = _DAY_S
    patterns: int = _DAY_S
    idle_exit: int = 4 * 3600
    """Seconds without a change or a request after which the daemon exits."""


MINIMUMS = DaemonSettings(bulletin=10, supervise=5, maintain=60, patterns=60, idle_exit=1)
"""The shortest interval of each setting; only 0 is shorter."""
DAEMON_KEYS = tuple(name.replace("_", "-") for name in DaemonSettings._fields)


def parse_daemon_settings(values: Mapping[str, FrontmatterValue], report: Report) -> DaemonSettings:
    """Return the settings; an invalid one is reported, and its default used."""
    found = DaemonSettings()
    for name, key in zip(DaemonSettings._fields, DAEMON_KEYS, strict=True):
        if not (text := values.get(key, "")):
            continue
        least = getattr(MINIMUMS, name)
        seconds = _parse_seconds(text)
        if seconds is None or (seconds and not least <= seconds <= _YEAR_S):
            message = f"`{key}` must be 0 or an interval from {least}s to 366d, such as 15m or 1d"
            report(message, ("daemon", key))
        else:
            found = found._replace(**{name: seconds})
    return found


def _parse_seconds(value: FrontmatterValue) -> int | None:
    matched = _SECONDS.fullmatch(value) if isinstance(value, str) else None
    return int(matched[1]) * _UNITS[matched[2]] if matched else None
