"""`supervision:` in `cortexfs.yaml`: a switch, or numbers within a range."""

from __future__ import annotations

import pytest

from cortexfs.core.settings.settings_file import parse_settings
from cortexfs.core.settings.supervision_settings import DEFAULT_SUPERVISION


def test_numbers_are_parsed_and_the_others_keep_their_default() -> None:
    settings = parse_settings("supervision:\n  silent-after: 0\n  flags-per-pass: 3\n")
    assert settings.flaws == ()
    assert settings.supervision == DEFAULT_SUPERVISION._replace(silent_after_s=0, flags_per_pass=3)


@pytest.mark.parametrize(
    ("text", "is_on"), [("off", False), ("no", False), ("on", True), ("", True)]
)
def test_supervision_can_be_switched_off(text: str, is_on: bool) -> None:
    settings = parse_settings(f"supervision: {text}\n")
    assert settings.flaws == ()
    assert settings.supervision.is_on is is_on


@pytest.mark.parametrize(
    "text",
    ["supervision: maybe\n", "supervision: [off]\n", "supervision:\n  silent-after: soon\n",
     "supervision:\n  silent-after: -1\n", "supervision:\n  silent-after: 9999999\n",
     "supervision:\n  lost-after: 5\n", "supervision:\n  flags-per-pass: 0\n",
     "supervision:\n  stop-command: rm\n", "supervision:\n  silent-after:\n    a: 1\n"],
)  # fmt: skip
def test_an_invalid_setting_is_a_flaw_and_keeps_its_default(text: str) -> None:
    settings = parse_settings(text)
    assert [flaw.code for flaw in settings.flaws] == ["bad-setting"]
    assert settings.supervision == DEFAULT_SUPERVISION
