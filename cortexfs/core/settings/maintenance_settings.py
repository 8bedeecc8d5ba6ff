"""The section `maintenance:` of `cortexfs.yaml`: what is archived, merged and proposed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from cortexfs.core.atoms.atom import FrontmatterValue

    Report = Callable[[str, tuple[str, ...]], None]

SECTION = "maintenance"
DECAY_PER_DAY = 0.05
"""The part of its importance that a memory loses for each day without a change, up to half."""
_KEYS = ("decay-per-day", "prune-below", "min-age-days", "merge", "proposals")
_SHARE = re.compile(r"0(?:\.[0-9]{1,4})?|1(?:\.0{1,4})?|\.[0-9]{1,4}", re.ASCII)
_DAYS = re.compile(r"[0-9]{1,5}", re.ASCII)
_YES, _NO = ("yes", "true", "on"), ("no", "false", "off")


class PruneRule(NamedTuple):
    """The importance below which, and the age in days above which, a memory is archived."""

    below: float = 0.1
    min_age_days: int = 30
    decay_per_day: float = DECAY_PER_DAY


DEFAULT_PRUNE_RULE = PruneRule()


class MaintenanceSettings(NamedTuple):
    """The settings of maintenance; `similarity` is that from which a merge is proposed."""

    prune: PruneRule = DEFAULT_PRUNE_RULE
    merges: bool = True
    similarity: float = 0.3


DEFAULT_MAINTENANCE = MaintenanceSettings()


def parse_maintenance_settings(value: FrontmatterValue, report: Report) -> MaintenanceSettings:
    """Return the settings of a section; an invalid one is reported, and its default is used."""
    if not isinstance(value, Mapping):
        if value:
            report(f"`{SECTION}` needs indented `key: value` lines below it", (SECTION,))
        return DEFAULT_MAINTENANCE
    for key in value:
        if key not in _KEYS:
            report(f"no setting `{key}` here; known are {', '.join(_KEYS)}", (SECTION, key))

    def read(key: str, pattern: re.Pattern[str], default: str, wanted: str) -> str:
        typed = str(value.get(key, "")).lower()
        if typed and not pattern.fullmatch(typed):
            report(f"`{key}` must be {wanted}", (SECTION, key))
        return typed if typed and pattern.fullmatch(typed) else default

    share, default = "a number from 0 to 1", DEFAULT_MAINTENANCE
    prune = PruneRule(
        float(read("prune-below", _SHARE, str(default.prune.below), share)),
        int(read("min-age-days", _DAYS, str(default.prune.min_age_days), "a number of days")),
        float(read("decay-per-day", _SHARE, str(default.prune.decay_per_day), share)),
    )
    merge = read("merge", re.compile("|".join((*_YES, *_NO))), "on", "on or off")
    similarity = float(read("proposals", _SHARE, str(default.similarity), share))
    return MaintenanceSettings(prune, merge in _YES, similarity)
