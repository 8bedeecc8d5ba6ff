"""The section `maintenance:` of `cortexfs.yaml`."""

from __future__ import annotations

import pytest

from cortexfs.core.settings.maintenance_settings import (
    DEFAULT_MAINTENANCE,
    MaintenanceSettings,
    PruneRule,
)
from cortexfs.core.settings.settings_file import parse_settings

_OTHER_KEYS = "prune-below, min-age-days, merge, proposals"


def test_every_setting_is_parsed() -> None:
    text = "maintenance:\n  decay-per-day: 0.02\n  prune-below: .25\n  min-age-days: 0\n"
    settings = parse_settings(f"{text}  merge: off\n  proposals: 0.5\n")
    assert settings.maintenance == MaintenanceSettings(
        PruneRule(0.25, 0, 0.02), merges=False, similarity=0.5
    )
    assert settings.flaws == ()


@pytest.mark.parametrize("text", ["", "maintenance:\n", "maintenance: {merge: ~}\n"])
def test_an_empty_section_gives_the_defaults(text: str) -> None:
    settings = parse_settings(text)
    assert (settings.maintenance, settings.flaws) == (DEFAULT_MAINTENANCE, ())


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("min-age-days: -1", "`min-age-days` must be a number from 0 to 99999"),
        ("min-age-days: 1.5", "`min-age-days` must be a number from 0 to 99999"),
        ("prune-below: 1.5", "`prune-below` must be a number from 0 to 1"),
        ("prune-below: [0.1]", "`prune-below` must be a number from 0 to 1"),
        ("decay-per-day: fast", "`decay-per-day` must be a number from 0 to 1"),
        ("proposals: 2", "`proposals` must be a number from 0 to 1"),
        ("merge: maybe", "`merge` must be on or off"),
        ("command: rm", "no setting `command` here; known are decay-per-day, …"),
    ],
)
def test_an_invalid_setting_is_reported_and_keeps_its_default(line: str, message: str) -> None:
    settings = parse_settings(f"maintenance:\n  {line}\n")
    assert settings.maintenance == DEFAULT_MAINTENANCE
    assert [flaw.message.replace(_OTHER_KEYS, "…") for flaw in settings.flaws] == [message]


def test_a_section_without_lines_is_reported() -> None:
    settings = parse_settings("maintenance: on\n")
    assert settings.maintenance == DEFAULT_MAINTENANCE
    assert [flaw.message for flaw in settings.flaws] == [
        "`maintenance` needs indented `key: value` lines below it"
    ]
