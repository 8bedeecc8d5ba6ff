"""The section `daemon:` of `cortexfs.yaml`: how often the daemon runs its jobs."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from cortexfs.core.atoms.atom import FrontmatterValue
    from cortexfs.core.settings.setting_section import Report

_DAY_S, _YEAR_S = 86_400, 366 * 86_400


class DaemonSettings(NamedTuple):
    """How often the daemon runs its jobs, in seconds; 0 means never."""

    bulletin: int = 900
    supervise: int = 30
    maintain: int = _DAY_S
    patterns: int = _DAY_S
    idle_exit: int = 4 * 3600
    """Seconds without a change or a request after which the daemon exits."""
    stories: int = 900


DEFAULT_DAEMON = DaemonSettings()
MINIMUMS = DaemonSettings(
    bulletin=10, supervise=5, maintain=60, patterns=60, idle_exit=1, stories=60
)
"""The shortest interval of each setting; only 0 is shorter."""
_KEYS = {name: name.replace("_", "-") for name in DaemonSettings._fields}


def parse_daemon(value: FrontmatterValue, report: Report) -> DaemonSettings:
    """Return the settings of a section; an invalid one is reported, and its default is used."""
    from cortexfs.core.settings.setting_section import open_section  # noqa: PLC0415 - only a settings file needs it

    section = open_section(value, "daemon", _KEYS.values(), report)
    defaults, minimums = DEFAULT_DAEMON._asdict(), MINIMUMS._asdict()
    return DaemonSettings(
        *(
            section.read_seconds(key, defaults[name], minimums[name], _YEAR_S)
            for name, key in _KEYS.items()
        )
    )
