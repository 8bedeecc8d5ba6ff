"""`brief:` in `cortexfs.yaml`."""

from __future__ import annotations

import pytest

from cortexfs.core.settings.brief_settings import DEFAULT_WORDS, BriefSettings
from cortexfs.core.settings.settings_file import parse_settings


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", BriefSettings()),
        ("brief: off\n", BriefSettings(is_on=False)),
        (
            "brief:\n  words: 300\n  skip: [a, b]\n",
            BriefSettings(words=300, skipped_projects=("a", "b")),
        ),
        ("brief:\n  skip: a\n", BriefSettings(skipped_projects=("a",))),
    ],
)
def test_the_length_and_the_projects_without_a_bulletin_are_read(
    text: str, expected: BriefSettings
) -> None:
    found = parse_settings(text)
    assert (found.brief, found.flaws) == (expected, ())


@pytest.mark.parametrize(
    "text",
    [
        *("brief: maybe\n", "brief: [a]\n", "brief:\n  words: 10\n", "brief:\n  words: 99999\n"),
        *("brief:\n  words: [1]\n", "brief:\n  skip:\n    a: b\n", "brief:\n  model: gpt\n"),
    ],
)
def test_what_is_invalid_is_reported_and_its_default_used(text: str) -> None:
    found = parse_settings(text)
    assert [flaw.code for flaw in found.flaws] == ["bad-setting"]
    assert found.brief.words == DEFAULT_WORDS


def test_a_project_is_off_by_name_or_with_all() -> None:
    assert BriefSettings(is_on=False).is_off("")
    assert BriefSettings(skipped_projects=("a",)).is_off("a")
    assert not BriefSettings(skipped_projects=("a",)).is_off("")
