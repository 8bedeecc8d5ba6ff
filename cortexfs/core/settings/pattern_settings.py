"""The settings of pattern detection: `patterns:` in `cortexfs.yaml`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from cortexfs.core.atoms.atom import FrontmatterValue

    Report = Callable[[str, tuple[str, ...]], None]

_RANGES = {"window-days": (7, 366), "min-sessions": (3, 1000), "min-days": (1, 366)}
_COUNT = re.compile(r"[0-9]{1,4}", re.ASCII)
_SWITCHES = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}


class PatternSettings(NamedTuple):
    """Whether patterns are detected, in how many days, and how many sessions and days they need."""

    enabled: bool = True
    window_days: int = 28
    min_sessions: int = 5
    min_days: int = 3


DEFAULT_PATTERN_SETTINGS = PatternSettings()


def parse_pattern_settings(value: FrontmatterValue, report: Report) -> PatternSettings:
    """Return the settings in `patterns:`, which may also be `off`; invalid ones are reported."""
    if isinstance(value, str):
        if value and value.lower() not in _SWITCHES:
            report("`patterns` must be on, off, or indented `key: value` lines", ("patterns",))
        return PatternSettings(enabled=_SWITCHES.get(value.lower(), True))
    enabled, counts = True, dict(zip(_RANGES, DEFAULT_PATTERN_SETTINGS[1:], strict=True))
    for key, given in value.items() if isinstance(value, Mapping) else ():
        path = ("patterns", key)
        if key == "enabled" and str(given).lower() in _SWITCHES:
            enabled = _SWITCHES[str(given).lower()]
        elif key == "enabled":
            report("`enabled` must be yes or no", path)
        elif key not in _RANGES:
            report(f"no setting `{key}` here; known are enabled, {', '.join(_RANGES)}", path)
        elif _is_in_range(key, given):
            counts[key] = int(str(given))
        else:
            report("`{}` must be a number from {} to {}".format(key, *_RANGES[key]), path)
    return PatternSettings(enabled, *counts.values())


def _is_in_range(key: str, value: FrontmatterValue) -> bool:
    low, high = _RANGES[key]
    return isinstance(value, str) and bool(_COUNT.fullmatch(value)) and low <= int(value) <= high
