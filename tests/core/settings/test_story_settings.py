"""`stories:` in `cortexfs.yaml`."""

from __future__ import annotations

from for_each import for_each

from cortexfs.core.settings.settings_file import parse_settings
from cortexfs.core.settings.story_settings import DEFAULT_STORIES, StorySettings

GIVEN = """\
stories:
  messages-per-chunk: 4
  core-threshold: 0.5
  core-flags: [death, loss, death]
  salience: {flag: 0.2, max_length: 0}
"""


def test_sizes_flags_and_weights_are_read() -> None:
    found = parse_settings(GIVEN)
    assert found.flaws == ()
    expected = StorySettings(4, 0.5, ("death", "loss"), {"flag": 0.2, "max_length": 0.0})
    assert found.stories == expected
    assert parse_settings("stories:\n  core-flags: []\n").stories.core_flags == ()
    assert parse_settings("").stories == DEFAULT_STORIES


@for_each(
    [
        ("stories: 5\n", 1),
        ("stories:\n  messages-per-chunk: 0\n", 2),
        ("stories:\n  messages-per-chunk: 101\n", 2),
        ("stories:\n  core-threshold: 2\n", 2),
        ("stories:\n  core-flags: [birth]\n", 2),
        ("stories:\n  salience:\n    flag: high\n", 3),
        ("stories:\n  salience:\n    luck: 0.1\n", 3),
        ("stories:\n  chunk: 3\n", 2),
    ]
)
def test_what_is_invalid_is_reported_at_its_line(case: tuple[str, int]) -> None:
    text, line = case
    found = parse_settings(text)
    assert [(flaw.code, flaw.line) for flaw in found.flaws] == [("bad-setting", line)]
    assert found.stories.messages_per_chunk == DEFAULT_STORIES.messages_per_chunk
    assert found.stories.core_threshold == DEFAULT_STORIES.core_threshold
