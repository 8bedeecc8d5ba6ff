"""The settings of pattern detection: `patterns:` in `cortexfs.yaml`."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from cortexfs.core.atoms.atom import FrontmatterValue
    from cortexfs.core.settings.setting_section import Report

_RANGES = {"window-days": (7, 366), "min-sessions": (3, 1000), "min-days": (1, 366)}
"""The lowest and highest number of each setting, in the order of the fields."""


class PatternSettings(NamedTuple):
    """Whether patterns are detected, in how many days, and how many sessions and days they need."""

    is_on: bool = True
    window_days: int = 28
    min_sessions: int = 5
    min_days: int = 3


DEFAULT_PATTERN_SETTINGS = PatternSettings()


def parse_patterns(value: FrontmatterValue, report: Report) -> PatternSettings:
    """Return the settings in `patterns:`, which may also be `off`."""
    from cortexfs.core.settings.setting_section import is_section_on, open_section  # noqa: PLC0415 - only a settings file needs it

    is_on = is_section_on(value, "patterns", report)
    if is_on is not None:
        return PatternSettings(is_on=is_on)
    section = open_section(value, "patterns", ("enabled", *_RANGES), report)
    counts = section.read_numbers(_RANGES, DEFAULT_PATTERN_SETTINGS[1:])
    return PatternSettings(section.read_switch("enabled"), *counts)
