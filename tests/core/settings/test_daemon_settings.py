"""The section `daemon:` of cortexfs.yaml."""

from __future__ import annotations

from cortexfs.core.settings.daemon_settings import DaemonSettings
from cortexfs.core.settings.settings_file import parse_settings


def test_intervals_are_numbers_of_seconds_or_have_a_unit() -> None:
    text = "daemon:\n  bulletin: 600\n  supervise: 15s\n  maintain: 2d\n  patterns: 12h\n"
    settings = parse_settings(f"{text}  idle-exit: 0\n")
    assert settings.flaws == ()
    assert settings.daemon == DaemonSettings(600, 15, 172_800, 43_200, 0)


def test_an_invalid_interval_is_a_flaw_and_its_default_is_used() -> None:
    for value in ("1s", "-5", "soon", "[1]", "400d", "1.5h", "\uff19\uff10s", "{a: 1}", "0x10"):
        settings = parse_settings(f"daemon:\n  bulletin: {value}\n")
        assert settings.daemon == DaemonSettings(), value
        assert [flaw.code for flaw in settings.flaws] == ["bad-setting"], value
    unknown = parse_settings("daemon:\n  command: rm\n")
    assert [flaw.line for flaw in unknown.flaws] == [2]
