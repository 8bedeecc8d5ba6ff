"""The settings `supervision:` of a tree: whether events are kept, and when a process is flagged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from cortexfs.core.atoms.atom import FrontmatterValue

    Report = Callable[[str, tuple[str, ...]], None]

SECTION = "supervision"


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
    "silent-after": ("silent_after_s", 0, 604_800),
    "agent-lifetime": ("agent_lifetime_s", 0, 604_800),
    "lost-after": ("lost_after_s", 600, 604_800),
    "flags-per-pass": ("flags_per_pass", 1, 100),
}
_MAX_DIGITS = 10
_ON, _OFF = ("", "yes", "true", "on"), ("no", "false", "off")


def parse_supervision(value: FrontmatterValue, report: Report) -> SupervisionSettings:
    """Return the settings of a section; an invalid one is reported, and its default is used."""
    if not isinstance(value, Mapping):
        if not isinstance(value, str) or value.lower() not in {*_ON, *_OFF}:
            report("`supervision` must be `off` or indented `key: value` lines", (SECTION,))
        return SupervisionSettings(is_on=str(value).lower() not in _OFF)
    numbers: dict[str, int] = {}
    for key, number in value.items():
        field, low, high = _RANGES.get(key, ("", 0, 0))
        if not field:
            known = ", ".join(_RANGES)
            report(f"no setting `{key}` here; known are {known}", (SECTION, key))
        elif isinstance(number, str) and _is_number(number) and low <= int(number) <= high:
            numbers[field] = int(number)
        else:
            report(f"`{key}` must be a number from {low} to {high}", (SECTION, key))
    return DEFAULT_SUPERVISION._replace(**numbers)  # type: ignore[arg-type]


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < _MAX_DIGITS
