"""The settings `supervision:` of a tree: whether events are kept, and when a process is flagged."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from cortexfs.core.atoms.atom import FrontmatterValue
    from cortexfs.core.settings.setting_section import Report

_WEEK_S = 7 * 86_400


class SupervisionSettings(NamedTuple):
    """When a process is flagged; times are in seconds, and 0 disables a rule.

    `silent_after_s` is the silence of a background task, `agent_lifetime_s` the age of a sub-agent,
    `lost_after_s` the silence of a session that never ended. With `is_on` false no event is kept.
    """

    is_on: bool = True
    silent_after_s: int = 600
    agent_lifetime_s: int = 1800
    lost_after_s: int = 86_400
    flags_per_pass: int = 8


DEFAULT_SUPERVISION = SupervisionSettings()

_RANGES = {
    "silent-after": (0, _WEEK_S),
    "agent-lifetime": (0, _WEEK_S),
    "lost-after": (600, _WEEK_S),
    "flags-per-pass": (1, 100),
}
"""The lowest and highest number of each setting, in the order of the fields."""


def parse_supervision(value: FrontmatterValue, report: Report) -> SupervisionSettings:
    """Return the settings of a section, which may be just `off`."""
    from cortexfs.core.settings.setting_section import is_section_on, open_section  # noqa: PLC0415 - only a settings file needs it

    is_on = is_section_on(value, "supervision", report)
    if is_on is not None:
        return SupervisionSettings(is_on=is_on)
    section = open_section(value, "supervision", _RANGES, report)
    numbers = section.read_numbers(_RANGES, DEFAULT_SUPERVISION[1:])
    return SupervisionSettings(True, *numbers)  # noqa: FBT003 - `is_on`
