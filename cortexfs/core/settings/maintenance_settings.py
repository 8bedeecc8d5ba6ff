"""The section `maintenance:` of `cortexfs.yaml`: what is archived, merged and proposed."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from cortexfs.core.atoms.atom import FrontmatterValue
    from cortexfs.core.settings.setting_section import Report

DECAY_PER_DAY = 0.05
"""The part of its importance that a memory loses for each day without a change, up to half."""
_KEYS = ("decay-per-day", "prune-below", "min-age-days", "merge", "proposals")
MAX_AGE_DAYS = 99_999
"""The highest age that can be set."""


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


def parse_maintenance(value: FrontmatterValue, report: Report) -> MaintenanceSettings:
    """Return the settings of a section; an invalid one is reported, and its default is used."""
    from cortexfs.core.settings.setting_section import open_section  # noqa: PLC0415 - only a settings file needs it

    section, default = open_section(value, "maintenance", _KEYS, report), DEFAULT_MAINTENANCE
    prune = PruneRule(
        section.read_share("prune-below", default.prune.below),
        section.read_number("min-age-days", default.prune.min_age_days, 0, MAX_AGE_DAYS),
        section.read_share("decay-per-day", default.prune.decay_per_day),
    )
    similarity = section.read_share("proposals", default.similarity)
    return MaintenanceSettings(prune, section.read_switch("merge"), similarity)
