"""`patterns:` in cortexfs.yaml: numbers and a switch, each with a default and a range."""

from __future__ import annotations

import pytest

from cortexfs.core.settings.pattern_settings import PatternSettings
from cortexfs.core.settings.settings_file import parse_settings


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("", PatternSettings()),
        ("patterns: off\n", PatternSettings(is_on=False)),
        ("patterns: on\n", PatternSettings()),
        ("patterns:\n  enabled: no\n", PatternSettings(is_on=False)),
        (
            "patterns: {window-days: 60, min-sessions: 8, min-days: 4}\n",
            PatternSettings(window_days=60, min_sessions=8, min_days=4),
        ),
    ],
)
def test_settings(text: str, wanted: PatternSettings) -> None:
    settings = parse_settings(text)
    assert (settings.patterns, settings.flaws) == (wanted, ())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("patterns: maybe\n", "`patterns` must be off"),
        ("patterns: {enabled: 7}\n", "`enabled` must be on or off"),
        ("patterns: {min-sessions: 2}\n", "`min-sessions` must be a number from 3 to 1000"),
        ("patterns: {window-days: 1e9}\n", "`window-days` must be a number from 7 to 366"),
        ("patterns: {min-days: [3]}\n", "`min-days` must be a number from 1 to 366"),
        ("patterns: {command: rm}\n", "no setting `command` here"),
    ],
)
def test_an_invalid_setting_is_a_flaw_and_its_default_is_used(text: str, message: str) -> None:
    settings = parse_settings(text)
    assert settings.patterns == PatternSettings()
    assert [message in flaw.message for flaw in settings.flaws] == [True]
